// ---- The small pictures in the picture of the tape

const graph = {}; // as it is drawn: {plan, svg, boxes}, and what was shown in it

// A picture of up to 14 x 7 cells, each with a degree and an opacity in tenths: one path for each
// pair.
const thumbSize = array => ({ across: Math.min(array.across, 14), down: Math.min(array.down, 7) });
function thumbCells(array) {
	const { across, down } = thumbSize(array);
	return range(across * down).map(k => {
		const cell =
			Math.floor((Math.floor(k / across) * array.down) / down) * array.across +
			Math.floor(((k % across) * array.across) / across);
		return shade(array.data[cell], array.largest) + " " + Math.round(10 * (1 - array.zeros(cell)));
	});
}
function thumbnail(array, cells, x, y, width, height) {
	const group = make("g.thumb");
	if (!array) {
		group.append(make("rect.edge", { x, y, width, height, fill: "url(#hatch)" }));
		return group;
	}
	const { across, down } = thumbSize(array),
		w = width / across,
		h = height / down,
		paths = {};
	cells.forEach((look, k) => {
		const c = k % across,
			r = (k - c) / across;
		(paths[look] ??= []).push(
			`M${(x + c * w).toFixed(1)} ${(y + r * h).toFixed(1)}h${w.toFixed(1)}v${h.toFixed(1)}h${(-w).toFixed(1)}z`,
		);
	});
	if (array.gaps) group.append(make("rect.s-zero", { x, y, width, height }));
	for (const [name, path] of Object.entries(paths)) {
		const [degree, tenths] = name.split(" ");
		group.append(
			make("path", {
				d: path.join(""),
				class: "s-" + degree,
				"fill-opacity": tenths === "10" ? null : tenths / 10,
			}),
		);
	}
	group.append(make("rect.edge", { x, y, width, height, fill: "none" }));
	return group;
}

// Draws the boxes on the screen; others when they scroll into view.
function drawPictures() {
	const { shown } = graph,
		{ scrollTop, clientHeight } = $("graph");
	if (!shown) return;
	graph.plan.rows.forEach((row, at) => {
		const box = graph.boxes[at],
			visible = row.y <= scrollTop + clientHeight && row.y + row.height >= scrollTop;
		if (!row.group && visible && box.shown !== shown) drawThumbs(row, box);
	});
}
function drawThumbs(row, box) {
	const { step: s, covered } = graph,
		known = covered ? s - 1 : s,
		thumbs = make("g.thumbs"),
		before = box.drawn ?? {};
	box.shown = graph.shown;
	box.drawn = {};
	box.querySelectorAll(".thumbs").forEach(old => old.remove());
	const picture = (array, x, y, w, h) => {
		// redrawn only if numbers changed
		const at = x + " " + y,
			cells = array && thumbCells(array),
			text = cells?.join();
		box.drawn[at] =
			before[at]?.text === text && before[at] ? before[at] : { text, picture: thumbnail(array, cells, x, y, w, h) };
		thumbs.append(box.drawn[at].picture);
	};
	const pair = (value, x, y, w, h) => {
		picture(valueKnown(value, known) ? numbers(values[value].value) : null, x, y, w, h);
		if (values[value].wants) picture(numbers(gradientAt(value, known)), x + w + 6, y, w, h);
	};
	pair(ops[row.op].out, BOX_X + 10, 42, 80, row.height - 50);
	row.chips.forEach(({ value }, i) => pair(value, CHIP_X + (values[value].wants ? 70 : 96), i * CHIP + 12, 24, 22));
	box.append(thumbs);
	if (/ (current|backed) /.test(box.getAttribute("class")))
		thumbs.append(make("text.name", { x: BOX_X + BOX_WIDTH - 22, y: 19 }, s >= ops.length ? "∂" : "▾"));
}
