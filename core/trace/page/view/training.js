// ---- Training by hand ---------------------------------------------------------------------------

const RATE = 0.1;
// The steps of a job, by an engine that may be a worker's, and the losses after each.
function* sgdSteps(engine, { times, zeroes, steps, rate, draws, shown, leaves, data, first }) {
	const put = numbers => numbers.forEach(([value, x]) => engine.numbers(value, x.length).set(x));
	const mean = batches =>
		batches.reduce((sum, batch) => (put(batch), sum + engine.loss()), 0) / batches.length;
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
		if (!job) return void (stopped = true);
		take(job).catch(({ message }) => postMessage({ problem: message })); // which onerror would not get
	};
}

// A step changes the leaves by the gradients of a pass. Without zero_grad(), gradients accumulate, as
// in a program whose loop forgets it. Each step but the first draws new masks, and takes the next batch
// of a data set; losses are compared under the masks and the batch on show.
class Training {
	constructor(bench) {
		(this.bench = bench), (this.running = false);
		this.leaves = values.flatMap((value, v) => (value.op < 0 && value.wants ? [v] : []));
		(this.trained = new Set(this.leaves)), (this.masks = ops.some(op => !op.in.length));
		this.passesAtFirst = values.some(({ grad }) => grad !== null) ? Infinity : 1; // how many is not recorded
		this.beginAnew();
	}
	beginAnew() {
		Object.assign(this, { on: true, rate: RATE, left: 0, data: null, draws: 0 });
		this.passes = this.passesAtFirst;
		this.begin();
	}
	get engine() {
		return this.bench.engine;
	}
	// No step has been taken from here.
	begin() {
		Object.assign(this, { losses: [], tests: [], steps: 0 });
	}
	// Later numbers are compared with those before the step.
	change(run) {
		this.bench.keep(), this.bench.dropTrial();
		run();
		this.end();
	}
	end() {
		this.bench.show();
		this.bench.newCurve(), this.bench.draw(), this.draw();
	}

	// The masks, and of a data set the batch.
	get shown() {
		const inputs = ops.filter(op => !op.in.length).map(op => op.out);
		return this.numbersOf([...inputs, ...(this.data?.train[0] ?? []).map(([value]) => value)]);
	}
	numbersOf(list) {
		return list.flatMap(value => {
			const x = this.bench.given(value);
			return x ? [[value, x.slice()]] : [];
		});
	}
	write(numbers) {
		for (const [value, x] of numbers) this.bench.given(value).set(x);
	}
	async step(times, zeroes) {
		const { bench, steps, rate, data, shown } = this,
			draws = this.on && this.masks,
			first = !this.losses.length;
		bench.keep(), bench.dropTrial();
		const job = {
			times,
			zeroes,
			steps,
			rate,
			draws,
			shown,
			leaves: [...this.trained],
			data,
			first,
		};
		const alone = bench.took > 10 * FRAME && times > 1 && this.passes === 1; // else grad holds what only `engine` has
		(this.running = true), (this.left = times);
		const before = { losses: [...this.losses], tests: [...this.tests], steps, draws: this.draws };
		const again = () => (Object.assign(this, before, { left: times }), this.here(job));
		await (alone ? this.elsewhere(job).catch(again) : this.here(job));
		(this.running = false), (this.left = 0);
		this.end();
	}
	// A step was taken, or the losses before the first were measured.
	took({ loss, test, taken, drawn }, zeroes) {
		this.losses.push(loss), this.tests.push(test);
		(this.steps += taken), (this.left -= taken), (this.draws += drawn);
		this.passes = zeroes ? 1 : this.passes + taken;
	}
	// A frame's worth of steps at a time.
	async here(job) {
		let began = performance.now();
		for (const step of sgdSteps(this.engine, job)) {
			this.took(step, job.zeroes);
			if (performance.now() - began < FRAME) continue;
			this.draw();
			await new Promise(done => setTimeout(done));
			if (this.left <= 0) break;
			began = performance.now();
		}
	}
	// Where one step takes longer than some frames: by a second engine, in a worker.
	async elsewhere(job) {
		const source = ["const word = key => key", Engine, sgdSteps, serveSteps, "serveSteps()"].join(
				"\n",
			),
			url = URL.createObjectURL(new Blob([source])),
			worker = new Worker(url),
			before = this.draws;
		this.draw();
		try {
			const leaves = await new Promise((done, fail) => {
				this.stop = () => worker.postMessage(null);
				this.drop = () => done(null);
				worker.onerror = event => fail(new Error(event.message));
				worker.onmessage = ({ data: { step, leaves, problem } }) =>
					problem
						? fail(new Error(problem))
						: leaves
							? done(leaves)
							: (this.took(step, true), this.draw());
				const given = this.numbersOf([...values.keys()]);
				Engine.bytes().then(
					engine => worker.postMessage({ ...job, given, drawn: before, tape: tapeText(), engine }),
					fail,
				);
			});
			if (!leaves) return;
			for (let k = before; k < this.draws; ++k) this.engine.ask("draw", 1);
			this.write([...leaves, ...job.shown]);
		} finally {
			(this.stop = this.drop = null), worker.terminate(), URL.revokeObjectURL(url);
		}
	}
	halt() {
		this.stop ? this.stop() : (this.left = 0);
	}
	zeroGrad() {
		this.change(() => {
			this.engine.exports.zero_grad(), (this.passes = 1);
		});
	}
	redraw() {
		this.change(() => {
			this.engine.ask("draw", +this.on), (this.draws += this.on), this.begin();
		});
	}
	setMode(on) {
		(this.on = on), this.redraw();
	}
	setData(data) {
		this.change(() => {
			this.write((this.data = data).train[0]), this.begin();
		});
	}
	reset() {
		this.drop?.();
		const { bench } = this;
		this.engine.load(tapeText()), bench.compute(), bench.keep(), bench.dropTrial();
		this.beginAnew();
		bench.problem = "";
		bench.page.refresh(), bench.choose(bench.touched.value, bench.touched.i);
	}

