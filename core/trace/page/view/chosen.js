// ---- The number that is looked at or held, and where it comes from

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

function drawCards(cards) {
	const before = bench?.cardsBefore(state.step) ?? new Map(),
		near = nearHeld(state);
	$("cards").replaceChildren(
		...cards.map(card =>
			cardOf({
				...card,
				covered: coveredCells(card, state),
				before: before.get(card.key),
				near: near[card.key],
			}),
		),
	);
}
// Tensors too large for the screen show the rows and columns that the held number comes from.
function nearHeld({ step, held }) {
	const near = {};
	if (!held) return near;
	const { places } = explainCell(step, cardCalled(held.key), held.i),
		small = innerWidth <= 820;
	for (const { key, array } of shownCards()) {
		const cells = [...(places.get(key) ?? []), ...(key === held.key ? [held.i] : [])].filter(
			cell => cell >= 0,
		);
		if (!array || !cells.length || (fitsTable(array) && !(small && array.columns > 2))) continue;
		const some = (list, n) =>
			[...new Set(list.flatMap(k => (small || new Set(list).size > 3 ? [k] : [k - 1, k, k + 1])))]
				.filter(k => k >= 0 && k < n)
				.sort((a, b) => a - b)
				.slice(0, MOST_TERMS);
		near[key] = {
			rows: some(
				cells.map(cell => Math.floor(cell / array.columns)),
				array.rows,
			),
			columns: some(
				cells.map(cell => cell % array.columns),
				array.columns,
			),
		};
	}
	return near;
}
function drawMarks({ step, cell }) {
	for (const td of $$("#cards td.looked")) td.classList.remove("looked");
	if (cell) shownCard(cell.key, `td[data-i="${cell.i}"]`)?.classList.add("looked");
	const comesFrom = () =>
		cell && !isCovered(cell) ? explainCell(step, cardCalled(cell.key), cell.i).places : new Map();
	markCells(comesFrom(), cell);
}

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

function drawWhy(cards, cell) {
	const card = cell && cardCalled(cell.key),
		why = $("why");
	if (!card)
		return why.replaceChildren(make("p.note", word(state.predicts ? "predictText" : "hover")));
	if (isCovered(cell))
		return why.replaceChildren(
			state.predicts ? askAbout(card, cell.i) : make("p.note", word("answerFirst")),
		);
	why.replaceChildren(
		...toldOf(state),
		make("button.let-go", { "aria-label": word("letGo"), onclick: letGo }, "×"),
		...textsOf(state.step, card, cell.i),
		...(bench?.moved(card, cell.i) ?? []),
		make("p.links", ...linksOf(card, cell.i)),
	);
}
function linksOf(card, i) {
	const to = madeAt(state.step, card, i),
		links = [];
	if (to) {
		const { forward, op } = steps[to[0]],
			text = `${word("follow")}: ${word(forward ? "forward" : "backward")} ${title(ops[op])}`;
		links.push(make("button.follow", { onclick: () => follow(...to) }, text));
	}
	const asked = card.slope && !card.so && i >= 0 && card.value !== undefined && backward.length;
	if (asked && pathFrom(card.value, i).path.length)
		links.push(
			make("button.to-loss", { onclick: () => openPath(card.value, i) }, word("pathButton")),
		);
	const cell = bench && numberOf(card, i);
	if (cell)
		links.push(
			...riseButton(cell),
			make("button.to-bench", { onclick: () => $("bench").scrollIntoView() }, word("bench")),
		);
	return links;
}
