// ---- Training by hand

// A step changes the leaves by the gradients of a pass. Without zero_grad(), gradients accumulate, as
// in a program whose loop forgets it. Each step but the first draws new masks, and takes the next batch
// of a data set; losses are compared under the masks and the batch on show.
const leaves = () => values.flatMap((value, v) => (value.op < 0 && value.wants && mayChange(value) ? [v] : [])),
	masks = () => ops.flatMap(({ in: { length }, out }) => (length || !mayChange(values[out]) ? [] : [out]));
const untrained = () => ({
	on: true, // train(), not eval()
	rate: tape.rate ?? 0.1,
	trained: new Set(leaves()),
	data: null,
	running: false,
	left: 0, // of the steps that run
	passes: values.some(({ grad }) => grad !== null) ? Infinity : 1, // whose gradients grad holds
	...unstepped(),
});
// No step has been taken from here.
const unstepped = () => ({ losses: [], tests: [], steps: 0 });
const train = some => change({ training: { ...state.training, ...some } });

// Later numbers are compared with those before.
function trainBy(some, run) {
	bench.keep();
	dropTrial();
	run();
	train(some);
	bench.show();
	bench.begin();
}
const tapeText = () => tape.replay ?? textOf("replay");
const numbersOf = list =>
	list.flatMap(value => {
		const x = bench.given(value);
		return x ? [[value, x.slice()]] : [];
	});
function write(numbers) {
	for (const [value, x] of numbers) bench.given(value).set(x);
}
// The losses of all batches, or the loss, under the masks and the batch on show.
function measure(data, shown) {
	const { losses, tests } = state.training,
		lossOf = batch => {
			write(batch);
			return bench.engine.loss();
		},
		mean = batches => batches.reduce((sum, batch) => sum + lossOf(batch), 0) / batches.length;
	write(shown);
	losses.push(mean(data?.train ?? [[]]));
	if (data) tests.push(mean(data.test));
	write(shown);
}
// A frame's worth of steps at a time, or one where each is drawn.
async function takeSteps(times, zeroes) {
	const { engine } = bench,
		{ rate, data, on, trained } = state.training,
		shown = numbersOf([...masks(), ...(data?.train[0] ?? []).map(([value]) => value)]);
	bench.keep();
	dropTrial();
	train({ running: true, left: times });
	if (!state.training.losses.length) measure(data, shown);
	let began = performance.now();
	while (state.training.left > 0) {
		const { training } = state,
			taken = training.steps;
		if (taken && on && masks().length) engine.ask("draw", 1);
		if (data) write(data.train[taken % data.train.length]);
		engine.ask("run");
		for (const leaf of trained) engine.ask("step", leaf, rate);
		engine.exports.keep_gradients();
		if (zeroes) engine.exports.zero_grad();
		measure(data, shown);
		++training.steps;
		--training.left;
		training.passes = zeroes ? 1 : training.passes + 1;
		if (performance.now() - began < (tape.pace ?? FRAME)) continue;
		train({});
		await new Promise(done => setTimeout(done));
		began = performance.now();
	}
	train({ running: false, left: 0 });
	bench.show();
	bench.begin();
}
const zeroGrad = () => trainBy({ passes: 1 }, () => bench.engine.exports.zero_grad());
function redraw(on = state.training.on) {
	trainBy({ on, ...unstepped() }, () => bench.engine.ask("draw", +on));
}
const setData = data => trainBy({ data, ...unstepped() }, () => write(data.train[0]));
function resetTraining() {
	bench.engine.load(tapeText());
	bench.compute();
	bench.keep();
	dropTrial();
	const { trained, running } = state.training;
	change({ training: { ...untrained(), trained, running }, problem: "" });
	bench.choose(state.touched.value, state.touched.i);
}
function trainLeaf(leaf, on) {
	const { trained } = state.training; // the box shows it
	if (on) trained.add(leaf);
	else trained.delete(leaf);
}

const rateBox = rate =>
	make(
		"label",
		word("rate") + " ",
		make("input", {
			id: "rate",
			type: "text",
			inputmode: "decimal",
			size: 5,
			value: rate,
			oninput: event => {
				const x = parseFloat(event.target.value);
				if (x >= 0 && x < Infinity) state.training.rate = x; // the box shows it
			},
		}),
	);
function drawTraining({ on, rate, left, running, data, passes, losses, trained }) {
	const button = (id, text, run, more = {}) =>
		make("button", { id, onclick: run, disabled: running && id !== "reset", ...more }, text);
	const ticked = (id, text, checked, run) =>
		make(
			"label.leaf",
			make("input", {
				id,
				type: "checkbox",
				disabled: running,
				checked,
				onchange: ({ target }) => run(target.checked),
			}),
			" " + text,
		);
	$("training").replaceChildren(
		make("h3", word("training")),
		make(
			"p.ways",
			rateBox(rate),
			button("sgd", word("sgdStep"), () => takeSteps(1, false)),
			button("zero-grad", "zero_grad()", zeroGrad),
			...[10, 200].map(n =>
				button("sgd-" + n, word("manySteps", { n }), () => {
					takeSteps(n, true);
					$("stop").focus(); // by keys one stops where one began
				}),
			),
			// Pressed too late, it begins nothing.
			button("stop", word("stop", { n: left }), () => train({ left: 0 }), {
				disabled: false,
				"aria-disabled": !running,
			}),
			maker?.dataSetSaid()
				? ticked("data-set", maker.dataSetSaid(), Boolean(data), chosen =>
						chosen ? setData(maker.dataSet()) : resetTraining(),
					)
				: "",
			...(masks().length
				? [
						button("redraw", word("redraw"), () => redraw(), { disabled: !on || running }),
						button("train", "train()", () => redraw(true), { "aria-pressed": on }),
						button("eval", "eval()", () => redraw(false), { "aria-pressed": !on }),
					]
				: []),
			button("reset", word("reset"), resetTraining),
		),
		make("p", { id: "passes", role: "status" }, word(passes > 1 ? "passesSum" : "passOne")),
		...(losses.length > 1 ? [historyOf(state.training)] : []),
		make(
			"details",
			make("summary", word("trained")),
			...leaves().map(v => ticked("leaf-" + v, nameShown(v), trained.has(v), chosen => trainLeaf(v, chosen))),
		),
	);
}
function historyOf({ losses, tests, data, on }) {
	const W = 280,
		H = 80,
		finite = [...losses, ...tests].filter(Number.isFinite),
		low = Math.min(...finite),
		high = Math.max(...finite) - low || 1;
	const at = (y, k, { length }) => [
		(k / (length - 1)) * W,
		H - 6 - (Number.isFinite(y) ? (y - low) / high : 1) * (H - 12),
	];
	const line = (list, name) => make("polyline", { class: name, points: pointsOf(list.map(at)) });
	const went = list => ({ from: show(list[0], 3), to: show(list.at(-1), 3) }),
		said =
			word("lossSteps", { n: losses.length - 1, ...went(losses) }) +
			(data ? " " + word("testLoss", went(tests)) : "") +
			(masks().length && on ? " " + word("sameMask") : "");
	return make(
		"div",
		plot([W, H, said], line(losses, "tangent"), ...(data ? [line(tests, "tangent test")] : [])),
		make("p.note", said),
	);
}
