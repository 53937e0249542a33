// ---- A lesson's question: the user changes the number before the answer

let trial = null; // {value, i, x: what it was, to, exact, loss, box, answer}

function offerTrial({ value, i, sign, number, asked, exact }, box, answer) {
	putBack();
	const was = bench.given(value)?.[i];
	if (was === undefined) return false;
	const by = asked ? riseOf({ value, i }, number) : number,
		to = Math.fround(sign ? was + (sign === "-" ? -by : by) : number);
	if (alike(to, was)) return false;
	bench.choose(value, i);
	trial = { value, i, x: was, to, exact, loss: bench.lossNow(), box, answer };
	const onclick = () => {
		bench.choose(value, i);
		bench.set(to);
	};
	const text = word("tryIt", { c: state.touched.name, x: show(to) });
	box.replaceChildren(make("button.try", { onclick }, text));
	return true;
}
function answerTrial() {
	if (!trial?.answer || !bench.touches(trial)) return;
	const x = bench.given(trial.value)[trial.i],
		is = bench.lossNow();
	if (trial.exact ? !alike(x, trial.to) : !((x - trial.x) * (trial.to - trial.x) > 0)) return; // another change
	const now = word("tryNow", { c: state.touched.name, x: show(x) });
	trial.box.replaceChildren(
		make("p.was", now + " " + wasIs(trial.loss, is)),
		...trial.answer(is - trial.loss),
		...compared(),
	);
	trial.answer = null;
	trial.set = x;
}
// Training also moves the loss, so the user must predict again.
function dropTrial() {
	if (trial?.answer) trial.box.replaceChildren();
	trial = null;
}
// The numbers from before the question.
function putBack() {
	const last = trial;
	trial = null;
	if (!last || !alike(bench.given(last.value)?.[last.i], last.set)) return;
	bench.given(last.value)[last.i] = last.x;
	bench.show();
	bench.begin();
}
