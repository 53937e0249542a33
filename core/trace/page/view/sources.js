// ---- The user's own lines

function showSource(op) {
	const parts = op?.within ? [make("p", word("within", { op: op.within }))] : [];
	for (const at of [op?.caller, op?.loc].filter(Boolean)) {
		const [file, line] = at,
			lines = tape.source[file] ?? [];
		const near = lines.filter(([number]) => Math.abs(number - line) <= 5);
		parts.push(make("div.file", file + ":" + line));
		if (!near.length) parts.push(make("p", word("noSource")));
		for (const [number, text] of near)
			parts.push(
				make(
					"div",
					{ class: number === line ? "line current" : "line" },
					make("span.number", (number === line ? "▶ " : "  ") + number),
					text || " ",
				),
			);
	}
	$("source").replaceChildren(...parts);
	$("source").hidden = !parts.length;
}
