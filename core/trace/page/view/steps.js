// ---- The step and the number on show, and the events that change them

// The step's cards, as long as their numbers are on show.
const shownCards = (() => {
	let of = [],
		cards = [];
	return () => {
		if (state.step === null) return [];
		const now = [state.step, run, language];
		if (now.some((one, k) => one !== of[k])) {
			of = now;
			cards = cardsOf(state.step);
		}
		return cards;
	};
})();
const cardCalled = key => shownCards().find(one => one.key === key);
const isCovered = ({ key, i }) => coveredCells(cardCalled(key), state).has(i);
const sameCell = (a, b) => a?.key === b?.key && a?.i === b?.i;

// The number of a card's cell, if the user may change it: {value, i}.
function numberOf(card, i) {
	return card?.array &&
		card.value !== undefined &&
		i >= 0 &&
		product(card.array.shape) === product(values[card.value].shape) &&
		bench.given(card.value)
		? { value: card.value, i }
		: null;
}
const isShown = (card, value) => card.value === value && card.array && card.array === numbers(values[value].value);

function go(to, cell = null, pushes = true) {
	if (!steps.length) return;
	const step = Math.max(0, Math.min(steps.length - 1, to)),
		found = cell && cellCalled(cell, cardsOf(step)),
		opens = groupsOver(steps[step].op).filter(group => !state.opened.has(group));
	change(
		{
			step,
			cell: found ? { key: found.card.key, i: found.i } : null,
			wanted: found && (found.i >= 0 || cell.includes("~")) ? null : cell,
			held: null,
			path: null,
			opened: opens.length ? new Set([...state.opened, ...opens]) : state.opened,
		},
		pushes && step !== state.step,
	);
	if (found) uncover();
}
// Holds the cell too, since the pointer is now over another one.
function follow(step, cell) {
	go(step, cell);
	if (state.cell) hold();
}
function showStart(pushes = false) {
	change({ step: null, cell: null, wanted: null, held: null, path: null, plays: false }, pushes);
}
// The step of the same op in the other direction.
function turned(step) {
	const { op, value } = steps[step];
	if (step >= ops.length) return op >= 0 ? op : firstUser(value);
	const at = backward.findIndex(one => one.op === op);
	return backward.length ? ops.length + Math.max(0, at) : -1;
}
// Its step in the direction on show.
function stepFor(i) {
	const at = state.step >= ops.length ? backward.findIndex(step => step.op === i) : -1;
	return at < 0 ? i : ops.length + at;
}
const firstUser = value => ops.findIndex(op => op.in.includes(value));

// The pointer or the focus is on a cell.
function look(key, i) {
	if (!cardCalled(key) || sameCell(state.cell, { key, i })) return;
	change({ cell: { key, i }, wanted: null });
	uncover();
}
// By the pointer; ignored if a click holds another cell, or if the page moved and not the pointer.
let pointer = "";
function point(key, i, { screenX, screenY }) {
	const rests = pointer === screenX + " " + screenY;
	pointer = screenX + " " + screenY;
	if (!state.held && !rests) look(key, i);
}
function chooseCell(key, i) {
	look(key, i);
	if (!isCovered({ key, i })) hold();
}
// Goes to where the number was computed.
function enterCell(key, i) {
	const to = state.predicts ? null : madeAt(state.step, cardCalled(key), i);
	if (!to) return chooseCell(key, i);
	follow(...to);
	if (state.cell) shownCell(state.cell.key, state.cell.i)?.focus({ preventScroll: true });
}
// Folds the cards that the number does not depend on: the others then fit on the screen.
function hold() {
	const { cell } = state;
	change({ held: cell });
	bench?.hold(cardCalled(cell.key), cell.i);
	for (const one of $$("#cards td.marked, #cards td.looked")) {
		const box = one.closest(".scroll");
		box.scrollLeft = Math.max(0, one.offsetLeft - box.clientWidth / 2);
		box.scrollTop = Math.max(0, one.offsetTop - box.clientHeight / 2);
	}
	$(state.presents ? "why" : "step").scrollIntoView?.({ block: "start" });
	uncover();
}
// The address's number, now that it may be there.
function lookWanted() {
	const found = cellCalled(state.wanted, shownCards());
	if (!found) return;
	change({ cell: { key: found.card.key, i: found.i }, wanted: null });
	hold();
}
function letGo() {
	change({ cell: null, wanted: null, held: null });
}
// The answer sticks to the bottom of the window: the cell asked for moves up from under it.
function uncover() {
	const cell = document.querySelector("#cards td.looked, #cards .chosen canvas");
	const under = cell && rectOf(cell).bottom + 6 - rectOf($("why")).top;
	if (under > 0) scrollBy(0, under);
}
