// ---- Cells as handles: a cell's number is selected, dragged, or typed over

// Dragging sideways over a cell: 200 pixels are half of the slider.
function grab(event) {
	const td = event.target.closest?.("td[data-i]"),
		key = td?.closest("[data-card]").dataset.card;
	const card = cardCalled(key),
		cell = numberOf(card, +td?.dataset.i);
	if (!cell || event.button || event.pointerType === "touch" || !isShown(card, cell.value)) return;
	const from = event.clientX,
		x = bench.given(cell.value)[cell.i],
		begin = Number.isFinite(x) ? x : 0,
		sum = state.held && td.matches(".marked") && state.cell; // which stays
	let moved = false;
	const move = ({ clientX, buttons }) => {
		if (!buttons) return stop();
		if (!moved && Math.abs(clientX - from) < 4) return;
		if (!moved) {
			moved = true;
			change({ drags: true });
			if (sum) {
				document.activeElement.blur(); // else it is looked at again
				look(sum.key, sum.i);
				bench.choose(cell.value, cell.i);
			} else chooseCell(key, cell.i);
		}
		if (!bench.touches(cell)) return stop(); // while predicting, cells answer
		const { from: low, to: high } = state.touched;
		bench.set(Math.fround(begin + ((clientX - from) / 400) * (high - low)));
	};
	const swallow = event => event.stopPropagation();
	const stop = () => {
		if (moved) addEventListener("click", swallow, true); // the drag's own
		setTimeout(() => removeEventListener("click", swallow, true));
		document.removeEventListener("pointermove", move);
		document.removeEventListener("pointerup", stop);
		change({ drags: false });
	};
	document.addEventListener("pointermove", move);
	document.addEventListener("pointerup", stop);
}
// Typing a digit on a cell opens its input.
function typeOver(event) {
	const td = event.target.closest?.("td[data-i]");
	if (!td || !/^[-−.\d]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
	const key = td.closest("[data-card]").dataset.card,
		cell = numberOf(cardCalled(key), +td.dataset.i);
	if (!cell) return;
	event.preventDefault();
	chooseCell(key, cell.i);
	if (!bench.touches(cell)) return;
	const box = $("touch-number");
	box.value = event.key;
	box.focus();
	bench.typed(event.key);
}
