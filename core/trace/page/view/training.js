// ---- Training by hand

// The steps of a job, by an engine that may be a worker's, and the losses after each.
function* sgdSteps(engine, { times, zeroes, steps, rate, draws, shown, leaves, data, first }) {
	const put = numbers => numbers.forEach(([value, x]) => engine.numbers(value, x.length).set(x));
	const lossOf = batch => {
			put(batch);
			return engine.loss();
		},
		mean = batches => batches.reduce((sum, batch) => sum + lossOf(batch), 0) / batches.length;
	const losses = () => {
		put(shown);
		const found = { loss: mean(data?.train ?? [[]]), test: data && mean(data.test) };
		put(shown);
		return found;
	};
	if (first) yield { ...losses(), taken: 0, drawn: 0 };
	for (let s = steps; s < steps + times; ++s) {
		const drawn = +(s && draws);
		if (drawn) engine.ask("draw", 1);
		if (data) put(data.train[s % data.train.length]);
		engine.ask("run");
		for (const leaf of leaves) engine.ask("step", leaf, rate);
		engine.exports.keep_gradients();
		if (zeroes) engine.exports.zero_grad();
		yield { ...losses(), taken: 1, drawn };
	}
}
// The worker: an engine that begins where the page's stands.
function serveSteps() {
	let stopped = false;
	const take = async job => {
		const engine = await Engine.of(job.engine);
		engine.load(job.tape);
		for (let k = 0; k < job.drawn; ++k) engine.ask("draw", 1);
		for (const [value, x] of job.given) engine.numbers(value, x.length).set(x);
		for (const step of sgdSteps(engine, job)) {
			postMessage({ step });
			await new Promise(done => setTimeout(done));
			if (stopped) break;
		}
		const of = ([value, x]) => [value, engine.numbers(value, x.length).slice()];
		postMessage({ leaves: job.given.filter(([value]) => job.leaves.includes(value)).map(of) });
	};
	onmessage = ({ data: job }) => {
		if (job)
			take(job).catch(({ message }) => postMessage({ problem: message })); // which onerror would not get
		else stopped = true;
	};
}

// A step changes the leaves by the gradients of a pass. Without zero_grad(), gradients accumulate, as
// in a program whose loop forgets it. Each step but the first draws new masks, and takes the next batch
// of a data set; losses are compared under the masks and the batch on show.
const leaves = () =>
		values.flatMap(({ op, wants, read }, v) => (op < 0 && wants && !read ? [v] : [])),
	masks = () => ops.flatMap(({ in: { length }, out }) => (length || values[out].read ? [] : [out]));
const untrained = () => ({
	on: true, // train(), not eval()
	rate: 0.1,
	trained: new Set(leaves()),
	data: null,
	running: false,
	left: 0, // of the steps that run
	draws: 0,
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
const numbersOf = list =>
	list.flatMap(value => {
		const x = bench.given(value);
		return x ? [[value, x.slice()]] : [];
	});
function write(numbers) {
	for (const [value, x] of numbers) bench.given(value).set(x);
}
async function takeSteps(times, zeroes) {
	const { steps, rate, data, on, losses, tests, draws, passes, trained } = state.training;
	bench.keep();
	dropTrial();
	const job = {
		times,
		zeroes,
		steps,
		rate,
		data,
		draws: on && masks().length > 0,
		shown: numbersOf([...masks(), ...(data?.train[0] ?? []).map(([value]) => value)]),
		leaves: [...trained],
		first: !losses.length,
	};
	const alone = bench.took > 10 * FRAME && times > 1 && passes === 1; // else grad holds what only this engine has
	const start = () => {
		const before = { steps, draws, losses: [...losses], tests: [...tests] };
		train({ ...before, running: true, left: times });
	};
	start();
	const again = () => {
		start();
		return stepsHere(job);
	};
	await (alone ? stepsElsewhere(job).catch(again) : stepsHere(job));
	train({ running: false, left: 0 });
	bench.show();
	bench.begin();
}
// A step was taken, or the losses before the first were measured; drawn later.
function took({ loss, test, taken, drawn }, zeroes) {
	const { training } = state;
	training.losses.push(loss);
	training.tests.push(test);
	training.steps += taken;
	training.left -= taken;
	training.draws += drawn;
	training.passes = zeroes ? 1 : training.passes + taken;
}
// A frame's worth of steps at a time.
async function stepsHere(job) {
	let began = performance.now();
	for (const step of sgdSteps(bench.engine, job)) {
		took(step, job.zeroes);
		if (performance.now() - began < FRAME) continue;
		train({});
		await new Promise(done => setTimeout(done));
		if (state.training.left <= 0) break;
		began = performance.now();
	}
}
// Where one step takes longer than some frames: by a second engine, in a worker.
let elsewhere = null; // {stop, drop}
async function stepsElsewhere(job) {
	const source = ["const word = key => key", Engine, sgdSteps, serveSteps, "serveSteps()"].join(
			"\n",
		),
		url = URL.createObjectURL(new Blob([source])),
		worker = new Worker(url),
		before = state.training.draws;
	try {
		const trained = await new Promise((done, fail) => {
			elsewhere = { stop: () => worker.postMessage(null), drop: () => done(null) };
			worker.onerror = event => fail(new Error(event.message));
			worker.onmessage = ({ data: { step, leaves, problem } }) => {
				if (problem) return fail(new Error(problem));
				if (leaves) return done(leaves);
				took(step, true);
				train({});
			};
			const given = numbersOf([...values.keys()]);
			Engine.bytes().then(
				engine => worker.postMessage({ ...job, given, drawn: before, tape: tapeText(), engine }),
				fail,
			);
		});
		if (!trained) return;
		for (let k = before; k < state.training.draws; ++k) bench.engine.ask("draw", 1);
		write([...trained, ...job.shown]);
	} finally {
		elsewhere = null;
		worker.terminate();
		URL.revokeObjectURL(url);
	}
}
function stopSteps() {
	if (elsewhere) elsewhere.stop();
	else train({ left: 0 });
}
const zeroGrad = () => trainBy({ passes: 1 }, () => bench.engine.exports.zero_grad());
function redraw(on = state.training.on) {
	const draws = state.training.draws + on;
	trainBy({ on, draws, ...unstepped() }, () => bench.engine.ask("draw", +on));
}
const setData = data => trainBy({ data, ...unstepped() }, () => write(data.train[0]));
function resetTraining() {
	elsewhere?.drop();
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
			),
			button("sgd", word("sgdStep"), () => takeSteps(1, false)),
			button("zero-grad", "zero_grad()", zeroGrad),
			button("sgd-10", word("tenSteps"), () => {
				takeSteps(10, true);
				$("stop").focus(); // by keys one stops where one began
			}),
			// Pressed too late, it begins nothing.
			button("stop", word("stop", { n: left }), stopSteps, {
				disabled: false,
				"aria-disabled": !running,
			}),
			maker
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
			...leaves().map(v =>
				ticked("leaf-" + v, nameShown(v), trained.has(v), chosen => trainLeaf(v, chosen)),
			),
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
