// ---- For print: the steps that were kept, or this one -------------------------------------------

class Handout {
	constructor(page) {
		(this.page = page), (this.pinned = new Set()), (this.heldAt = new Map());
	}

	// With the sum of the selected cell. Afterwards the page stands where it stood.
	write() {
		const { page } = this,
			{ step: here, atStart, held, trail } = page,
			path = page.path.of,
			cell = page.cell && page.place,
			pages = [];
		const chosen = this.pinned.size
			? [...this.pinned].sort((a, b) => a - b)
			: atStart
				? []
				: [here];
		const copyOf = shown => {
			const copy = shown.cloneNode(true);
			copy.querySelectorAll("[id]").forEach(one => one.classList.add("printed-" + one.id));
			copy.querySelectorAll("[id]").forEach(one => one.removeAttribute("id"));
			return copy;
		};
		if (!chosen.length) pages.push(copyOf($("start")));
		for (const s of chosen) {
			if (s !== page.step || page.atStart) page.go(s, this.heldAt.get(s) ?? null, false);
			const copy = copyOf($("step"));
			copy
				.querySelectorAll("canvas")
				.forEach((one, i) =>
					one.getContext("2d").drawImage($("step").querySelectorAll("canvas")[i], 0, 0),
				);
			pages.push(copy);
		}
		$("handout").replaceChildren(...pages);
		if (!this.pinned.size) return;
		if (atStart) page.showStart(), writeAddress(page, null, false);
		else page.go(here, null, false);
		page.drawTrail(trail);
		if (cell) page.look(cell.key, cell.i);
		if (held) page.hold();
		if (path) page.showPath(...path);
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
