// ---- A change's effect as predicted by the slope, and as computed

// A step large enough for the loss to show it: `least`, or tens of it.
function riseOf({ value, i }, least = 0.01) {
	const slope = Math.abs(slopeAt(value, i) ?? 0),
		x = Math.abs(bench.given(value)[i]),
		fine = 16 * stepOf(bench.lossNow());
	let times = 1;
	while (slope && slope * least * times < fine && least * times < Math.max(1, x)) times *= 10;
	return least * times;
}
function riseButton({ value, i }) {
	const x = bench.given(value)[i];
	if (bench.isMask(value) || slopeAt(value, i) === null || !Number.isFinite(x)) return [];
	const rise = riseOf({ value, i }),
		text = "+" + show(rise, 2);
	const onclick = () => {
		bench.choose(value, i);
		bench.set(Math.fround(bench.given(value)[i] + rise));
	};
	const label = `${numberName({ value, i })} ${text}`;
	return [make("button.rise", { "aria-label": label, onclick }, text)];
}
const numberName = ({ value, i }) =>
	nameShown(value) + (values[value].shape.length ? "[" + unravel(i, values[value].shape).join(", ") + "]" : "");

// Of the number being changed: its slope at the start, and the loss since then.
function compared() {
	const { value, i, name } = state.touched,
		{ x, loss, slope, sides } = state.touched.began,
		now = bench.given(value)[i];
	const p = (slope ?? NaN) * (now - x),
		r = bench.lossNow() - loss,
		step = stepOf(loss);
	if (x === now || !Number.isFinite(p) || !Number.isFinite(r)) return [];
	const said = [word("bySlope", { c: name, a: show(x), b: show(now), p: show(p, 3), r: show(r, 3) })];
	if (p !== 0 && Math.abs(p) < step)
		said.push(word("tooFine", { step: show(step, 2), loss: show(loss, 4), bits: bitsOf() }));
	else if (Math.abs(r - p) > 0.1 * Math.abs(p) + 2 * step) said.push(...crossed(sides));
	return [make("p.compared", said.join(" "))];
}
// "was 0.213, is 0.198", with enough digits to tell them apart.
function wasIs(was, is, digits = 4) {
	while (digits < 9 && was !== is && show(was, digits) === show(is, digits)) ++digits;
	return word("was", { was: show(was, digits), is: show(is, digits) });
}
