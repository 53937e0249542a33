// ---- The first screen: one number, what the loss does as it moves, and why

function showAnswer(step, cell) {
	follow(step, cell);
	$("why").focus({ preventScroll: true });
}
function drawStart() {
	const question = askedNumber(),
		way = (id, text, run, name = "") => make("button", { id, class: name, onclick: run }, text);
	const out = values[ops.at(-1)?.out],
		y = numbers(out?.value ?? null),
		parts = [],
		{ title, about, goal } = lessonOnShow();
	if (about) parts.push(make("p.note", about), make("h2", title), ...goal.map(part => lessonPart(part)));
	else if (out && !tape.refused)
		parts.push(
			y?.data.length === 1
				? make("h2", word("startTitle", { loss: show(y.at(0), 4) }))
				: make("h2", word("startMany", { n: product(out.shape) })),
		);
	if (question) {
		const [step, cell] = question.to,
			{ card, i } = cellCalled(cell, cardsOf(step)) ?? {},
			g = card ? show(card.array.at(i), 3) : question.name;
		if (card) parts.push(make("p.lead", ...terms(meaningOf(step, card, i).join(" "))));
		parts.push(way("ask", word("whyIs", { g }), () => showAnswer(step, cell), "way"));
	} else if (tape.ask && !values[tape.ask[0]].wants) {
		const [value, i] = tape.ask,
			x = numbers(values[value].value),
			c = nameOf(value) + "[" + unravel(i, values[value].shape).join(",") + "]",
			to = resolve(c);
		parts.push(make("p.lead", word("noGradient", { c })));
		const text = x?.at(i) === undefined ? c : `${c} = ${show(x.at(i))}`;
		parts.push(way("ask", text, () => follow(to.step, to.cell), "way"));
	}
	$("start").replaceChildren(
		...parts,
		make(
			"p.ways",
			way("lesson-start", word("startLesson"), () => startLesson(0)),
			way("from-first", word("fromFirst"), () => go(0)),
		),
	);
}
