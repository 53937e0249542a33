// ---- Names of places: the meaning of a link, a search or a lesson's target

// "w1[2, 3]" -> {name: "w1", index: [2, 3]}; without an index, index is null.
function parseCell(text) {
	const found = text.trim().match(/^(.*?)(?:\[([\d,\s]*)\])?$/s),
		inner = found[2]?.trim();
	return {
		name: found[1].trim(),
		index: found[2] === undefined ? null : inner ? inner.split(",").map(Number) : [],
	};
}
// w, else W.
function valueCalled(name) {
	const first = like => values.findIndex((_, i) => [nameOf(i), nameShown(i)].some(one => like(one) === like(name))),
		exactly = first(one => one);
	return exactly < 0 ? first(one => one.toLowerCase()) : exactly;
}

// A name's step and cell: "#6", "#6 backward dB[1, 3]", "w1", "w1[2, 3]",
// "w1.grad", "sum w1.grad[2, 3]" (in the leaf's own step), "loss", "ask", "path w1[2, 3]".
function resolve(text) {
	text = text.trim();
	const question = / ?ask$/.test(text) && askedNumber();
	if (text === "ask") return question && { step: question.to[0], cell: question.to[1] };
	if (text === "path ask") return question && { path: [question.value, question.i] };
	if (text === "loss" && valueCalled("loss") < 0) return { step: ops.length - 1, cell: "Y[]" };
	const numbered = text.match(/^#(\d+)( backward)?(?: (.+))?$/);
	if (numbered) {
		const op = ops.findIndex(one => one.number === +numbered[1]);
		const back = numbered[2] ? backward.findIndex(step => step.op === op) : -1,
			step = back < 0 ? op : ops.length + back;
		if (op < 0 || (numbered[2] && back < 0)) return null;
		const cards = numbered[3] ? cardsOf(step) : [],
			asked = ":" + numbered[3], // of a block's, too, which the engine may have
			found = cellCalled(asked, cards);
		if (!found) return { step, cell: numbered[3] ?? null };
		return { step, cell: found.i < 0 ? asked : cellName(found.card, found.i, cards) };
	}
	const [, how, rest] = text.match(/^(path |sum )?(.*)$/s),
		{ name, index } = parseCell(rest);
	const grad = name.toLowerCase().endsWith(".grad"),
		value = valueCalled(grad ? name.slice(0, -5) : name);
	if (value < 0) return null;
	const cell = index && nameOf(value) + (grad ? ".grad" : "") + "[" + index.join(",") + "]";
	if (how === "path ") return index && { path: [value, ravel(index, values[value].shape)] };
	if (!grad)
		return {
			step: values[value].op >= 0 ? values[value].op : ops.findIndex(op => op.in.includes(value)),
			cell,
		};
	const all = (gradients.get(value) ?? []).filter(add => add.at >= 0),
		own = all.find(add => add.leaf),
		parts = all.filter(add => !add.leaf);
	const at = ((!index || how === "sum ") && own ? own : parts.at(-1))?.at;
	return at === undefined ? null : { step: ops.length + at, cell };
}

// The gradient that the page was written for, or the largest one that is in view of the
// largest leaf, at the step that added most to it, if possible as a sum of products.
function askedNumber() {
	if (!tape.ask) return null;
	const [value, i] = tape.ask,
		parts = partsOf(value);
	if (!parts.length) return null;
	const x = ({ part }) => numbers(part)?.at(i) ?? 0,
		{ at } = parts.reduce((most, add) => (larger(x(most), x(add)) ? most : add));
	const cell = "[" + unravel(i, values[value].shape).join(",") + "]";
	return {
		name: nameShown(value) + ".grad" + cell,
		to: [ops.length + at, nameOf(value) + ".grad" + cell],
		value,
		i,
	};
}

// The card and cell of "w1.grad[2, 3]"; of ":dB[1, 3]", by the op's letter.
function cellCalled(text, cards) {
	const [, asked, block] = text.match(/^(.*?)(?:~(\d+))?$/s),
		{ name, index } = parseCell(asked),
		by = (what, called = name) => cards.find(one => one[what] === called && one.array);
	const card = name.startsWith(":")
		? by("key", name.slice(1))
		: (cards.find(one => one.name === name && one.array && one.result) ?? by("name") ?? by("alias") ?? by("key"));
	const i = card && (block === undefined ? card.array.cell(index ?? []) : -1 - block);
	return card && i !== null ? { card, i } : null;
}
// "w1.grad[2,3]"; of a block, its first number and the block: "w1[0,0]~7"; where another card has that name:
// ":dB[1,3]".
function cellName({ name, key, array }, i, cards) {
	const at = array.index(Math.max(0, i)).replaceAll(" ", "") + (i < 0 ? "~" + (-1 - i) : ""),
		text = (name ?? key) + at;
	return cellCalled(text, cards)?.card.key === key ? text : ":" + key + at;
}

// The number at such a place.
function numberAt(target) {
	const to = resolve(target),
		found = to?.cell && cellCalled(to.cell, cardsOf(to.step));
	return found ? found.card.array.at(found.i) : NaN;
}
