// ---- The user changes a number, and the engine recomputes the tape ------------------------------

const FRAME = 16; // ms
class Bench {
	constructor(page) {
		Object.assign(this, {
			page,
			asked: location.hash,
			was: recorded,
			touched: null,
			undo: [],
			problem: "",
			misread: "",
			training: new Training(this),
		});
		$("cards").addEventListener("pointerdown", event => this.grab(event));
		$("cards").addEventListener("keydown", event => this.type(event));
	}
	async start() {
		const shown = location.hash;
		this.open(true), $("touch").replaceChildren(make("p", { role: "status" }, word("loading")));
		try {
			this.engine = await Engine.start();
			const began = performance.now();
			this.engine.load(tapeText());
			this.compute(), this.keep(), this.page.refresh();
			(this.apart = apart(recorded, run)), (this.took = performance.now() - began);
		} catch (error) {
			(tape.notLive = error.message), (this.engine = null), this.open(false);
			return void (($("notice").textContent = word("notLive", { why: error.message })),
			($("notice").hidden = false));
		}
		$("touch").replaceChildren();
		// An address may ask for a number that only the engine has.
		if (this.asked !== shown && this.asked.includes("cell=") && location.hash === shown)
			history.replaceState(null, "", this.asked), this.page.fromAddress();
		maker?.showSetup();
		const [value, i] = tape.ask ?? [values.findIndex(one => one.op < 0), 0];
		this.choose(
			this.given(value) ? value : values.findIndex((_, v) => this.given(v)),
			this.given(value) ? i : 0,
		);
		if (this.page.held) this.hold(this.page.place.card, this.page.place.i);
		document.documentElement.dataset.live = 1;
	}
	open(on) {
		($("bench").hidden = !on), modes.toggle("has-bench", on);
	}
	given(value) {
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
		this.settle(), this.lossNow(), this.engine.ask("keep"), (this.was = run);
	}
	// Runs the engine and shows the result, at most once per frame. If a run takes longer than a
	// frame, the number and "computing" are shown first.
	soon() {
		if (this.waiting) return;
		this.waiting = true;
		requestAnimationFrame(() => {
			if (!this.waiting || this.took < FRAME) return this.settle();
			this.drawNumber(), ($("outcome").textContent = word("computing"));
			setTimeout(() => this.settle());
		});
	}
	settle() {
		if (this.waiting) this.show();
	} // at once, if a run is pending
	show() {
		const began = performance.now();
		this.waiting = false;
		try {
			this.compute(), (this.problem = "");
		} catch (error) {
			this.problem = error.message;
			for (const { value, i, x } of this.undo.reverse()) this.given(value)[i] = x;
		}
		this.undo = [];
		this.page.refresh(), this.draw(), this.tried();
		this.took = performance.now() - began;
	}

	// ---- The number
	choose(value, i) {
		this.settle();
		const x = this.given(value)[i],
			middle = Number.isFinite(x) ? x : 0,
			span = Math.max(1, 2 * Math.abs(middle)),
			most = 2 ** 128 - 2 ** 104; // the largest float
		this.touched = {
			value,
			i,
			name: this.nameOf({ value, i }),
			from: Math.max(-most, middle - span),
			to: Math.min(most, middle + span),
		};
		if (this.isMask(value)) Object.assign(this.touched, { from: 0, to: 1 });
		this.newCurve(), this.draw(), this.training.draw();
	}
	// Starts anew: the curve, and the value that a change begins at.
	newCurve() {
		const { value, i } = this.touched,
			curve = (this.curve = new Curve(this));
		this.began = {
			x: this.given(value)[i],
			loss: this.lossNow(),
			slope: slopeAt(value, i),
			sides: ops.map(sidesOf),
		};
		this.took < FRAME ? curve.more() : curve.later(0);
	}
	touches({ value, i }) {
		return this.touched.value === value && this.touched.i === i;
	}
	isMask(value) {
		return values[value].op >= 0;
	}
	set(x) {
		if (!Number.isFinite(x) || this.training.running) return;
		const { value, i } = this.touched,
			data = this.given(value);
		if (this.trial?.answer && !this.touches(this.trial)) this.dropTrial();
		this.undo.push({ value, i, x: data[i] }), (data[i] = x);
		this.soon();
	}

	typed(text) {
		text = text.replace("−", "-");
		const x = text === "" ? NaN : Math.fround(Number(text)),
			why = Number.isFinite(Number(text)) ? "tooLarge" : "noNumber";
		this.misread =
			/^-?$/.test(text) || Number.isFinite(x) ? "" : word(why, { x: text, bits: bitsOf() });
		this.set(x), this.drawProblem();
	}
	drawProblem() {
		$("touch-problem").textContent =
			this.misread || (this.problem && word("engineSays", { why: this.problem }));
	}

