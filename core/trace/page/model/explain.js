// ---- What a number is, and where it was computed

// "dB" of a card labelled "dB = ∂loss/∂w1".
const labelOf = card => card.label.split(" = ")[0];

// What is known of cell i of a card: its sum in letters and in numbers, sentences, and the cells that
// it comes from, {card key: [cell]}.
function explainCell(s, card, i) {
	const step = steps[s],
		array = card.array,
		name = labelOf(card) + array.place(i),
		places = new Map();
	let names = "";
	const mark = (key, j) => {
		const set = places.get(key) ?? [];
		set.push(j);
		places.set(key, set);
	};
	const recorded = array.at(i);
	let line = `${name} = ${show(recorded)}`;
	const notes = [];
	if (i < 0) {
		line = `${name}, ${word("largest")} = ${show(recorded)}`;
		notes.push(word("block", { n: array.blockSize(-1 - i) }));
	}
	if ((card.parts || card.target === "leaf") && i >= 0) {
		const from =
			card.parts ?? [values[step.value].grad !== null ? "earlier" : null, "dY"].filter(Boolean);
		const found = from.map(key => cardsOf(s).find(other => other.key === key)).filter(Boolean);
		if (found.length) names = found.map(other => labelOf(other) + array.place(i)).join(" + ");
		line = `${name} = ${joined(found.map(other => show(other.array.at(i))))}${found.length > 1 ? " = " + show(recorded) : ""}`;
		found.forEach(other => mark(other.key, i));
	} else if (card.target !== undefined && i >= 0) {
		const why = whyCell(step, card.target, i, recorded);
		if (why.missing)
			notes.push(
				why.changed.length ? word("changedSum", { c: why.changed.join(", ") }) : word("left"),
			);
		else if (why.none)
			notes.push(
				word("noRule", { f: card.target === "Y" ? ops[step.op].forward : ops[step.op].gradient }),
			);
		else {
			for (const [key, j] of why.refs) mark(key, j);
			if (why.apart) notes.push(word("apart_", { s: show(why.sum, 9), r: show(recorded, 9) }));
			else {
				line = `${name} = ${why.text === show(recorded) ? "" : why.text + " = "}${show(recorded)}`;
				names = why.names ?? "";
				if (why.note) notes.push(why.note);
				if (why.count <= MOST_TERMS && show(why.sum) !== show(recorded))
					notes.push(word("sums", { s: show(why.sum, 9), r: show(recorded, 9), bits: bitsOf() }));
			}
		}
	}
	const by =
		typeof Engine === "function" &&
		(asRecorded.get(card.value) ??
			(array && (card.isGradient || card.slope || typeof card.target === "number")
				? asRecorded.get(backward[0].value)
				: null));
	if (by) notes.push(word("held", { op: title(by) }));
	return {
		names: names && `${name} = ${names}`,
		sum: line,
		meaning: meaningOf(s, card, i),
		notes,
		places,
	};
}

// The step and cell at which a number of a step's card was computed. This step's own contribution
// comes from one number of dY, or from several.
function madeAt(s, card, i) {
	if (card.value === undefined || i < 0) return null;
	const made = values[card.value].op,
		place = card.array.index(i).replaceAll(" ", ""),
		before = card.key.endsWith("-before");
	if (!card.result && card.key !== "dY" && made >= 0 && !before)
		return [made, nameOf(card.value) + place];
	if (typeof card.target === "number") {
		const from = [...new Set(explainCell(s, card, i).places.get("dY") ?? [])],
			dY = cardsOf(s).find(({ key }) => key === "dY");
		return from.length === 1 ? madeAt(s, dY, from[0]) : null;
	}
	if (card.key !== "dY" && card.key !== "total" && !before) return null;
	const last = (gradients.get(card.value) ?? [])
		.filter(add => ops.length + add.at < s && !add.leaf && add.at >= 0)
		.at(-1);
	return last ? [ops.length + last.at, nameOf(card.value) + ".grad" + place] : null;
}
