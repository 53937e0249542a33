// ---- What a step costs: memory, FLOPs, time

// Bytes saved for backward after each step: they rise in forward and fall in backward. `again`: an
// op's bytes while its gradient runs.
function memoryOf(saved, again) {
	let now = 0;
	return steps.map(step => {
		if (step.op < 0) return { now, most: now };
		const op = ops[step.op],
			before = now;
		now += (step.forward ? 1 : -1) * saved(op);
		return { now, most: step.forward ? now : before + again(op) };
	});
}
const memory = memoryOf(
	op => op.savedBytes,
	op => op.savedAgain,
);
const memoryWithoutCheckpoints = ops.some(op => op.savedAgain)
	? memoryOf(
			op => op.savedBytes + op.savedAgain,
			() => 0,
		)
	: null;
const mostOf = memory => Math.max(0, ...memory.map(step => step.most));

// One bar per step, with an axis; a click leads to the step.
function memoryBars(memory, s, scale, text) {
	const width = 600,
		height = 60,
		n = steps.length;
	const bar = ({ now, most }, i) => {
		const x = ((i * width) / n).toFixed(1),
			w = (width / n).toFixed(1),
			high = bytes => ((bytes / scale) * height).toFixed(1);
		return {
			solid: `M${x} ${height}v${-high(now)}h${w}V${height}z`,
			brief:
				most > now
					? `M${x} ${height - high(now)}V${height - high(most)}h${w}V${height - high(now)}`
					: "",
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
	return seconds < 1e-3
		? +(seconds * 1e6).toPrecision(3) + " µs"
		: +(seconds * 1e3).toPrecision(3) + " ms";
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
			[word("flops"), op.flops.toLocaleString(language)],
			...(tape.setup
				? []
				: [
						[word("forwardTime"), timeText(op.seconds[0])],
						[word("backwardTime"), timeText(op.seconds[1])],
					]),
		]) // a browser's clock is too coarse
			list.append(make("div", make("dt", name), make("dd", value)));
		parts.push(list);
	}
	const plain = memoryWithoutCheckpoints,
		most = mostOf(memory),
		scale = Math.max(1, most, plain ? mostOf(plain) : 0);
	const text =
		word("memory", { m: bytesText(most) }) + " " + word("inUse", { m: bytesText(tape.inUse) });
	parts.push(...memoryBars(memory, s, scale, plain ? word("withCheckpoints") + " " + text : text));
	if (plain)
		parts.push(
			...memoryBars(plain, s, scale, word("withoutCheckpoints", { m: bytesText(mostOf(plain)) })),
		);
	$("cost").replaceChildren(...parts);
}
