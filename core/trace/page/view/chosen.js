// ---- The cell that is looked at or held, and where its number comes from ------------------------

Object.assign(Page.prototype, {
	// The pointer is over a cell; or its numbers are new, which scrolls nothing.
	look(key, i, scrolls = true) {
		const card = this.card(key);
		if (!card || this.predict.picked || this.cell === key + " " + i) return;
		this.cell = key + " " + i;
		pointAt(key, i);
		const covered = this.predict.covered(card).has(i);
		const { places } = explainCell(this.step, card, i);
		modes.add("explains");
		if (covered) this.predict.ask(card, i);
		else
			$("why").replaceChildren(
				make("button.let-go", { "aria-label": word("letGo"), onclick: () => this.unlook() }, "×"),
				...textsOf(this.step, card, i),
				...(this.bench?.moved(card, i) ?? []),
				make("p.links", ...this.links(card, i)),
			);
		markCells(covered ? new Map() : places, this.cell);
		if (scrolls) this.uncover();
		writeAddress(
			this,
			(card.name ?? card.key) +
				card.array.index(Math.max(0, i)).replaceAll(" ", "") +
				(i < 0 ? "~" + (-1 - i) : ""),
			false,
		);
	},
	// The answer sticks to the bottom of the window: the cell asked for moves up from under it.
	uncover() {
		const cell = document.querySelector("#cards td.looked, #cards .chosen canvas");
		const under =
			cell && cell.getBoundingClientRect().bottom + 6 - $("why").getBoundingClientRect().top;
		if (under > 0) scrollBy(0, under);
	},
	// By the pointer; ignored if a click holds another cell, or if the page moved and not the
	// pointer.
	point(key, i, { screenX, screenY }) {
		const rests = this.pointer === screenX + " " + screenY;
		this.pointer = screenX + " " + screenY;
		if (!this.held && !rests) this.look(key, i);
	},
	choose(key, i) {
		if (this.predict.picked) return this.predict.choosePicked(key, i);
		this.look(key, i);
		if (!this.predict.covered(this.card(key)).has(i)) this.hold();
	},
	// Folds cards that the number does not come from, so that the others fit on the screen.
	hold() {
		this.held = true;
		modes.add("holds");
		this.narrow();
		this.bench?.hold(this.place.card, this.place.i);
		for (const one of document.querySelectorAll("#cards td.marked, #cards td.looked")) {
			const box = one.closest(".scroll");
			(box.scrollLeft = Math.max(0, one.offsetLeft - box.clientWidth / 2)),
				(box.scrollTop = Math.max(0, one.offsetTop - box.clientHeight / 2));
		}
		(modes.contains("present") ? $("why") : $("step")).scrollIntoView?.({
			block: "start",
		});
		this.uncover();
	},
	// Scrolls tensors too large for the screen to the rows and columns that the selected number
	// comes from.
	narrow() {
		const { key, i, card: chosen } = this.place,
			{ places } = explainCell(this.step, chosen, i),
			small = innerWidth <= 820;
		for (const card of this.cards) {
			const cells = [...(places.get(card.key) ?? []), ...(card === chosen ? [i] : [])].filter(
				cell => cell >= 0,
			);
			if (
				!card.array ||
				!cells.length ||
				(fitsTable(card.array) && !(small && card.array.columns > 2))
			)
				continue;
			const near = (list, n) =>
				[...new Set(list.flatMap(k => (small || new Set(list).size > 3 ? [k] : [k - 1, k, k + 1])))]
					.filter(k => k >= 0 && k < n)
					.sort((a, b) => a - b)
					.slice(0, MOST_TERMS);
			const rows = near(
					cells.map(cell => Math.floor(cell / card.array.columns)),
					card.array.rows,
				),
				columns = near(
					cells.map(cell => cell % card.array.columns),
					card.array.columns,
				);
			shownCard(card.key, ".scroll").replaceWith(
				table(
					{ ...card, covered: new Set(), before: this.bench?.before.get(card.key) },
					rows,
					columns,
					this.events,
					"card-" + card.key.replace(/\W/g, "_"),
				),
			);
		}
		pointAt(key, i), markCells(places, this.cell);
	},
	follow(s, cell) {
		// and keep it: the pointer is over another one now
		this.go(s, cell);
		if (this.cell !== null) this.hold();
	},
	enter(key, i) {
		const to = this.predict.on ? null : madeAt(this.step, this.card(key), i);
		if (!to) return this.choose(key, i);
		this.follow(...to);
		if (this.cell) shownCell(this.place.key, this.place.i)?.focus({ preventScroll: true });
	},
	unlook() {
		if (this.held) this.showCards();
		(this.cell = null), (this.held = false), (this.predict.picked = null);
		modes.remove("holds");
		pointAt("", -1), markCells(new Map()), this.hint(), writeAddress(this, null, false);
	},

	links(card, i) {
		const to = madeAt(this.step, card, i),
			links = [];
		if (to)
			links.push(
				make(
					"button.follow",
					{ onclick: () => this.follow(...to) },
					word("follow") +
						": " +
						word(steps[to[0]].forward ? "forward" : "backward") +
						" " +
						title(ops[steps[to[0]].op]),
				),
			);
		if (
			card.slope &&
			!card.so &&
			i >= 0 &&
			card.value !== undefined &&
			backward.length &&
			pathFrom(card.value, i).path.length
		)
			links.push(
				make("button.to-loss", { onclick: () => this.showPath(card.value, i) }, word("pathButton")),
			);
		const cell = this.bench?.ofCard(card, i);
		if (cell)
			links.push(
				...this.bench.riseButton(cell),
				make("button.to-bench", { onclick: () => $("bench").scrollIntoView() }, word("bench")),
			);
		return links;
	},
});
