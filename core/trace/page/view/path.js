// ---- A number's path to the loss, drawn

function openPath(value, i) {
	if (state.step === null) go(0);
	change({ path: [value, i], way: null }, true);
}
function closePath() {
	clearInterval(wayTimer);
	change({ path: null, way: null }, true);
}

// The path on the tape: arrows from op to op with each slope. Its play first moves the numbers, each by its
// slope times the one before, and then brings the gradient back; state.way counts its stills.
let wayTimer = null;
function playWay() {
	const last = 2 * pathFrom(...state.path).path.length - 1,
		on = () => {
			const way = (state.way ?? -1) + 1;
			change({ way: way > last ? null : way });
			if (way >= last) clearInterval(wayTimer);
		};
	clearInterval(wayTimer);
	if (!matchMedia("(prefers-reduced-motion: reduce)").matches) wayTimer = setInterval(on, 1000);
	on();
}
function wayAt(way, { path, end, endCell }) {
	const n = path.length,
		back = way >= n,
		k = back ? 2 * n - 1 - way : way,
		began = numbers(backward[0].dY).at(endCell) ?? 1,
		rise = 0.01 * path[k].product,
		g = path.slice(k).reduceRight((product, { slope }) => product * slope, began);
	return back
		? { k, back, value: path[k].value, i: path[k].i, text: show(g, 3) }
		: { k, value: path[k + 1]?.value ?? end, i: path[k + 1]?.i ?? endCell, text: show(rise, 3) };
}
function drawWay(shown, way) {
	graph.svg.querySelector(".way-drawn")?.remove();
	const found = shown && pathFrom(...shown),
		{ rows, rowOfOp } = graph.plan,
		rowOf = ({ op }) => rows[rowOfOp.get(ops.indexOf(op))],
		x = BOX_X + BOX_WIDTH - 70,
		now = found?.path.length && way !== null ? wayAt(way, found) : null,
		most = Math.max(...(found?.path ?? []).map(({ slope }) => Math.abs(slope)));
	if (!found) return;
	const arrows = found.path.map((one, k) => {
		const to = rowOf(one).y + 6,
			from = k ? rowOf(found.path[k - 1]).y + 40 : to - 26,
			label = now?.k === k ? (now.back ? "∂ " : "+ ") + now.text : "× " + show(one.slope, 3);
		return make(
			"g",
			{ class: `${one.slope < 0 ? "falls" : "rises"} ${now?.k === k ? "now" : ""}` },
			make("path", {
				d: now?.back ? `M${x} ${to}V${from}m-5 6l5 -6l5 6` : `M${x} ${from}V${to}m-5 -6l5 6l5 -6`,
				"stroke-width": (1.5 + (4 * Math.abs(one.slope)) / (most || 1)).toFixed(1),
			}),
			make("text", { x: x + 9, y: (from + to) / 2 + 4 }, label.replace("+ −", "− ")),
		);
	});
	graph.svg.append(make("g.way-drawn", ...arrows));
	if (now) {
		const row = rowOf(found.path[now.k]);
		$("graph").scrollTop = Math.max(0, row.y - $("graph").clientHeight / 2);
	}
}

const placed = (v, i) => nameShown(v) + (numbers(values[v].value) ?? numbers(gradientAt(v, steps.length)))?.place(i);
function saidOfWay(way, found) {
	const { value, i, text, back } = wayAt(way, found),
		c = placed(value, i);
	return word(back ? "wayBack" : "wayOn", { c, d: text });
}
// One line for each op on the path.
const factorsOf = path =>
	path.map(one =>
		make(
			"li",
			make(
				"button.factor",
				{
					onclick: () => follow(one.step, nameOf(one.value) + ".grad" + one.cell.replaceAll(" ", "")),
				},
				make("b", placed(one.value, one.i)),
				` → ${title(one.op)} `,
				make("span.slope", `× ${show(one.slope, 5)}`),
			),
			make(
				"span.note",
				one.count > 1 ? word("oneOf", { n: one.count, p: show(one.part, 4), s: show(one.rest, 4) }) + " " : "",
				one.ways > 1 ? word("oneOfUses", { n: one.ways }) : "",
			),
			make("span.product", "= " + show(one.product, 4)),
		),
	);
function drawPath(shown, way) {
	$("path").hidden = !shown;
	if (!shown) return;
	const [value, i] = shown;
	const found = pathFrom(value, i),
		{ path, end, endCell, whole: reached, stop } = found,
		{ began, whole, g, verdict } = verdictOf(found, value, i);
	const ending = reached
		? [
				make(
					"p.sum",
					`${path.map(one => bracketed(show(one.slope, 5))).join("·")}${began === 1 ? "" : "·" + bracketed(show(began, 5))} = ${show(whole)}`,
				),
				make(
					"p",
					word(verdict, {
						op: "",
						part: show(whole, 4),
						all: show(g, 4),
						s: show(whole, 9),
						r: show(g, 9),
						c: placed(value, i),
					}),
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
		make("h3", word("pathTitle", { c: placed(value, i) })),
		make("ol", head, ...factorsOf(path), make("li", make("b", placed(end, endCell)), reached ? " " + lossName() : "")),
		...ending,
		path.length ? make("button.play-way", { onclick: playWay }, "▶ " + word("play")) : "",
		make("p.note", { role: "status" }, way === null || !path.length ? "" : saidOfWay(way, found)),
		make("button.close", { onclick: closePath }, word("close")),
	);
}
