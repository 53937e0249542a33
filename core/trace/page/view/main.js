// ---- The page: the step on show, and its keys and buttons ---------------------------------------

let thePage = null;

class Page {
	constructor() {
		this.graph = new Graph(s => this.go(s));
		this.predict = new Predict(this);
		(this.start = new Start(this)),
			(this.path = new Path(this)),
			(this.lesson = new LessonView(this));
		(this.handout = new Handout(this)), (this.trail = []);
		this.bench = typeof Bench === "undefined" ? null : new Bench(this); // from touch.js
		(this.step = 0), (this.atStart = true), (this.cards = []);
		controls(this);
		this.setLanguage(this.chosenLanguage());
		this.graph.draw();
		this.fromAddress();
	}

	go(s, cell = null, push = true) {
		if (!steps.length) return;
		const before = this.step,
			wasAtStart = this.atStart;
		this.step = Math.max(0, Math.min(steps.length - 1, s));
		this.atStart = false;
		this.shutPath();
		modes.remove("at-start", "holds");
		($("start").hidden = true), ($("step").hidden = false);
		$("slider").value = this.step;
		$("slider").setAttribute("aria-valuetext", `${this.step + 1} / ${steps.length}`);
		$("back").disabled = $("first").disabled = this.step === 0;
		$("next").disabled = this.step === steps.length - 1;
		$("turn").disabled = this.other() < 0;
		$("turn").textContent = word(this.step < ops.length ? "turn" : "turnBack");
		this.handout.show();
		(this.cell = null), (this.held = false), (this.predict.picked = null);
		showText(this.step, to => this.go(to));
		this.showCards();
		this.graph.show(this.step, this.predict.on);
		this.hint();
		writeAddress(this, null, push && (before !== this.step || wasAtStart));
		if (cell) this.lookByName(cell);
		this.leaveTrail(cell);
	}
	// The same op in the other direction.
	other() {
		const { op, value } = steps[this.step];
		if (this.step >= ops.length) return op >= 0 ? op : this.graph.consumer(value);
		const at = backward.findIndex(step => step.op === op);
		return backward.length ? ops.length + Math.max(0, at) : -1;
	}
	showStart() {
		if (this.timer) play(this);
		(this.atStart = true), (this.step = 0), (this.cell = null), (this.held = false);
		modes.remove("holds", "explains");
		modes.add("at-start");
		($("start").hidden = false), ($("step").hidden = true);
		this.cards = [];
		this.start.draw();
	}

	showCards() {
		this.cards = cardsOf(this.step);
		const before = this.bench ? (this.bench.before = this.bench.cardsBefore(this.step)) : new Map();
		this.events = {
			look: (key, i) => this.look(key, i),
			point: (key, i, event) => this.point(key, i, event),
			choose: (key, i) => this.choose(key, i),
			enter: (key, i) => this.enter(key, i),
		};
		$("cards").replaceChildren(
			...this.cards.map(card =>
				cardOf(
					{ ...card, covered: this.predict.covered(card), before: before.get(card.key) },
					this.events,
				),
			),
		);
	}
	// The same step and cell with new numbers.
	refresh() {
		const { cell, held } = this,
			focused = document.activeElement.closest?.("#cards [data-i]"),
			at = focused && [focused.closest("[data-card]").dataset.card, focused.dataset.i],
			rises = document.activeElement.matches(".rise");
		if (this.atStart) return this.start.draw();
		this.showCards(), this.graph.show(this.step, this.predict.on, false);
		if (this.path.of) this.path.show(...this.path.of);
		if (!cell) return;
		const { key, i } = this.place;
		(this.cell = null), this.look(key, i, false);
		if (held) this.narrow();
		if (rises) document.querySelector("#why .rise")?.focus({ preventScroll: true });
		if (at) shownCell(...at)?.focus({ preventScroll: true });
	}
	hint() {
		modes.remove("explains");
		$("why").replaceChildren(make("p.note", word(this.predict.on ? "predictText" : "hover")));
	}

