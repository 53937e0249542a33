// ---- Training by hand ---------------------------------------------------------------------------

const RATE = 0.1;
// A step changes the leaves and recomputes forward and backward. Without zero_grad(), gradients
// accumulate, as in a program whose loop forgets it.
class Training {
	constructor(bench) {
		Object.assign(this, { bench, rate: RATE, on: true, passes: 1, losses: [] });
		this.leaves = values.flatMap((value, v) => (value.op < 0 && value.wants ? [v] : []));
		(this.trained = new Set(this.leaves)), (this.masks = ops.some(op => !op.in.length));
		this.passesAtFirst = values.some(({ grad }) => grad !== null) ? Infinity : 1; // how many is not recorded
		this.passes = this.passesAtFirst;
	}
	get engine() {
		return this.bench.engine;
	}
	// Later numbers are compared with those before the step.
	change(run) {
		this.bench.keep(), this.bench.dropTrial();
		run();
		this.bench.show();
		this.bench.newCurve(), this.bench.draw(), this.draw();
	}
	step(times, zeroes) {
		this.change(() => {
			if (!this.losses.length) this.losses.push(this.engine.loss());
			for (let k = 0; k < times; ++k) {
				for (const leaf of this.trained) this.engine.ask("step", leaf, this.rate);
				this.engine.exports.keep_gradients(), ++this.passes;
				if (zeroes) this.engine.exports.zero_grad(), (this.passes = 1);
				if (this.on && this.masks) this.engine.ask("draw", 1);
				if (k + 1 < times) this.bench.compute();
				this.losses.push(this.engine.loss());
			}
		});
	}
	zeroGrad() {
		this.change(() => {
			this.engine.exports.zero_grad(), (this.passes = 1);
		});
	}
	redraw() {
		this.change(() => this.engine.ask("draw", +this.on));
	}
	setMode(on) {
		(this.on = on), this.redraw();
	}
	reset() {
		this.engine.load(tapeText()), this.bench.compute(), this.bench.keep(), this.bench.dropTrial();
		(this.on = true), (this.rate = RATE), (this.losses = []), (this.passes = this.passesAtFirst);
		this.bench.show(), this.bench.choose(this.bench.touched.value, this.bench.touched.i);
	}

	draw() {
		const button = (id, text, run, more = {}) =>
			make("button", { id, onclick: run, ...more }, text);
		const active = document.activeElement?.id;
		$("training").replaceChildren(
			make("h3", {}, word("training")),
			make(
				"p",
				{ class: "ways" },
				make(
					"label",
					{},
					word("rate") + " ",
					make("input", {
						id: "rate",
						type: "text",
						inputmode: "decimal",
						size: 5,
						value: this.rate,
						oninput: event => {
							const x = parseFloat(event.target.value);
							if (x >= 0) this.rate = x;
						},
					}),
				),
				button("sgd", word("sgdStep"), () => this.step(1, false)),
				button("zero-grad", "zero_grad()", () => this.zeroGrad()),
				button("sgd-10", word("tenSteps"), () => this.step(10, true)),
				...(this.masks
					? [
							button("redraw", word("redraw"), () => this.redraw(), { disabled: !this.on }),
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
				{},
				make("summary", {}, word("trained")),
				...this.leaves.map(v =>
					make(
						"label",
						{ class: "leaf" },
						make("input", {
							type: "checkbox",
							checked: this.trained.has(v),
							onchange: event => {
								event.target.checked ? this.trained.add(v) : this.trained.delete(v);
							},
						}),
						" " + nameShown(v),
					),
				),
			),
		);
		if (active && $("training").querySelector("#" + active)) $(active).focus();
	}
	history() {
		const W = 280,
			H = 80,
			finite = this.losses.filter(Number.isFinite),
			low = Math.min(...finite),
			high = Math.max(...finite) - low || 1;
		const points = this.losses
			.map((y, k) =>
				[
					((k / (this.losses.length - 1)) * W).toFixed(1),
					(H - 6 - (Number.isFinite(y) ? (y - low) / high : 1) * (H - 12)).toFixed(1),
				].join(","),
			)
			.join(" ");
		const said = word("lossSteps", {
			n: this.losses.length - 1,
			from: show(this.losses[0], 3),
			to: show(this.losses.at(-1), 3),
		});
		return make(
			"div",
			{},
			make(
				"svg",
				{ viewBox: `0 0 ${W} ${H}`, class: "curve", role: "img", "aria-label": said },
				make("polyline", { points, class: "tangent" }),
			),
			make("p", { class: "note" }, said),
		);
	}
}
