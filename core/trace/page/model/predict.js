// ---- What a learner predicts

const placeIn = (step, { key }, i) => step + " " + key + " " + i;
// The cells of a step's card that wait for a prediction.
function coveredCells(card, { step, predicts, revealed }) {
	const cells = new Set();
	if (!predicts || !card?.result || !card.array) return cells;
	for (const i of card.array.cells) if (!revealed.has(placeIn(step, card, i))) cells.add(i);
	return cells;
}
// Within 2 % is right.
const isRight = (x, right) =>
	alike(x, right) || (Number.isFinite(right) && Math.abs(x - right) <= 0.02 * Math.abs(right));
// Whether these are the cells, {card key: [cell]}, that cell i of a card comes from.
function feeds(places, step, card, i) {
	const shown = new Set(cardsOf(step).map(({ key }) => key)),
		all = map =>
			[...map]
				.filter(([key]) => shown.has(key))
				.flatMap(([key, cells]) => [...new Set(cells)].map(cell => key + " " + cell))
				.sort()
				.join();
	return all(places) === all(explainCell(step, card, i).places);
}