	card(key) {
		return this.cards.find(one => one.key === key);
	}
	get place() {
		const [key, i] = this.cell.split(" ");
		return { key, i: +i, card: this.card(key) };
	}
	// ---- A number's path, and the history
	showPath(value, i) {
		const cell = this.cell;
		if (this.atStart) this.go(0);
		this.path.show(value, i), (this.path.of = [value, i]);
		this.cell = cell;
		writeAddress(this, null, true);
	}
	shutPath() {
		(this.path.of = null), ($("path").hidden = true), modes.remove("on-path");
	}
	closePath() {
		this.shutPath(), writeAddress(this, null, true);
	}
	leaveTrail(cell) {
		const name = this.trail.at(-1);
		const here = {
			s: this.step,
			cell,
			text:
				title(
					ops[steps[this.step].op] ?? {
						number: "",
						op: nameShown(steps[this.step].value) + ".grad",
					},
				).replace(/^# /, "") +
				(steps[this.step].forward ? "" : " ∂") +
				(cell ? " " + cell : ""),
		};
		if (name?.s === here.s && name?.cell === here.cell) return;
		this.drawTrail([...this.trail.filter(one => one.text !== here.text), here].slice(-5));
	}
	drawTrail(trail) {
		this.trail = trail;
		$("trail").replaceChildren(
			...this.trail
				.slice(0, -1)
				.map(({ s, cell, text }) =>
					make("button", { onclick: () => this.follow(s, cell) }, clip(text, 26)),
				),
		);
	}

	cellInAddress() {
		return this.cell && decodeURIComponent(location.hash.match(/cell=([^&]*)/)?.[1] ?? "");
	}
	address(push = false) {
		writeAddress(this, this.cellInAddress() || null, push);
	}
	fromAddress() {
		const asked = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
		if (WORDS[asked.get("lang")] && asked.get("lang") !== language)
			(this.chosen = true), this.setLanguage(asked.get("lang")), this.graph.draw();
		const path = asked.get("path")?.split(".").map(Number),
			lesson = asked.get("lesson") - 1, // -1: none
			place = asked.get("step") || path;
		if (lesson >= 0 && lesson !== this.lesson.at) {
			if (!place) return this.lesson.start(lesson); // where it leads
			this.lesson.draw(lesson);
		}
		if (!place) return lesson < 0 && this.showStart();
		this.go((parseInt(asked.get("step"), 10) || 1) - 1, asked.get("cell"), false);
		if (this.cell) this.hold();
		if (path && backward.length && values[path[0]])
			this.path.show(...path), (this.path.of = path), writeAddress(this, null, false);
	}
	lookByName(text) {
		const found = cellCalled(text, this.cards);
		if (found) this.look(found.card.key, found.i);
	}
	find(text) {
		$("found").textContent = "";
		if (!text) return;
		const first = test => {
			const at = ops.findIndex(test);
			return at < 0 ? null : { step: at };
		};
		const called =
			first(op => title(op).toLowerCase() === text) ??
			resolve(text) ??
			first(op => op.op === text) ??
			first(op => title(op).toLowerCase().includes(text));
		if (!called || called.path || called.step < 0)
			return void ($("found").textContent = word("unknown"));
		called.cell
			? this.follow(called.step, called.cell)
			: this.go(called.step < ops.length ? this.graph.stepFor(called.step) : called.step);
	}

	present() {
		const on = modes.toggle("present");
		modes.remove("blank");
		$("present")?.setAttribute("aria-pressed", on), press("present-page", on);
	}

	// ---- Languages
	chosenLanguage() {
		const asked = new URLSearchParams(location.search).get("lang") ?? "";
		const found = [asked, ...navigator.languages]
			.map(tag => tag.slice(0, 2).toLowerCase())
			.find(tag => WORDS[tag]);
		return found ?? "en";
	}
	setLanguage(tag) {
		language = tag;
		(document.documentElement.lang = tag), ($("language").value = tag);
		for (const one of document.querySelectorAll("[data-word]"))
			one.textContent = word(one.dataset.word);
		for (const one of document.querySelectorAll("[data-title]"))
			(one.title = word(one.dataset.title)), one.setAttribute("aria-label", one.title);
		this.handout.show();
		$("search").placeholder = word("search");
		$("source").setAttribute("aria-label", word("source"));
		const notices = [
			tape.leftOut && word("leftOut", { m: ops.length, n: tape.leftOut }),
			ops.some(op => values[op.out].value === null) && word("keptNot"),
			tape.pass === "freed" ? word("freed") : !backward.length && word("noBackward"),
			tape.pass === "under way" && word("underWay", { n: backward.length }),
			typeof Engine === "function" &&
				notFollowed.length &&
				word("notFollowed", { ops: joinedFirst(notFollowed.map(title), ", ") }),
			tape.notLive && word("notLive", { why: tape.notLive }),
		].filter(Boolean);
		($("notice").textContent = notices.join(" ")), ($("notice").hidden = !notices.length);
	}
}
