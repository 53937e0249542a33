// ---- What a number is, and where it was computed

// "dB" of a card labelled "dB = ∂loss/∂w1".
const labelOf = card => card.label.split(" = ")[0];

// What is said of cell i of a card: its sum in letters and in numbers, sentences, and the cells that it
// comes from, {card key: [cell]}.
function explainCell(s, card, i) {
	const name = labelOf(card) + card.array.place(i),
		isTotal = card.parts || card.target === "leaf",
		said = i < 0 ? blockSaid : isTotal ? totalSaid : card.target === undefined ? plainly : ruleSaid,
		{ names, sum, notes = [], refs = [] } = said(s, card, i, name),
		places = new Map(),
		read = isLive && readBy(card.value);
	for (const [key, cell] of refs) push(places, key, cell);
	return {
		names: names && `${name} = ${names}`,
		sum: `${name}${sum}`,
		meaning: meaningOf(s, card, i),
		notes: read ? [...notes, read] : notes,
		places,
	};
}
const plainly = (s, { array }, i) => ({ sum: ` = ${show(array.at(i))}` });
// A block shows its most outstanding number.
const blockSaid = (s, { array }, i) => ({
	sum: `, ${word("largest")} = ${show(array.at(i))}`,
	notes: [word("block", { n: array.blockSize(-1 - i) })],
});
// A total is the sum of other cards' numbers at its place.
function totalSaid(s, { array, parts }, i) {
	const keys = parts ?? [values[steps[s].value].grad !== null ? "earlier" : null, "dY"],
		cards = cardsOf(s),
		found = keys.map(key => cards.find(other => other.key === key)).filter(Boolean),
		x = array.at(i),
		{ text, sign } = truly(x, () => ({ text: joined(found.map(one => show(one.array.at(i)))) }));
	return {
		names: found.map(other => labelOf(other) + array.place(i)).join(" + "),
		sum: ` = ${text}${found.length > 1 ? ` ${sign} ${show(x)}` : ""}`,
		refs: found.map(({ key }) => [key, i]),
	};
}
// What an op computed is explained by its rule.
function ruleSaid(s, { array, target }, i) {
	const step = steps[s],
		recorded = array.at(i),
		shown = show(recorded),
		why = truly(recorded, () => whyCell(step, target, i, recorded)),
		only = (key, with_, refs) => ({ sum: " = " + shown, notes: [word(key, with_)], refs });
	if (why.missing) return why.changed.length ? only("changedSum", { c: why.changed.join(", ") }) : only("left");
	if (why.none) return only("noRule", { f: ops[step.op][target === "Y" ? "forward" : "gradient"] });
	if (why.apart) return only("apart_", { s: show(why.sum, 9), r: show(recorded, 9) }, why.refs);
	const rounded = why.count <= MOST_TERMS && show(why.sum) !== shown,
		sums = { s: show(why.sum, 9), r: show(recorded, 9), bits: bitsOf() };
	return {
		names: why.names,
		sum: why.text === shown ? " = " + shown : ` = ${why.text} ${why.sign} ${shown}`,
		notes: [why.note, rounded && word("sums", sums)].filter(Boolean),
		refs: why.refs,
	};
}

// The step and cell at which a number of a step's card was computed. This step's own contribution
// comes from one number of dY, or from several.
function madeAt(s, card, i) {
	if (card.value === undefined || i < 0) return null;
	const made = values[card.value].op,
		place = card.array.index(i).replaceAll(" ", ""),
		before = card.key.endsWith("-before");
	if (!card.result && card.key !== "dY" && made >= 0 && !before) return [made, nameOf(card.value) + place];
	if (typeof card.target === "number") {
		const from = [...new Set(explainCell(s, card, i).places.get("dY") ?? [])],
			dY = cardsOf(s).find(({ key }) => key === "dY");
		return from.length === 1 ? madeAt(s, dY, from[0]) : null;
	}
	if (card.key !== "dY" && card.key !== "total" && !before) return null;
	const last = partsOf(card.value)
		.filter(add => ops.length + add.at < s)
		.at(-1);
	return last ? [ops.length + last.at, nameOf(card.value) + ".grad" + place] : null;
}
