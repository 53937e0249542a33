// ---- The first screen: what the page is, and two ways on ----------------------------------------

class Start {
	constructor(page) {
		this.page = page;
	}

	draw() {
		const last = ops.at(-1),
			loss = last && numbers(values[last.out].value),
			input = ops.find(op => op.in.length)?.in[0];
		const what = {
			x: input === undefined ? "—" : nameShown(input),
			n: ops.length,
			loss:
				loss?.kept.length === 1 ? show(loss.at(0), 4) : shapeText(values[last?.out]?.shape ?? []),
		};
		const ways = [];
		if (this.question)
			ways.push(
				make(
					"button",
					{ class: "way", id: "ask", onclick: () => this.page.follow(...this.question.to) },
					word("whyIs", { c: this.question.name }),
				),
			);
		ways.push(
			make(
				"button",
				{ class: "way", id: "lesson-start", onclick: () => this.page.lesson.start() },
				word("startLesson"),
			),
			make("button", { id: "from-first", onclick: () => this.page.go(0) }, word("fromFirst")),
		);
		$("start").replaceChildren(
			make("h2", {}, word("startTitle")),
			make(
				"p",
				{ class: "lead" },
				...terms(word(loss?.kept.length === 1 ? "startText" : "startTextMany", what)),
			),
			make("p", {}, ...terms(word("startTape", what))),
			make("div", { class: "ways" }, ...ways),
			make(
				"p",
				{ class: "note" },
				word("startHow") + (this.page.bench ? " " + word("startLive") : ""),
			),
		);
	}

	// The gradient that the page was written for, or the largest one of the largest leaf, at the
	// step that computed it, if possible as a sum of products.
	get question() {
		if (!tape.ask) return null;
		const [value, i] = tape.ask,
			parts = (gradients.get(value) ?? []).filter(add => !add.leaf && add.at >= 0);
		const at = parts.at(-1)?.at;
		if (at === undefined) return null;
		const cell = "[" + unravel(i, values[value].shape).join(",") + "]";
		return {
			name: nameShown(value) + ".grad" + cell.replaceAll(",", ", ").replace("[]", ""),
			to: [ops.length + at, nameOf(value) + ".grad" + cell],
			value,
			i,
		};
	}
}