	// The loss with the number at x, and a central difference.
	lossAt({ value, i }, x) {
		const data = this.given(value),
			kept = data[i];
		data[i] = x;
		try {
			return [data[i], this.engine.loss()];
		} finally {
			this.given(value)[i] = kept;
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
	drawNumber() {
		const { value, i, name, from, to } = this.touched,
			x = this.given(value)[i],
			step = (to - from) / 400;
		if (!$("touch-number")) this.build();
		const box = $("touch-number"),
			slider = $("touch-slider");
		$("touch-name").textContent = name;
		if (document.activeElement !== box)
			(box.value = show(x).replaceAll("−", "-")), (this.misread = "");
		const at = Number.isFinite(x) ? x : (from + to) / 2;
		Object.assign(slider, {
			min: Math.min(from, at),
			max: Math.max(to, at),
			step: this.isMask(value) ? 1 : step,
			value: at,
		});
		slider.setAttribute("aria-valuetext", show(x)),
			slider.setAttribute("aria-label", name),
			box.setAttribute("aria-label", name);
		for (const card of this.page.cards) {
			const td = this.isShown(card, value) && shownCard(card.key, `td[data-i="${i}"]`);
			if (td && !td.classList.contains("covered")) td.textContent = cellText(x);
		}
	}
	draw() {
		this.drawNumber();
		const before = this.lossOf(this.was),
			now = this.lossNow();
		$("outcome").replaceChildren(
			make(
				"b",
				nameShown(ops.at(-1).out) === "loss" && lossNumber() !== undefined ? "loss" : lossWord(),
			),
			" ",
			before !== undefined && !alike(before, now) ? wasIs(before, now) : show(now, 4),
		);
		$("compared").replaceChildren(...this.compared());
		this.drawProblem(), this.curve.draw();
	}
	build() {
		$("touch").replaceChildren(
			make("p.note", word("touchHow")),
			make(
				"p.touched",
				make("b", { id: "touch-name" }),
				" = ",
				make("input", {
					id: "touch-number",
					type: "text",
					inputmode: "decimal",
					size: 10,
					oninput: event => this.typed(event.target.value.trim()),
				}),
			),
			make("input", {
				id: "touch-slider",
				type: "range",
				oninput: event => this.set(Math.fround(+event.target.value)),
			}),
			make("p", { id: "outcome", role: "status" }),
			make("div", { id: "compared" }),
			make("p.wrong", { id: "touch-problem" }),
			make("div", { id: "curve" }),
			make(
				"details",
				{ id: "exact", ontoggle: ({ target }) => target.open && this.curve.draw() },
				make("summary", word("howExact")),
				make("p", { id: "slopes" }),
				this.apart.n
					? make("p", { id: "apart" }, word("apart", { ...this.apart, d: show(this.apart.d, 1) }))
					: "",
			),
		);
	}
	translate() {
		maker?.showSetup();
		if (this.touched) $("touch").replaceChildren(), this.draw(), this.training.draw();
	}
	// "was 0.213, is 0.198" for a changed cell; for the number being changed, also the loss.
	moved(card, i) {
		const cell = this.ofCard(card, i),
			told = cell && this.touched && this.touches(cell) ? this.compared() : [];
		const before = this.before?.get(card.key)?.at(i),
			now = card.array?.at(i);
		return before !== undefined && now !== undefined && show(before) !== show(now)
			? [make("p.was", wasIs(before, now, 6)), ...told]
			: told;
	}
}

// "was 0.213, is 0.198", with enough digits to tell them apart.
function wasIs(was, is, digits = 4) {
	while (digits < 9 && was !== is && show(was, digits) === show(is, digits)) ++digits;
	return word("was", { was: show(was, digits), is: show(is, digits) });
}

// Large tensors are shown in the rows and columns of the recording.
function withCrops({ values, backward, arrays }) {
	const crops = recorded.values.map(({ value }) => recorded.arrays[value]?.crops?.[0]);
	const show = (array, v) => {
		if (array !== null && crops[v]) arrays[array].crop = crops[v];
	};
	values.forEach(({ value, grad }, v) => {
		show(value, v), show(grad, v);
	});
	for (const { dY, value, adds } of backward) {
		show(dY, value);
		for (const add of adds) show(add.part, add.value), show(add.total, add.value);
	}
}
const tapeText = () => tape.replay ?? textOf("replay");
