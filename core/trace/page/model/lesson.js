// ---- A lesson's text: a subset of Markdown, one step per heading; see lessons/README.md

function lessonSource() {
	const given = tape.lesson;
	return given
		? (given[language] ?? given.en ?? given[""] ?? Object.values(given)[0])
		: (textOf("lesson-" + language) ?? textOf("lesson-en"));
}
// The words of trace(…, rows) or of "rows: The cat sat down", if there are as many as rows or columns.
function rowWords(n) {
	const inLesson = () =>
			lessonSource()
				.match(/^rows: (.*)$/m)?.[1]
				.split(" "),
		found = Object.values(tape.rows ?? {}).find(words => words.length === n) ?? (tape.lesson && inLesson());
	return found?.length === n ? found : null;
}

function parseLesson(text) {
	const lesson = { title: "", about: "", goal: [], steps: [] };
	let step = null,
		question = null,
		code = null;
	for (const line of text.split(/\r?\n/)) {
		const [, mark, rest] = line.match(/^(##? |\? |- \[[ x=+0-]\] |> |! |= )?(.*)$/);
		if (line.startsWith("```")) {
			code = code ? null : { code: [] };
			if (code) (step?.parts ?? lesson.goal).push(code);
		} else if (code) code.code.push(line);
		else if (mark === "# ") lesson.title = rest;
		else if (mark === "## ") {
			step = { heading: rest, parts: [] };
			question = null;
			lesson.steps.push(step);
		} else if (!line.trim()) continue;
		else if (!step && line.startsWith("about: ")) lesson.about = line.slice(7);
		else if (!step) line.startsWith("rows: ") || lesson.goal.push({ text: line });
		else if (mark === "? ") {
			question = { question: rest, options: [], answer: [] };
			step.parts.push(question);
		} else if (mark?.startsWith("- [") && question) question.options.push({ text: rest, mark: mark[3] });
		else if (mark === "! ") {
			if (!question || question.touch || question.answer.length) step.parts.push((question = whichWay(rest)));
			question.touch = rest;
		} else if (mark === "= " && question) question.equals = rest;
		else if (mark === "> " && question) question.answer.push(rest);
		else step.parts.push({ text: line });
	}
	return lesson;
}
// "w1[2, 3] +0.1" without a question asks which way the loss will go.
function whichWay(touch) {
	const [c, by] = touch.split(" +"),
		way = (mark, key) => ({ mark, text: word(key) }),
		options = [way("+", "rises"), way("-", "falls"), way("0", "stays")];
	return { question: word("whichWay", { c: c.replace("[]", ""), by }), options, answer: [] };
}

// Whether an option, such as "6.02, as w rises", begins with this number in as many digits.
function reads(text, x) {
	const [said, , power] = text.match(/^−?\d+(\.\d+)?(e−?\d+)?|^−?∞|^NaN/) ?? [""],
		digits = said.replace(/^[−0.]+|e.*/g, "").replace(".", "").length;
	return said === show(x, Math.max(1, digits + (power ? 1 : 0)));
}

// "w1[2, 3] 0.5" sets that number, "ask +0.1" adds to it. Returns its gradient in this pass
// too.
function numberToSet(text) {
	const [, where, sign, number] = text.match(/^(.*?) ([+-]?)([\d.]+)$/) ?? [],
		{ name, index } = parseCell(where ?? "");
	const { value, i } =
		where === "ask"
			? (askedNumber() ?? { value: -1 })
			: {
					value: valueCalled(name),
					i: index && ravel(index, values[valueCalled(name)]?.shape ?? []),
				};
	return value < 0 ? null : { value, i, sign, number: +number, slope: slopeAt(value, i), asked: where === "ask" };
}
