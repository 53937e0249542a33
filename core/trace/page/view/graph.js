// ---- The picture of the tape --------------------------------------------------------------------

const clip = (text, n) => (text.length > n ? text.slice(0, n - 1) + "…" : text);

class Graph {
	constructor(go) {
		this.go = go;
		$("graph").addEventListener("scroll", () => this.drawPictures());
		new ResizeObserver(() => this.drawPictures()).observe($("graph")); // also when it is shown again
	}

	draw() {
		const plan = (this.plan = layOut());
		const width = LANE_X + Math.max(1, plan.lanes) * LANE + 8;
		const svg = (this.svg = make(
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
		));
		this.edges(svg, plan);
		this.boxes = plan.rows.map(row => (row.group ? this.head(row) : this.op(row)));
		svg.append(...this.boxes);
		$("graph").replaceChildren(svg);
		svg.addEventListener("keydown", event => this.key(event));
	}

	// Clickable boxes. Tab finds one of them, the arrow keys the others.
	button(label, run, attributes, ...children) {
		return make(
			"g",
			{ role: "button", tabindex: -1, "aria-label": label, onclick: run, ...attributes },
			make("title", label),
			...children,
		);
	}
	key(event) {
		const all = [...this.svg.querySelectorAll("[role=button]")],
			at = all.indexOf(event.target.closest("[role=button]"));
		const to = {
			ArrowDown: at + 1,
			ArrowRight: at + 1,
			ArrowUp: at - 1,
			ArrowLeft: at - 1,
			Home: 0,
			End: all.length - 1,
		}[event.key];
		if (event.key === "Enter" || event.key === " ")
			event.preventDefault(),
				event.stopPropagation(),
				all[at].dispatchEvent(new MouseEvent("click"));
		if (to === undefined || !all[to]) return;
		event.preventDefault(), event.stopPropagation();
		this.svg.querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
		all[to].setAttribute("tabindex", 0),
			all[to].focus({ preventScroll: true }),
			all[to].scrollIntoView({ block: "nearest" });
	}

	edges(svg, { rows, near, far }) {
		const middle = BOX_X + BOX_WIDTH / 2,
			right = BOX_X + BOX_WIDTH;
		for (const { from, to } of near)
			svg.append(
				make("path.edge-line", {
					d: `M${middle} ${rows[from].y + rows[from].height}V${rows[to].y - 4}m-4 -4l4 5l4 -5`,
				}),
			);
		for (const { from, to, lane } of far) {
			const x = LANE_X + lane * LANE,
				start = rows[from].y + rows[from].height - 10;
			const last = rows[Math.max(...to)].y + 16;
			const ends = to.map(t => `M${x} ${rows[t].y + 16}H${right + 3}m5 -4l-5 4l5 4`).join("");
			svg.append(
				make("path", {
					class: `edge-line lane-${lane % 4}`,
					d: `M${right} ${start}H${x}V${last}${ends}`,
				}),
			);
		}
	}

	head(row) {
		const { group } = row;
		return this.button(
			`${group.open ? "▾ " : "▸ "}${clip(group.label, 38)} · ${group.label} · ${word("group", { n: group.ops.length })}`,
			() => this.toggle(group),
			{ class: "head", transform: `translate(0 ${row.y})`, "aria-expanded": group.open },
			make("rect", { x: CHIP_X, width: BOX_X + BOX_WIDTH - CHIP_X, height: row.height, rx: 6 }),
			make(
				"text",
				{ x: CHIP_X + 9, y: 20, "aria-hidden": "true" },
				(group.open ? "▾ " : "▸ ") + clip(group.label, 38),
			),
		);
	}

