// ---- Predict, then reveal -----------------------------------------------------------------------

class Predict {
	constructor(page) {
		this.page = page;
		this.on = false;
		this.revealed = new Set();
		this.picked = null;
		this.score = { k: 0, n: 0 };
	}

	// Hides a live page's bench, which would reveal the loss and the slope.
	toggle() {
		this.on = modes.toggle("predicts");
		this.revealed.clear();
		this.picked = null;
	}
	place(card, i) {
		return this.page.step + " " + card.key + " " + i;
	}

	// The covered cells of a card.
	covered(card) {
		const cells = new Set();
		if (!this.on || !card.result || !card.array) return cells;
		for (const i of card.array.cells) if (!this.revealed.has(this.place(card, i))) cells.add(i);
		return cells;
	}

	// The question about a covered cell.
	ask(card, i) {
		const name = labelOf(card) + card.array.place(i),
			right = card.array.at(i);
		const answer = ok => this.reveal(card, i, ok),
			button = (key, onclick) => make("button", { type: "button", onclick }, word(key));
		const value = make("input", {
			type: "text",
			inputmode: "decimal",
			size: 9,
			"aria-label": word("or"),
		});
		const close = x =>
			alike(x, right) || (Number.isFinite(right) && Math.abs(x - right) <= 0.02 * Math.abs(right));
		const form = make(
			"form.ask",
			{
				onsubmit: event => {
					event.preventDefault();
					answer(close(numberIn(value.value)));
				},
			},
			make("b", word("ask", { c: name })),
			button("negative", () => answer(right < 0)),
			button("zero", () => answer(right === 0)),
			button("positive", () => answer(right > 0)),
			make("label", word("or") + " ", value),
			make("button", word("answer")),
			button("feed", () => this.pick(card, i)),
			button("show", () => answer(null)),
		);
		$("why").replaceChildren(form);
	}

	// The learner selects the cells that this one comes from.
	pick(card, i) {
		this.picked = { card, i, places: new Map() };
		const name = labelOf(card) + card.array.place(i);
		$("why").replaceChildren(
			make("p", word("feedText", { c: name })),
			make("button", { onclick: () => this.checkPicked() }, word("answer")),
		);
	}
	choosePicked(key, i) {
		const cells = new Set(this.picked.places.get(key) ?? []);
		cells.has(i) ? cells.delete(i) : cells.add(i);
		this.picked.places.set(key, [...cells]);
		markCells(this.picked.places);
	}
	checkPicked() {
		const { card, i, places } = this.picked;
		const all = map =>
			[...map]
				.flatMap(([key, cells]) => [...new Set(cells)].map(cell => key + " " + cell))
				.sort()
				.join();
		const shown = new Set(cardsOf(this.page.step).map(other => other.key));
		const right = new Map(
			[...explainCell(this.page.step, card, i).places].filter(([key]) => shown.has(key)),
		);
		this.picked = null;
		this.reveal(card, i, all(places) === all(right));
	}

	reveal(card, i, ok) {
		this.revealed.add(this.place(card, i));
		this.page.showCards();
		this.page.cell = null;
		this.page.look(card.key, i);
		if (ok !== null) {
			(this.score.k += ok), ++this.score.n;
			$("why").prepend(
				make(
					"p",
					{ class: ok ? "right" : "wrong" },
					(ok ? "✓ " : "✗ ") + word(ok ? "right" : "wrong") + " " + word("score", this.score),
				),
			);
		}
		shownCell(card.key, i)?.focus({ preventScroll: true });
	}
}
