// ---- A number's path to the loss, drawn

function openPath(value, i) {
	if (state.step === null) go(0);
	change({ path: [value, i] }, true);
}
function closePath() {
	change({ path: null }, true);
}

function drawPath(shown) {
	$("path").hidden = !shown;
	if (!shown) return;
	const [value, i] = shown;
	const found = pathFrom(value, i),
		{ path, end, endCell, whole: reached, stop } = found,
		{ began, whole, g, verdict } = verdictOf(found, value, i),
		at = (v, k) =>
			nameShown(v) + (numbers(values[v].value) ?? numbers(gradientAt(v, steps.length)))?.place(k);
	const rows = path.map(one =>
		make(
			"li",
			make(
				"button.factor",
				{
					onclick: () =>
						follow(one.step, nameOf(one.value) + ".grad" + one.cell.replaceAll(" ", "")),
				},
				make("b", at(one.value, one.i)),
				` → ${title(one.op)} `,
				make("span.slope", `× ${show(one.slope, 5)}`),
			),
			make(
				"span.note",
				[
					one.count > 1
						? word("oneOf", { n: one.count, p: show(one.part, 4), s: show(one.rest, 4) })
						: "",
					one.ways > 1 ? word("oneOfUses", { n: one.ways }) : "",
				]
					.filter(Boolean)
					.join(" "),
			),
			make("span.product", "= " + show(one.product, 4)),
		),
	);
	const ending = reached
		? [
				make(
					"p.sum",
					`${path.map(one => bracketed(show(one.slope, 5))).join("·")}${began === 1 ? "" : "·" + bracketed(show(began, 5))} = ${show(whole)}`,
				),
				make(
					"p",
					word(verdict, { op: "", part: show(whole, 4), all: show(g, 4), c: at(value, i) }),
				),
			]
		: [make("p", word(...stop))];
	const head = make(
		"li.note",
		make("span.factor", word("pathSlope")),
		make("span"),
		make("span.product", word("pathProduct")),
	);
	$("path").replaceChildren(
		make("h3", word("pathTitle", { c: at(value, i) })),
		make(
			"ol",
			head,
			...rows,
			make("li", make("b", at(end, endCell)), reached ? " " + lossWord() : ""),
		),
		...ending,
		make("button.close", { onclick: closePath }, word("close")),
	);
}
