// ---- Addresses: the meaning of a link, a search or a lesson's place -----------------------------

// #step=12&cell=w1.grad[3,4]&lang=ko, and path or lesson if they are open.
function writeAddress(page, cell, push) {
	if (location.protocol === "about:") return; // in another page, such as a notebook's cell
	const parts = page.atStart ? [] : ["step=" + (page.step + 1)];
	parts.push(...(tape.setupParts ?? []));
	if (cell) parts.push("cell=" + encodeURIComponent(cell));
	if (page.path.of) parts.push("path=" + page.path.of.join("."));
	if (page.lesson.at >= 0) parts.push("lesson=" + (page.lesson.at + 1));
	parts.push(...readPages());
	if (page.chosen) parts.push("lang=" + language);
	const hash = parts.length ? "#" + parts.join("&") : location.pathname + location.search;
	if (parts.length && "#" + parts.join("&") === location.hash) return;
	history[push ? "pushState" : "replaceState"](null, "", hash);
}

// "w1[2, 3]" -> {name: "w1", index: [2, 3]}; without an index, index is null.
function parseCell(text) {
	const found = text.trim().match(/^(.*?)(?:\[([\d,\s]*)\])?$/s),
		inner = found[2]?.trim();
	return {
		name: found[1].trim(),
		index: found[2] === undefined ? null : inner ? inner.split(",").map(Number) : [],
	};
}
const valueCalled = name =>
	values.findIndex((_, i) =>
		[nameOf(i), nameShown(i)].some(one => one.toLowerCase() === name.toLowerCase()),
	);

// A name's step and cell: "#6", "#6 backward dB[1, 3]", "w1", "w1[2, 3]",
// "w1.grad", "sum w1.grad[2, 3]" (in the leaf's own step), "loss", "ask", "path w1[2, 3]".
function resolve(text, question) {
	text = text.trim();
	if (text === "ask") return question && { step: question.to[0], cell: question.to[1] };
	if (text === "path ask") return question && { path: [question.value, question.i] };
	if (text === "loss" && valueCalled("loss") < 0) return { step: ops.length - 1, cell: "Y[]" };
	const numbered = text.match(/^#(\d+)( backward)?(?: (.+))?$/);
	if (numbered) {
		const op = ops.findIndex(one => one.number === +numbered[1]);
		const back = numbered[2] ? backward.findIndex(step => step.op === op) : -1;
		return op < 0 || (numbered[2] && back < 0)
			? null
			: { step: back < 0 ? op : ops.length + back, cell: numbered[3] ?? null };
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