	draw() {
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
		const { running } = this,
			focused = document.activeElement?.id,
			active = running && focused === "sgd-10" ? "stop" : focused; // by keys one stops where one began
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
						value: this.rate,
						oninput: event => {
							const x = parseFloat(event.target.value);
							if (x >= 0 && x < Infinity) this.rate = x;
						},
					}),
				),
				button("sgd", word("sgdStep"), () => this.step(1, false)),
				button("zero-grad", "zero_grad()", () => this.zeroGrad()),
				button("sgd-10", word("tenSteps"), () => this.step(10, true)),
				// Pressed too late, it begins nothing.
				button("stop", word("stop", { n: this.left }), () => this.halt(), {
					disabled: false,
					"aria-disabled": !running,
				}),
				maker
					? ticked("data-set", maker.dataSetSaid(), Boolean(this.data), on =>
							on ? this.setData(maker.dataSet()) : this.reset(),
						)
					: "",
				...(this.masks
					? [
							button("redraw", word("redraw"), () => this.redraw(), {
								disabled: !this.on || running,
							}),
							button("train", "train()", () => this.setMode(true), {
								"aria-pressed": String(this.on),
							}),
							button("eval", "eval()", () => this.setMode(false), {
								"aria-pressed": String(!this.on),
							}),
						]
					: []),
				button("reset", word("reset"), () => this.reset()),
			),
			make("p", { id: "passes", role: "status" }, word(this.passes > 1 ? "passesSum" : "passOne")),
			...(this.losses.length > 1 ? [this.history()] : []),
			make(
				"details",
				make("summary", word("trained")),
				...this.leaves.map(v =>
					ticked("leaf-" + v, nameShown(v), this.trained.has(v), on =>
						on ? this.trained.add(v) : this.trained.delete(v),
					),
				),
			),
		);
		if (active && $("training").querySelector("#" + active)) $(active).focus();
	}
	history() {
		const W = 280,
			H = 80,
			finite = [...this.losses, ...this.tests].filter(Number.isFinite),
			low = Math.min(...finite),
			high = Math.max(...finite) - low || 1;
		const at = (y, k, { length }) => [
			(k / (length - 1)) * W,
			H - 6 - (Number.isFinite(y) ? (y - low) / high : 1) * (H - 12),
		];
		const line = (list, name) => make("polyline", { class: name, points: pointsOf(list.map(at)) });
		const went = list => ({ from: show(list[0], 3), to: show(list.at(-1), 3) }),
			said =
				word("lossSteps", { n: this.losses.length - 1, ...went(this.losses) }) +
				(this.data ? " " + word("testLoss", went(this.tests)) : "") +
				(this.masks && this.on ? " " + word("sameMask") : "");
		return make(
			"div",
			plot(
				[W, H, said],
				line(this.losses, "tangent"),
				...(this.data ? [line(this.tests, "tangent test")] : []),
			),
			make("p.note", said),
		);
	}
}
