// ---- The first screen: one number, what the loss does as it moves, and why -------------------------

class Start {
	constructor(page) {
		this.page = page;
	}

	draw() {
		const { page, question } = this,
			way = (id, text, run, name = "") => make("button", { id, class: name, onclick: run }, text);
		const out = values[ops.at(-1)?.out],
			y = numbers(out?.value ?? null),
			parts = [];
		if (out)
			parts.push(
				y?.kept.length === 1
					? make("h2", word("startTitle", { loss: show(y.at(0), 4) }))
					: make("h2", word("startMany", { n: product(out.shape) })),
			);
		if (question) {
			const [step, cell] = question.to,
				{ card, i } = page.cellCalled(cell, cardsOf(step)) ?? {},
				g = card ? show(card.array.at(i), 3) : question.name;
			if (card) parts.push(make("p.lead", ...meaningOf(step, card, i).flatMap(terms)));
			parts.push(way("ask", word("whyIs", { g }), () => page.follow(step, cell), "way"));
		} else if (tape.ask && !values[tape.ask[0]].wants) {
			const [value, i] = tape.ask,
				x = numbers(values[value].value),
				c = nameOf(value) + "[" + unravel(i, values[value].shape).join(",") + "]",
				to = page.resolve(c);
			parts.push(make("p.lead", word("noGradient", { c })));
			const text = x?.at(i) === undefined ? c : `${c} = ${show(x.at(i))}`;
			parts.push(way("ask", text, () => page.follow(to.step, to.cell), "way"));
		}
		$("start").replaceChildren(
			...parts,
			make(
				"p.ways",
				way("lesson-start", word("startLesson"), () => page.lesson.start()),
				way("from-first", word("fromFirst"), () => page.go(0)),
			),
		);
	}

	// The gradient that the page was written for, or the largest one of the largest leaf, at the
	// step that added most to it, if possible as a sum of products.
	get question() {
		if (!tape.ask) return null;
		const [value, i] = tape.ask,
			parts = (gradients.get(value) ?? []).filter(add => !add.leaf && add.at >= 0);
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
}
