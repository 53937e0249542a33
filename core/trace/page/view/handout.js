// ---- For print: the steps that were kept, or this one

// Each step has the sum of its selected cell. Afterwards the page shows the same step as before.
function writeHandout() {
	const before = { ...state },
		{ step, pinned } = before,
		now = step === null ? [] : [step],
		chosen = pinned.size ? [...pinned.keys()].sort((a, b) => a - b) : now,
		pages = chosen.length ? [] : [copyOf($("start"))];
	for (const s of chosen) {
		if (s !== step) {
			const found = pinned.get(s) && cellCalled(pinned.get(s), cardsOf(s)),
				cell = found ? { key: found.card.key, i: found.i } : null;
			Object.assign(state, { step: s, cell, held: null, path: null, picked: null });
		}
		render();
		pages.push(copyOf($("step")));
		Object.assign(state, before);
	}
	$("handout").replaceChildren(...pages);
	render();
}
function copyOf(shown) {
	const copy = shown.cloneNode(true),
		canvases = shown.querySelectorAll("canvas");
	for (const one of copy.querySelectorAll("[id]")) {
		one.classList.add("printed-" + one.id);
		one.removeAttribute("id");
	}
	copy
		.querySelectorAll("canvas")
		.forEach((one, i) => one.getContext("2d").drawImage(canvases[i], 0, 0));
	return copy;
}
function pin() {
	const { step, cell } = state,
		pinned = new Map(state.pinned);
	if (!pinned.delete(step ?? 0))
		pinned.set(step ?? 0, cell && cellName(cardCalled(cell.key), cell.i));
	change({ pinned });
}
