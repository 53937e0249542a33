// ---- The picture of the tape

function drawGraph(tag, opened) {
	const plan = layOut(opened);
	const width = LANE_X + Math.max(1, plan.lanes) * LANE + 8;
	const svg = make(
		"svg",
		{
			width,
			height: plan.height,
			viewBox: `0 0 ${width} ${plan.height}`,
			role: "group",
			"aria-labelledby": "graph-title",
		},
		make(
			"defs",
			make(
				"pattern",
				{
					id: "hatch",
					width: 6,
					height: 6,
					patternUnits: "userSpaceOnUse",
					patternTransform: "rotate(45)",
				},
				make("rect.hatch-ground", { width: 6, height: 6 }),
				make("line.hatch-line", { x1: 0, y1: 0, x2: 0, y2: 6 }),
			),
		),
	);
	const boxes = plan.rows.map(row => (row.group ? headOf(row, opened) : boxOf(row)));
	svg.append(...edgesOf(plan), ...boxes);
	$("graph").replaceChildren(svg);
	svg.addEventListener("keydown", onGraphKey);
	Object.assign(graph, { plan, boxes, svg });
}

// The picture as a file of its own, with the page's colours.
function saveGraph() {
	const copy = graph.svg.cloneNode(true),
		style = $$("style").map(({ textContent }) => textContent);
	copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
	copy.prepend(make("style", ...style));
	const href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
	make("a", { href, download: "tape.svg" }).click();
	setTimeout(() => URL.revokeObjectURL(href), 1000);
}

// Clickable boxes. Tab finds one of them, the arrow keys the others.
function graphButton(label, run, attributes, ...children) {
	return make(
		"g",
		{ role: "button", tabindex: -1, "aria-label": label, onclick: run, ...attributes },
		make("title", label),
		...children,
	);
}
function onGraphKey(event) {
	const all = $$("[role=button]", graph.svg),
		at = all.indexOf(event.target.closest("[role=button]"));
	const to = {
		ArrowDown: at + 1,
		ArrowRight: at + 1,
		ArrowUp: at - 1,
		ArrowLeft: at - 1,
		Home: 0,
		End: all.length - 1,
	}[event.key];
	const enters = event.key === "Enter" || event.key === " ";
	if (!enters && !all[to]) return;
	event.preventDefault();
	event.stopPropagation();
	if (enters) return all[at].dispatchEvent(new MouseEvent("click"));
	graph.svg.querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
	all[to].setAttribute("tabindex", 0);
	all[to].focus({ preventScroll: true });
	all[to].scrollIntoView({ block: "nearest" });
}

function edgesOf({ rows, near, far }) {
	const middle = BOX_X + BOX_WIDTH / 2,
		right = BOX_X + BOX_WIDTH;
	const short = near.map(({ from, to }) =>
		make("path.edge-line", {
			d: `M${middle} ${rows[from].y + rows[from].height}V${rows[to].y - 4}m-4 -4l4 5l4 -5`,
		}),
	);
	const long = far.map(({ from, to, lane }) => {
		const x = LANE_X + lane * LANE,
			start = rows[from].y + rows[from].height - 10;
		const last = rows[Math.max(...to)].y + 16;
		const ends = to.map(t => `M${x} ${rows[t].y + 16}H${right + 3}m5 -4l-5 4l5 4`).join("");
		return make(`path.edge-line.lane-${lane % 4}`, {
			d: `M${right} ${start}H${x}V${last}${ends}`,
		});
	});
	return [...short, ...long];
}

function headOf(row, opened) {
	const { group } = row,
		open = opened.has(group),
		x = CHIP_X + 12 * row.depth,
		label = (open ? "▾ " : "▸ ") + clip(group.label, 38 - 2 * row.depth);
	return graphButton(
		`${label} · ${group.label} · ${word("group", { n: group.ops.length })}`,
		() => toggleGroup(group),
		{ class: "head", transform: `translate(0 ${row.y})`, "aria-expanded": open },
		make("rect", { x, width: BOX_X + BOX_WIDTH - x, height: row.height, rx: 6 }),
		make("text", { x: x + 9, y: 20, "aria-hidden": "true" }, label),
	);
}