	op(row) {
		const op = ops[row.op],
			out = values[op.out];
		const box = make("g.op", { transform: `translate(0 ${row.y})` });
		const inputs = make("g");
		row.chips.forEach(({ value, again }, i) => inputs.append(this.chip(row, value, i, again)));
		box.append(
			inputs,
			this.button(
				`${title(op)}${out.name ? " " + nameShown(op.out) : ""} ${shapeText(out.shape)}`,
				() => this.go(this.stepFor(row.op)),
				{ class: "box" },
				make("rect.frame", { x: BOX_X, width: BOX_WIDTH, height: row.height, rx: 8 }),
				make("text.name", { x: BOX_X + 10, y: 19 }, clip(title(op), 24)),
				" ",
				make(
					"text",
					{ x: BOX_X + 10, y: 34, class: "shape" },
					clip((out.name ? nameShown(op.out) + " " : "") + shapeText(out.shape), 30),
				),
			),
		);
		return box;
	}

	chip(row, value, i, again) {
		const y = i * CHIP + 4,
			{ shape, role } = values[value];
		const leaf = values[value].wants,
			name = nameShown(value),
			brief = name.split(" / ").slice(-2).join("."),
			summed = backward.findIndex(step => step.op < 0 && step.value === value);
		const part = (label, run, x, w) =>
			this.button(label, run, {}, make("rect.touch", { x, y, width: w, height: CHIP - 6 }));
		const halves = [
			part(
				`${name} ${shapeText(shape)}${again ? " · " + word("again") : ""}`,
				() => this.go(row.op),
				CHIP_X,
				summed < 0 ? CHIP_WIDTH : CHIP_WIDTH - 31,
			),
		];
		if (summed >= 0)
			halves.push(
				part(name + ".grad", () => this.go(ops.length + summed), CHIP_X + CHIP_WIDTH - 31, 31),
			);
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
			make(
				"text",
				{ x: CHIP_X + 10, y: y + 31, class: "shape" },
				clip(shapeText(shape), leaf ? 9 : 12),
			),
			make("path.edge-line", {
				d: `M${CHIP_X + CHIP_WIDTH} ${y + 20}H${BOX_X - 2}m-5 -4l5 4l-5 4`,
			}),
			...halves,
		);
	}

	stepFor(i) {
		// its step in the direction on show
		const at = this.step >= ops.length ? backward.findIndex(step => step.op === i) : -1;
		return at < 0 ? i : ops.length + at;
	}

	toggle(group) {
		group.open = !group.open;
		this.draw();
		this.show(this.step, false, true, false);
	}

	// Colours and thumbnails of the values known at this step.
	show(s, covered = false, scrolls = true, opens = scrolls) {
		// covered: the user guesses this step's result
		Object.assign(this, { step: s, covered, shown: {} }); // shown: the boxes that are drawn
		const here = steps[s].op;
		const group = here >= 0 ? groupOf.get(here) : null;
		if (opens && group && group.heads && !group.open) {
			group.open = true;
			this.draw();
		}
		const inBackward = s >= ops.length;
		const done = new Set(backward.slice(0, Math.max(0, s - ops.length + 1)).map(step => step.op));
		this.plan.rows.forEach((row, at) => {
			const box = this.boxes[at];
			if (row.group) return box.classList.toggle("current", row.group === group);
			const state =
				row.op === here
					? "current"
					: inBackward
						? done.has(row.op)
							? "backed"
							: "waiting"
						: row.op < s
							? "done"
							: "waiting";
			box.setAttribute("class", `op ${state} ${inBackward ? "going-back" : "going-on"}`);
		});
		this.svg.querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
		(
			this.svg.querySelector(".current [role=button].box") ??
			this.svg.querySelector("[role=button]")
		)?.setAttribute("tabindex", 0);
		const row =
				this.plan.rows[this.plan.rowOfOp.get(here >= 0 ? here : this.consumer(steps[s].value))],
			view = $("graph");
		if (row && scrolls)
			view.scrollTop = Math.max(0, row.y + row.height / 2 - view.clientHeight / 2);
		this.drawPictures();
	}
	consumer(value) {
		return ops.findIndex(op => op.in.includes(value));
	}
}
