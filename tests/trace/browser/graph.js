// The picture of the tape beside the tape in the page: boxes, arrows, groups, and the small pictures.
"use strict";
require("../browser_test.js");

// Every picture that is drawn: its frame, and the squares of each class.
const thumbs = page =>
	page.$$eval("#graph .op", ops =>
		ops.map(op =>
			[...op.querySelectorAll(".thumb")].map(thumb => {
				const frame = thumb.querySelector(".edge"),
					[x, y, w, h] = ["x", "y", "width", "height"].map(name => +frame.getAttribute(name));
				const squares = [...thumb.querySelectorAll("path")].flatMap(path =>
					path
						.getAttribute("d")
						.split("M")
						.slice(1)
						.map(d => ({
							at: d.match(/[-\d.]+/g).map(Number),
							look: path.getAttribute("class").slice(2),
							opacity: Number(path.getAttribute("fill-opacity") ?? 1),
						})),
				);
				return { x, y, w, h, hatched: frame.getAttribute("fill") === "url(#hatch)", squares };
			}),
		),
	);
// Each square has its block's colour: there are up to 14 across and 7 down.
function assertPicture(thumb, array, what) {
	const all = floats(array),
		{ shape, block = [1, 1], gaps } = array,
		columns = shape.at(-1) ?? 1,
		down = Math.ceil(product(shape) / columns / block[0]),
		across = Math.ceil(columns / block[1]),
		[high, wide] = [Math.min(7, down), Math.min(14, across)];
	equal(thumb.squares.length, high * wide, what);
	for (const { at, look, opacity } of thumb.squares) {
		const [x, y, w, h] = at;
		near(w, thumb.w / wide, 0, 0.06, what), near(h, thumb.h / high, 0, 0.06, what);
		const r = Math.round(((y - thumb.y) / thumb.h) * high),
			c = Math.round(((x - thumb.x) / thumb.w) * wide),
			k = Math.floor((r * down) / high) * across + Math.floor((c * across) / wide);
		equal(look, degree(all[k], largestOf(array)), `${what}, ${k}: ${all[k]}`);
		near(opacity, 1 - (gaps ? Buffer.from(gaps, "base64")[k] : 0) / 255, 0, 0.051, what);
	}
}

test("the pictures of the tape have the numbers of its tensors", async () => {
	for (const name of ["ffn", "large"]) {
		const page = await open(name, "", { viewport: { width: 1400, height: 3000 } }),
			{ ops, values, backward, arrays } = await page.tape(),
			n = ops.length,
			seen = new Set();
		for (const at of [n + backward.length - 1, n + 1, n, n - 1, 2]) {
			await page.toStep(at);
			const gone = backward.slice(0, Math.max(0, at - n + 1)),
				here = at < n ? at : backward[at - n].op,
				began = v => (at >= n && v === backward[0].value ? backward[0].dY : null),
				gradient = v =>
					gone
						.flatMap(({ adds }) => adds)
						.filter(add => add.value === v)
						.at(-1)?.total ?? began(v),
				done = k => (at < n ? k < at && "done" : gone.some(({ op }) => op === k) && "backed");
			deepEqual(
				await page.$$eval("#graph .op", all => all.map(one => one.getAttribute("class").split(" ")[1])),
				span(n).map(k => (k === here ? "current" : done(k) || "waiting")),
				`${name} step ${at + 1}`,
			);
			const boxes = await thumbs(page);
			equal(boxes.length, n);
			boxes.forEach((drawn, k) => {
				const { out, in: taken } = ops[k],
					expected = [out, ...new Set(taken.filter(v => values[v].op < 0))].flatMap(v => {
						const { op, value, wants } = values[v];
						return [op <= at ? value : null, ...(wants ? [gradient(v)] : [])];
					});
				equal(drawn.length, expected.length, `#${k + 1}`);
				drawn.forEach((thumb, j) => {
					const what = `${name} step ${at + 1} #${k + 1}, picture ${j}`;
					equal(thumb.hatched, expected[j] === null, what);
					if (expected[j] !== null) assertPicture(thumb, arrays[expected[j]], what), seen.add(expected[j]);
				});
			});
		}
		ok(seen.size > 15);
	}
});

