// ---- The step's cards, and where the number comes from that is looked at or held

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
		const cells = [...(places.get(key) ?? []), ...(key === held.key ? [held.i] : [])].filter(cell => cell >= 0);
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

function drawWhy(cards, cell) {
	const card = cell && cardCalled(cell.key),
		why = $("why");
	if (!card) return why.replaceChildren(make("p.note", word(state.predicts ? "predictText" : "hover")));
	if (isCovered(cell))
		return why.replaceChildren(state.predicts ? askAbout(card, cell.i) : make("p.note", word("answerFirst")));
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
		links.push(make("button.to-loss", { onclick: () => openPath(card.value, i) }, word("pathButton")));
	const cell = bench && numberOf(card, i);
	if (cell)
		links.push(
			...riseButton(cell),
			make("button.to-bench", { onclick: () => $("bench").scrollIntoView() }, word("bench")),
		);
	return links;
}
