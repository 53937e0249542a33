// ---- What a step costs: memory, FLOPs, time

// Bytes saved for backward after each step: they rise in forward and fall in backward; and the most at
// once, with what a checkpoint saves again while its gradient runs.
let savedNow = 0;
const memory = steps.map(({ op, forward }) => {
	const { savedBytes = 0, savedAgain = 0 } = ops[op] ?? {},
		before = savedNow;
	savedNow += forward ? savedBytes : -savedBytes;
	return { now: savedNow, most: forward || op < 0 ? savedNow : before + savedAgain };
});
const mostSaved = Math.max(0, ...memory.map(step => step.most));

// One bar per step, with an axis; a click leads to the step.
function memoryBars(s, text) {
	const width = 600,
		height = 60,
		scale = Math.max(1, mostSaved),
		n = steps.length;
	const bar = ({ now, most }, i) => {
		const x = ((i * width) / n).toFixed(1),
			w = (width / n).toFixed(1),
			high = bytes => ((bytes / scale) * height).toFixed(1);
		return {
			solid: `M${x} ${height}v${-high(now)}h${w}V${height}z`,
			brief: most > now ? `M${x} ${height - high(now)}V${height - high(most)}h${w}V${height - high(now)}` : "",
		};
	};
	const path = (from, to, part, name) =>
		make("path", {
			d: memory
				.slice(from, to)
				.map((step, i) => bar(step, from + i)[part])
				.join(""),
			class: name,
		});
	const x = ((s + 0.5) * width) / n,
		turn = (ops.length * width) / n;
	const drawn = make(
		"svg",
		{
			viewBox: `0 -2 ${width} ${height + 4}`,
			class: "memory",
			role: "img",
			"aria-label": text,
			preserveAspectRatio: "none",
			onclick: event => go(Math.floor(placeOf(event, drawn)[0] * n)),
		},
		path(0, n, "solid", "bar"),
		path(ops.length, n, "brief", "bar-brief"),
		make("line.turn", { x1: turn, x2: turn, y1: -2, y2: height + 2 }),
		make("line.cursor", { x1: x, x2: x, y1: -2, y2: height + 2 }),
	);
	return [
		make("div.chart", make("div.axis", make("span", bytesText(scale)), make("span", "0")), drawn),
		make("div.below", make("span", word("forward") + " →"), make("span", word("backward") + " →")),
		make("p.stats", text),
	];
}

function timeText(seconds) {
	if (!seconds) return "—";
	return seconds < 1e-3 ? +(seconds * 1e6).toPrecision(3) + " µs" : +(seconds * 1e3).toPrecision(3) + " ms";
}

// The ops that save most after step s.
function keptBy(s) {
	const done = new Set(steps.slice(ops.length, s + 1).map(step => step.op));
	const keepers = ops
		.map((op, i) => ({ op, i }))
		.filter(({ op, i }) => op.savedBytes && i <= s && !done.has(i))
		.sort((a, b) => b.op.savedBytes - a.op.savedBytes);
	const shown = keepers
		.slice(0, 6)
		.map(({ op, i }) =>
			make(
				"button.keeper",
				{ onclick: () => go(i) },
				`${title(op)}: ${Object.keys(op.saved).join(", ")} · ${bytesText(op.savedBytes)}`,
			),
		);
	return make(
		"p.keepers",
		word("keptNow", { m: bytesText(memory[s].now) }),
		...shown,
		keepers.length > 6 ? word("moreOps", { n: keepers.length - 6 }) : "",
	);
}

function showCost(s, op) {
	const parts = [keptBy(s)];
	if (op) {
		const list = make("dl");
		for (const [name, value] of [
			[word("only"), bytesText(op.savedBytes)],
			["FLOP", op.flops.toLocaleString(language)],
			...(tape.setup
				? []
				: [
						[word("forward"), timeText(op.seconds[0])],
						[word("backward"), timeText(op.seconds[1])],
					]),
		]) // a browser's clock is too coarse
			list.append(make("div", make("dt", name), make("dd", value)));
		parts.push(list);
	}
	const text = [
		...(ops.some(op => op.savedAgain) ? [word("withCheckpoints")] : []),
		word("memory", { m: bytesText(mostSaved) }),
	].join(" ");
	parts.push(...memoryBars(s, text));
	$("cost").replaceChildren(...parts);
}