test("an arrow leads from each op to each that reads it, and leaves stand beside it", async () => {
	for (const name of ["ffn", "claims-reuse", "claims-many"]) {
		const page = await open(name, "#step=1"),
			{ ops, values } = await page.tape();
		const { boxes, lines } = await page.evaluate(() => {
			const of = frame => ["y", "height"].map(name => +frame.getAttribute(name));
			return {
				boxes: [...document.querySelectorAll("#graph .op")].map(op => ({
					y: Number(op.getAttribute("transform").match(/translate\(0 ([\d.]+)\)/)[1]),
					h: of(op.querySelector(".box .frame"))[1],
					chips: [...op.querySelectorAll(".chip")].map(chip => ({
						y: of(chip.querySelector(".frame"))[0],
						h: of(chip.querySelector(".frame"))[1],
						label: chip.querySelector("[role=button]").getAttribute("aria-label"),
					})),
				})),
				lines: [...document.querySelectorAll("#graph svg > path")].map(one => one.getAttribute("d")),
			};
		});
		for (const all of [boxes, ...boxes.map(({ chips }) => chips)])
			all.forEach(({ y }, k) => ok(!k || y >= all[k - 1].y + all[k - 1].h, "one below the other"));
		const at = y => boxes.findIndex(box => y >= box.y && y <= box.y + box.h);
		// From a box's edge down to the next, or to a lane at x and along it to heads at some y.
		const found = lines.flatMap(d => {
			const [, x, from, to] = d.match(/^M([\d.]+) ([\d.]+)V([\d.]+)m-4 -4l4 5l4 -5$/) ?? [];
			if (x) return [`${at(from)} ${at(+to + 4)}`];
			const [, start, lane, end, heads] = d.match(/^M[\d.]+ ([\d.]+)H([\d.]+)V([\d.]+)(M.*)$/),
				ends = [...heads.matchAll(/M([\d.]+) ([\d.]+)H[\d.]+m5 -4l-5 4l5 4/g)];
			equal(+end, Math.max(...ends.map(([, , y]) => y)), d);
			return ends.map(([, x, y]) => (equal(x, lane), `${at(start)} ${at(y)}`));
		});
		const reads = ops.flatMap((op, k) =>
			[...new Set(op.in)].filter(v => values[v].op >= 0).map(v => `${values[v].op} ${k}`),
		);
		deepEqual(found.sort(), reads.sort(), name);
		const were = new Set(); // a later op says that they were there
		ops.forEach((op, k) => {
			const own = [...new Set(op.in)].filter(v => values[v].op < 0);
			equal(boxes[k].chips.length, own.length, `#${k + 1}`);
			own.forEach((v, j) => {
				const { label } = boxes[k].chips[j],
					{ shape, name } = values[v];
				ok(label.includes(shapeText(shape)) && label.startsWith(name), label);
				equal(/ · /.test(label), were.has(v), label);
				were.add(v);
			});
		});
	}
});

test("a group is shut and opened, and its ops with it", async () => {
	const page = await open("ffn", "#step=1"),
		head = "#graph .head >> nth=0",
		all = await page.count("#graph g.op"),
		inGroup = Number((await page.getAttribute(head, "aria-label")).match(/(\d+) ops/)[1]);
	const stands = async open => {
		equal(await page.getAttribute(head, "aria-expanded"), String(open));
		await page.has("#graph g.op", open ? all : all - inGroup);
	};
	await stands(true);
	await page.dispatchEvent(head, "click"), await stands(false);
	await page.presses("ArrowRight"), await stands(true); // a step in it opens it
	for (const [key, open] of [
		["Enter", false],
		[" ", true],
	])
		await page.focus(head), await page.keyboard.press(key), await stands(open);
});

