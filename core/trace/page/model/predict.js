// ---- What a learner predicts

const placeIn = (step, { key }, i) => step + " " + key + " " + i;
// The cells of a step's card that wait for a prediction, or for the answer to a lesson's question.
function coveredCells(card, { step, predicts, revealed, asked }) {
	const cells = new Set();
	for (const to of card?.array ? asked.map(resolve).filter(to => to?.cell) : []) {
		const own = to.step === step || to.cell.startsWith(card.name + "["),
			found = own && cellCalled(to.cell, to.step === step ? cardsOf(step) : [card]);
		if (!found || found.card.key !== card.key) continue;
		const at = i => card.array.at(i); // equal numbers beside it would tell
		for (const i of card.array.cells) if (alike(at(i), at(found.i))) cells.add(i);
	}
	if (!predicts || !card?.result || !card.array) return cells;
	for (const i of card.array.cells) if (!revealed.has(placeIn(step, card, i))) cells.add(i);
	return cells;
}
// Within 2 % is right.
const isRight = (x, right) =>
	alike(x, right) || (Number.isFinite(right) && Math.abs(x - right) <= 0.02 * Math.abs(right));
