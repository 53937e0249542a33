// ---- The user changes a number, and the engine recomputes the tape

class Bench {
	constructor() {
		this.was = recorded; // the run that later numbers are compared with
		this.undo = [];
		$("cards").addEventListener("pointerdown", grab);
		$("cards").addEventListener("keydown", typeOver);
		state.training = untrained();
	}
	async start() {
		$("touch").replaceChildren(make("p", { role: "status" }, word("loading")));
		change({ benchOpen: true });
		try {
			this.engine = await Engine.start();
			const began = performance.now();
			this.engine.load(tapeText());
			this.compute();
			this.keep();
			render();
			this.took = performance.now() - began;
		} catch (error) {
			this.engine = null;
			return change({ benchOpen: false, notLive: error.message });
		}
		if (state.wanted) lookWanted(); // which only the engine may have
		const [value, i] = tape.ask ?? [];
		if (this.given(value)) this.choose(value, i);
		else
			this.choose(
				values.findIndex((_, v) => this.given(v)),
				0,
			);
		if (state.held) this.hold(cardCalled(state.held.key), state.held.i);
		document.documentElement.dataset.live = 1;
	}
	// The number to change is the one that is held.
	hold(card, i) {
		const cell = numberOf(card, i);
		if (cell && !this.touches(cell)) this.choose(cell.value, i);
	}
	given(value) {
		return values[value] && mayChange(values[value]) ? this.numbers(value) : null;
	}
	numbers(value) {
		return this.engine?.numbers(value, product(values[value].shape)) ?? null;
	}

	compute() {
		const next = this.engine.run();
		next.engine = this.engine;
		withCrops(next);
		use(next);
	}
	// Later numbers are compared with the current ones.
	keep() {
		this.settle();
		this.lossNow();
		this.engine.ask("keep");
		this.was = run;
	}
	// Runs the engine and shows the result, at most once per frame. If a run takes longer than a
	// frame, the number and "computing" are shown first.
	soon() {
		if (this.waiting) return;
		this.waiting = true;
		requestAnimationFrame(() => {
			if (!this.waiting || this.took < FRAME) return this.settle();
			change({ computing: true });
			setTimeout(() => this.settle());
		});
	}
	// At once, if a run is pending.
	settle() {
		if (this.waiting) this.show();
	}
	show() {
		const began = performance.now();
		this.waiting = false;
		let problem = "";
		try {
			this.compute();
		} catch (error) {
			problem = error.message;
			for (const { value, i, x } of this.undo.reverse()) this.given(value)[i] = x;
		}
		this.undo = [];
		change({ problem, computing: false });
		answerTrial();
		this.took = performance.now() - began;
	}

	// ---- The number
	choose(value, i) {
		this.settle();
		const x = this.given(value)[i],
			middle = Number.isFinite(x) ? x : 0,
			span = Math.max(1, 2 * Math.abs(middle)),
			most = 2 ** 128 - 2 ** 104; // the largest float
		this.begin({
			value,
			i,
			name: numberName({ value, i }),
			from: this.isMask(value) ? 0 : Math.max(-most, middle - span),
			to: this.isMask(value) ? 1 : Math.min(most, middle + span),
		});
	}
	// Anew: the curve, and the value that a change begins at.
	begin(touched = state.touched) {
		const { value, i } = touched,
			began = {
				x: this.given(value)[i],
				loss: this.lossNow(),
				slope: slopeAt(value, i),
				sides: ops.map(sidesOf),
			};
		this.curve = new Curve(touched);
		change({ touched: { ...touched, began }, misread: "" });
		if (this.took < FRAME) this.curve.more();
		else this.curve.later(0);
	}
	touches({ value, i }) {
		return state.touched?.value === value && state.touched.i === i;
	}
	isMask(value) {
		return values[value].op >= 0;
	}
	set(x) {
		if (x === undefined || state.training.running) return;
		const { value, i } = state.touched,
			data = this.given(value);
		if (trial?.answer && !this.touches(trial)) dropTrial();
		this.undo.push({ value, i, x: data[i] });
		data[i] = x;
		this.soon();
	}

	typed(text) {
		const wide = numberIn(text),
			x = wide === undefined ? wide : Math.fround(wide),
			large = Number.isFinite(wide) && !Number.isFinite(x),
			well = /^[-−]?$/.test(text) || x !== undefined;
		const why = large ? "tooLarge" : well ? null : "noNumber";
		change({ misread: why ? word(why, { x: text, bits: bitsOf() }) : "" });
		if (!large) this.set(x);
	}

	// The loss with the number at x, and a central difference.
	lossAt({ value, i }, x) {
		const data = this.given(value),
			was = data[i];
		data[i] = x;
		try {
			return [data[i], this.engine.loss()];
		} finally {
			this.given(value)[i] = was;
		}
	}
	measured(cell) {
		const x = this.given(cell.value)[cell.i],
			h = spanAt(x);
		const [[b, above], [a, below]] = [this.lossAt(cell, x + h), this.lossAt(cell, x - h)];
		return (above - below) / (b - a);
	}

	// ---- Texts
	// The same card's numbers before this change, by the cards' keys.
	cardsBefore(s) {
		if (run === this.was) return new Map();
		const { seen } = this;
		if (seen?.was !== this.was || seen.s !== s)
			this.seen = {
				was: this.was,
				s,
				cards: within(this.was, () => new Map(cardsOf(s).map(({ key, array }) => [key, array]))),
			};
		return this.seen.cards;
	}
	// The loss shown on the page; else the sum of the outputs that backward() began with, weighted.
	lossOf(other) {
		return (other.loss ??= within(other, lossNumber));
	}
	lossNow() {
		return (run.loss ??= this.lossOf(run) ?? this.engine.loss());
	}
	// "was 0.213, is 0.198" for a changed cell; for the number being changed, also the loss.
	moved(card, i) {
		const cell = numberOf(card, i),
			told = cell && this.touches(cell) ? compared() : [];
		const before = this.cardsBefore(state.step).get(card.key)?.at(i),
			now = card.array?.at(i);
		return before !== undefined && now !== undefined && show(before) !== show(now)
			? [make("p.was", wasIs(before, now, 6)), ...told]
			: told;
	}
}

// Large tensors are shown in the rows and columns of the recording.
function withCrops({ values, backward, arrays }) {
	const crops = recorded.values.map(({ value }) => recorded.arrays[value]?.crops?.[0]);
	const crop = (array, v) => {
		if (array !== null && crops[v]) arrays[array].crop = crops[v];
	};
	values.forEach(({ value, grad }, v) => [value, grad].forEach(array => crop(array, v)));
	for (const { dY, value, adds } of backward) {
		crop(dY, value);
		for (const add of adds) [add.part, add.total].forEach(array => crop(array, add.value));
	}
}