// An op by its caller's line and its own, such as "a1"; "-": of no call.
test("each call of a module is a group, and fifty of many ops without one", async () => {
	for (const [ops, ...expected] of [
		["a1 a2 a3 a1 a2 a3 b1 - - a1", 3, 3, 1, 2, 1],
		["a1 a1 a2 a1 a1 a2", 3, 3],
		["a1 a2 b1 b2 a1", 2, 2, 1],
		["- ".repeat(60).trim(), 50, 10],
		["- ".repeat(61).trim(), 50, 11],
		["- ".repeat(50) + "a1 a2", 50, 2],
	]) {
		const all = ops.split(" ");
		const tape = all.map(([caller, own], k) => ({
			in: [],
			loc: ["of/m.cpp", own ?? k],
			caller: caller === "-" ? null : ["of/f.cpp", caller],
		}));
		let end = 0;
		deepEqual(
			(await laid(tape, "groups")).map(group => [group.ops, group.open, group.heads, group.label]),
			expected.map(n => {
				end += n;
				const [caller] = all[end - 1],
					label = caller === "-" ? `#${end - n} add … #${end - 1} add` : `m  (f.cpp:${caller})`,
					heads = n > 1 && (caller !== "-" || all.length > 60);
				return [span(end).slice(-n), all.length <= 60, heads, label];
			}),
			ops,
		);
	}
});
// An op by its parameter; -: it has none.
test("modules are folded within modules, and equal ones of a list are one", async () => {
	const block = k => `blocks.${k}.attention.Q - blocks.${k}.attention.O - blocks.${k}.ffn.w1 - blocks.${k}.ffn.w2 -`,
		named = (tape, each) => {
			const all = tape.split(" ");
			return ran(
				["numbers", "data", "layout"].map(script).join("\n") +
					`; const list = parts => parts.map(part => part.ops ? [part.label, list(part.parts)] : part);
					return [list(groups[0].parts), layOut(new Set()).rows.length, layOut(new Set(groupsOver(0))).rows.length];`,
				{
					values: all.flatMap((name, k) => [
						{ name: name === "-" ? "" : name, op: -1, shape: [2], wants: name !== "-" },
						{ name: "", op: k, shape: [2] },
					]),
					ops: all.map((_, k) => ({
						op: "add",
						number: k,
						in: [2 * k],
						out: 2 * k + 1,
						loc: ["a.cpp", k % each || 0],
						caller: each && ["b.cpp", 1],
					})),
					backward: [],
					arrays: [],
				},
			);
		},
		of = k => [
			`blocks.${k}`,
			[["attention", [0, 1, 2].map(i => i + 8 * k)], 3 + 8 * k, ["ffn", [4, 5, 6].map(i => i + 8 * k)], 7 + 8 * k],
		];
	deepEqual(await named([0, 1, 2].map(block).join(" ") + " - head.weight"), [
		[["blocks.0 … blocks.2  × 3", [of(0), of(1), of(2)]], 24, 25],
		3,
		13, // the list, blocks.0 with attention's three ops, a sum, ffn and a sum, two blocks, two ops
	]);
	// Calls of modules, each from the same line.
	const called = await named("l.0.w - l.0.b - l.1.w - l.1.b -", 4);
	deepEqual(called.slice(1), [1, 1 + 1 + 4 + 1]);
	const apart = "net.0.weight net.0.bias - net.2.weight net.2.bias -"; // a module without parameters between
	deepEqual((await named(apart))[0], [["net.0", [0, 1]], 2, ["net.2", [3, 4]], 5]);
	const deep = "a.b.c.w - a.b.c.w tok.w -";
	deepEqual((await named(deep))[0], [["a / b / c", [0, 1, 2]], 3, 4]);
});

// Where the ops of a tape are, without a browser. Their first input is value 0, a leaf.
const laid = (ops, what) =>
	ran(["numbers", "data", "layout"].map(script).join("\n") + `; return ${what};`, {
		values: [{ name: "x", op: -1, shape: [2] }, ...ops.map((_, op) => ({ name: "", op, shape: [2] }))],
		ops: ops.map((op, k) => ({
			op: "add",
			number: k,
			out: k + 1,
			caller: null,
			loc: ["a.cpp", k],
			...op,
		})),
		backward: [],
		arrays: [],
	});

test("each edge of any tape has a lane of its own, and no more lanes than needed are drawn", async () => {
	const drawn = draws(1);
	for (let k = 0; k < 60; ++k) {
		const n = 3 + drawn(span(14)),
			ops = span(n).map(i => ({ in: [drawn(span(i + 1)), drawn(span(i + 1))] }));
		const { rows, near, far, lanes } = await laid(ops, "layOut()");
		const reads = ops.flatMap((op, to) => [...new Set(op.in)].filter(v => v > 0).map(v => `${v - 1} ${to}`)),
			edges = [...near, ...far.flatMap(({ from, to }) => to.map(one => ({ from, to: one })))];
		deepEqual(edges.map(({ from, to }) => `${from} ${to}`).sort(), reads.sort());
		ok(near.every(({ from, to }) => to === from + 1) && rows.length === n);
		const spans = far.map(({ from, to, lane }) => ({ from, end: Math.max(...to), lane }));
		for (const a of spans)
			for (const b of spans)
				ok(a === b || a.lane !== b.lane || a.end <= b.from || b.end <= a.from, JSON.stringify([a, b]));
		const at = row => spans.filter(({ from, end }) => from <= row && row < end).length,
			most = Math.max(...span(n).map(at));
		deepEqual([lanes, Math.max(-1, ...spans.map(({ lane }) => lane)) + 1], [most, most]);
	}
});