function boxOf(row) {
	const op = ops[row.op],
		out = values[op.out];
	const box = make("g.op", { transform: `translate(0 ${row.y})` }),
		shape = refuses(op) ? word("noOutput") : shapeText(out.shape);
	const inputs = make("g");
	row.chips.forEach(({ value, again }, i) => inputs.append(chipOf(row, value, i, again)));
	box.append(
		inputs,
		graphButton(
			`${title(op)}${out.name ? " " + nameShown(op.out) : ""} ${shape}`,
			() => go(stepFor(row.op)),
			{ class: "box" },
			make(refuses(op) ? "rect.frame.dashed" : "rect.frame", {
				x: BOX_X,
				width: BOX_WIDTH,
				height: row.height,
				rx: 8,
			}),
			make("text.name", { x: BOX_X + 10, y: 19 }, clip(title(op), 24)),
			" ",
			make("text.shape", { x: BOX_X + 10, y: 34 }, clip((out.name ? nameShown(op.out) + " " : "") + shape, 30)),
		),
	);
	return box;
}

function chipOf(row, value, i, again) {
	const y = i * CHIP + 4,
		{ shape, role } = values[value];
	const leaf = values[value].wants,
		name = nameShown(value),
		brief = name.split(".").slice(-2).join("."),
		summed = backward.findIndex(step => step.op < 0 && step.value === value);
	const half = (label, run, x, w) =>
		graphButton(label, run, {}, make("rect.touch", { x, y, width: w, height: CHIP - 6 }));
	const halves = [
		half(
			`${name} ${shapeText(shape)}${again ? " · " + word("again") : ""}`,
			() => go(row.op),
			CHIP_X,
			summed < 0 ? CHIP_WIDTH : CHIP_WIDTH - 31,
		),
	];
	if (summed >= 0) halves.push(half(name + ".grad", () => go(ops.length + summed), CHIP_X + CHIP_WIDTH - 31, 31));
	return make(
		"g",
		{ class: `chip ${role} ${again ? "again" : ""}` },
		make("rect", {
			x: CHIP_X,
			y,
			width: CHIP_WIDTH,
			height: CHIP - 6,
			rx: 14,
			class: leaf ? "frame" : "frame dashed",
		}),
		make("text.name", { x: CHIP_X + 10, y: y + 17 }, clip(brief, leaf ? 7 : 9)),
		make("text.shape", { x: CHIP_X + 10, y: y + 31 }, clip(shapeText(shape), leaf ? 9 : 12)),
		make("path.edge-line", {
			d: `M${CHIP_X + CHIP_WIDTH} ${y + 20}H${BOX_X - 2}m-5 -4l5 4l-5 4`,
		}),
		...halves,
	);
}

function toggleGroup(group) {
	const opened = new Set(state.opened);
	if (!opened.delete(group)) opened.add(group);
	change({ opened });
}

// Colours and thumbnails of the values known at this step; covered: the user guesses its result.
function drawSteps(s, covered) {
	Object.assign(graph, { step: s, covered, shown: {} }); // shown: the boxes that are drawn
	const here = steps[s].op,
		over = groupsOver(here),
		inBackward = s >= ops.length;
	const done = new Set(backward.slice(0, Math.max(0, s - ops.length + 1)).map(step => step.op)),
		stateOf = op => {
			if (op === here) return "current";
			if (inBackward) return done.has(op) ? "backed" : "waiting";
			return op < s ? "done" : "waiting";
		};
	graph.plan.rows.forEach((row, at) => {
		const box = graph.boxes[at];
		if (row.group) return box.classList.toggle("current", over.includes(row.group));
		box.setAttribute("class", `op ${stateOf(row.op)} ${inBackward ? "going-back" : "going-on"}`);
	});
	graph.svg.querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
	(graph.svg.querySelector(".current [role=button].box") ?? graph.svg.querySelector("[role=button]"))?.setAttribute(
		"tabindex",
		0,
	);
	drawPictures();
}
function scrollGraph(s) {
	const { op, value } = steps[s],
		{ rows, rowOfOp } = graph.plan,
		row = rows[rowOfOp.get(op >= 0 ? op : firstUser(value))],
		box = $("graph");
	if (row) box.scrollTop = Math.max(0, row.y + row.height / 2 - box.clientHeight / 2);
}
