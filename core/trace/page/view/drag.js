// ---- Cells as handles: a cell's number is selected, dragged, or typed over ----------------------

Object.assign(Bench.prototype, {
	ofCard(card, i) {
		return card?.array &&
			card.value !== undefined &&
			i >= 0 &&
			product(card.array.shape) === product(values[card.value].shape) &&
			this.given(card.value)
			? { value: card.value, i }
			: null;
	},
	isShown(card, value) {
		return card.value === value && card.array && card.array === numbers(values[value].value);
	},
	hold(card, i) {
		const cell = this.ofCard(card, i);
		if (cell && (cell.value !== this.touched?.value || i !== this.touched.i))
			this.choose(cell.value, i);
	},

	// Dragging sideways over a cell: 200 pixels are half of the slider.
	grab(event) {
		const td = event.target.closest?.("td[data-i]"),
			key = td?.closest("[data-card]").dataset.card;
		const card = this.page.card(key),
			cell = this.ofCard(card, +td?.dataset.i);
		if (!cell || event.button || event.pointerType === "touch" || !this.isShown(card, cell.value))
			return;
		const from = event.clientX,
			x = this.given(cell.value)[cell.i],
			begin = Number.isFinite(x) ? x : 0,
			sum = this.page.held && td.matches(".marked") && this.page.place; // which stays
		let moved = false;
		const move = ({ clientX, buttons }) => {
			if (!buttons) return stop();
			if (!moved && Math.abs(clientX - from) < 4) return;
			if (!moved) {
				(moved = true), modes.add("drags");
				if (sum) {
					document.activeElement.blur(); // else it is looked at again
					this.page.look(sum.key, sum.i), this.choose(cell.value, cell.i);
				} else this.page.choose(key, cell.i);
			}
			if (!this.touches(cell)) return stop(); // while predicting, cells answer
			const { from: low, to: high } = this.touched;
			this.set(Math.fround(begin + ((clientX - from) / 400) * (high - low)));
		};
		const swallow = event => event.stopPropagation();
		const stop = () => {
			if (moved) addEventListener("click", swallow, true); // the drag's own
			setTimeout(() => removeEventListener("click", swallow, true));
			document.removeEventListener("pointermove", move),
				document.removeEventListener("pointerup", stop),
				modes.remove("drags");
		};
		document.addEventListener("pointermove", move), document.addEventListener("pointerup", stop);
	},
	// Typing a digit on a cell opens its input.
	type(event) {
		const td = event.target.closest?.("td[data-i]");
		if (!td || !/^[-−.\d]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey)
			return;
		const key = td.closest("[data-card]").dataset.card,
			cell = this.ofCard(this.page.card(key), +td.dataset.i);
		if (!cell) return;
		event.preventDefault();
		this.page.choose(key, cell.i);
		if (!this.touches(cell)) return;
		const box = $("touch-number");
		(box.value = event.key), box.focus(), this.set(Number(event.key));
	},
});
