// ---- The small pictures in the picture of the tape

// A number's colour, in five degrees of each sign: p4 .. p0, n0 .. n4, zero, nan.
function shade(x, largest) {
	if (Number.isNaN(x)) return "nan";
	if (x === 0) return "zero";
	return (
		(x > 0 ? "p" : "n") + Math.min(4, Math.floor(Math.sqrt(Math.min(1, Math.abs(x) / largest)) * 5))
	);
}

// A picture of up to 14 x 7 cells, each with a degree and an opacity in tenths: one path for each
// pair.
const thumbSize = array => ({ across: Math.min(array.across, 14), down: Math.min(array.down, 7) });
function thumbCells(array) {
	const { across, down } = thumbSize(array);
	return range(across * down).map(k => {
		const cell =
			Math.floor((Math.floor(k / across) * array.down) / down) * array.across +
			Math.floor(((k % across) * array.across) / across);
		return shade(array.kept[cell], array.largest) + " " + Math.round(10 * (1 - array.zeros(cell)));
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
	const { step: s, covered, shown } = graph,
		{ scrollTop, clientHeight } = $("graph");
	if (!shown) return;
	graph.plan.rows.forEach((row, at) => {
		const box = graph.boxes[at];
		if (
			row.group ||
			box.shown === shown ||
			row.y > scrollTop + clientHeight ||
			row.y + row.height < scrollTop
		)
			return;
		box.shown = shown;
		box.querySelectorAll(".thumbs").forEach(old => old.remove());
		const thumbs = make("g.thumbs"),
			before = box.drawn ?? {};
		box.drawn = {};
		const picture = (array, x, y, w, h) => {
			// redrawn only if numbers changed
			const at = x + " " + y,
				cells = array && thumbCells(array),
				text = cells?.join();
			box.drawn[at] =
				before[at]?.text === text && before[at]
					? before[at]
					: { text, picture: thumbnail(array, cells, x, y, w, h) };
			thumbs.append(box.drawn[at].picture);
		};
		const pair = (value, x, y, w, h) => {
			picture(
				valueKnown(value, covered ? s - 1 : s) ? numbers(values[value].value) : null,
				x,
				y,
				w,
				h,
			);
			if (values[value].wants)
				picture(numbers(gradientAt(value, covered ? s - 1 : s)), x + w + 6, y, w, h);
		};
		pair(ops[row.op].out, BOX_X + 10, 42, 80, row.height - 50);
		row.chips.forEach(({ value }, i) =>
			pair(value, CHIP_X + (values[value].wants ? 70 : 96), i * CHIP + 12, 24, 22),
		);
		box.append(thumbs);
		if (/ (current|backed) /.test(box.getAttribute("class")))
			thumbs.append(
				make("text.name", { x: BOX_X + BOX_WIDTH - 22, y: 19 }, s >= ops.length ? "∂" : "▾"),
			);
	});
}
