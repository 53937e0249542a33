// ---- For print: the steps that were kept, or this one -------------------------------------------

class Handout {
	constructor(page) {
		(this.page = page), (this.pinned = new Set()), (this.heldAt = new Map());
	}

	// With the sum of the selected cell.
	write() {
		const { page } = this,
			here = page.step,
			cell = page.cell && page.place,
			pages = [];
		const atStart = !this.pinned.size && modes.contains("at-start");
		const chosen = atStart
			? []
			: this.pinned.size
				? [...this.pinned].sort((a, b) => a - b)
				: [here];
		const copyOf = shown => {
			const copy = shown.cloneNode(true);
			copy.querySelectorAll("[id]").forEach(one => one.classList.add("printed-" + one.id));
			copy.querySelectorAll("[id]").forEach(one => one.removeAttribute("id"));
			return copy;
		};
		if (atStart) pages.push(copyOf($("start")));
		for (const s of chosen) {
			if (s !== here) page.go(s, this.heldAt.get(s) ?? null, false);
			const copy = copyOf($("step"));
			copy
				.querySelectorAll("canvas")
				.forEach((one, i) =>
					one.getContext("2d").drawImage($("step").querySelectorAll("canvas")[i], 0, 0),
				);
			pages.push(copy);
		}
		$("handout").replaceChildren(...pages);
		if (page.step !== here) page.go(here, null, false), cell && page.look(cell.key, cell.i);
	}
	keep() {
		const { step } = this.page;
		this.pinned.has(step)
			? this.pinned.delete(step)
			: (this.pinned.add(step), this.heldAt.set(step, this.page.cellInAddress()));
		this.show();
	}
	show() {
		press("pin", this.pinned.has(this.page.step));
		$("pin").textContent = word("pin") + (this.pinned.size ? ` (${this.pinned.size})` : "");
	}
}
