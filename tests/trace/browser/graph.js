// The picture of the tape beside the tape in the page: boxes, arrows, groups, and the small pictures.
"use strict";
const assert = require("node:assert/strict");
const { product, floats, shapeText, span, degree, largestOf } = require("../arrays.js");
const { script, ran } = require("../scripts.js");
const { test, open, near } = require("../browser_test.js");

// Every picture that is drawn: its frame, and the squares of each class.
const thumbs = page =>
	page.evaluate(() =>
		[...document.querySelectorAll("#graph .op")].map(op =>
			[...op.querySelectorAll(".thumb")].map(thumb => {
				const frame = thumb.querySelector(".edge"),
					of = name => Number(frame.getAttribute(name));
				return {
					x: of("x"),
					y: of("y"),
					w: of("width"),
					h: of("height"),
					hatched: frame.getAttribute("fill") === "url(#hatch)",
					squares: [...thumb.querySelectorAll("path")].flatMap(path =>
						path
							.getAttribute("d")
							.split("M")
							.slice(1)
							.map(d => ({
								at: d.match(/[-\d.]+/g).map(Number),
								look: path.getAttribute("class").slice(2),
								opacity: Number(path.getAttribute("fill-opacity") ?? 1),
							})),
					),
				};
			}),
		),
	);
// The block that a square of a picture shows, with that many down and across.
const shown = ({ shape, block }) => {
	const columns = shape.at(-1) ?? 1,
		rows = product(shape) / columns,
		down = Math.ceil(rows / (block?.[0] ?? 1)),
		across = Math.ceil(columns / (block?.[1] ?? 1));
	const high = Math.min(7, down),
		wide = Math.min(14, across);
	return {
		high,
		wide,
		cell: (r, c) => Math.floor((r * down) / high) * across + Math.floor((c * across) / wide),
	};
};
function assertPicture(thumb, array, what) {
	const all = floats(array),
		zeros = array.gaps ? [...Buffer.from(array.gaps, "base64")] : all.map(() => 0),
		{ high, wide, cell } = shown(array);
	assert.equal(thumb.squares.length, high * wide, what);
	for (const {
		at: [x, y, w, h],
		look,
		opacity,
	} of thumb.squares) {
		assert.ok(Math.abs(w - thumb.w / wide) < 0.06 && Math.abs(h - thumb.h / high) < 0.06, what);
		const k = cell(
			Math.round(((y - thumb.y) / thumb.h) * high),
			Math.round(((x - thumb.x) / thumb.w) * wide),
		);
		assert.equal(look, degree(all[k], largestOf(array)), `${what}, ${k}: ${all[k]}`);
		near(opacity, 1 - zeros[k] / 255, 0, 0.051, what);
	}
}

test("the pictures of the tape have the numbers of its tensors, each in its place, and of a large one what stands out", async () => {
	for (const name of ["ffn", "large"]) {
		const page = await open(name, "", { viewport: { width: 1400, height: 3000 } }),
			tape = await page.tape();
		const n = tape.ops.length,
			seen = new Set();
		for (const at of [n + tape.backward.length - 1, n + 1, n, n - 1, 2]) {
			await page.toStep(at);
			const gradient = v =>
				tape.backward
					.slice(0, Math.max(0, at - n + 1))
					.flatMap(({ adds }) => adds)
					.filter(add => add.value === v)
					.at(-1)?.total ?? (at >= n && v === tape.backward[0].value ? tape.backward[0].dY : null);
			const boxes = await thumbs(page),
				here = at < n ? at : tape.backward[at - n].op,
				gone = k =>
					at < n ? k < at : tape.backward.slice(0, at - n + 1).some(({ op }) => op === k),
				state = k => (k === here ? "current" : !gone(k) ? "waiting" : at < n ? "done" : "backed");
			assert.deepEqual(
				await page
					.locator("#graph .op")
					.evaluateAll(all => all.map(one => one.getAttribute("class").split(" ")[1])),
				span(n).map(state),
				`${name} step ${at + 1}`,
			);
			assert.equal(boxes.length, n);
			boxes.forEach((drawn, k) => {
				const { out, in: taken } = tape.ops[k],
					own = [out, ...new Set(taken.filter(v => tape.values[v].op < 0))];
				const expected = own.flatMap(v => {
					const { op, value, wants } = tape.values[v];
					return [op <= at ? value : null, ...(wants ? [gradient(v)] : [])];
				});
				assert.equal(drawn.length, expected.length, `#${k + 1}`);
				drawn.forEach((thumb, j) => {
					const what = `${name} step ${at + 1} #${k + 1}, picture ${j}`;
					assert.equal(thumb.hatched, expected[j] === null, what);
					if (expected[j] === null) return;
					assertPicture(thumb, tape.arrays[expected[j]], what), seen.add(expected[j]);
				});
			});
		}
		assert.ok(seen.size > 15);
	}
});

test("an arrow leads from each op to each that reads it", async () => {
	for (const name of ["ffn", "claims-reuse", "claims-many"]) {
		const page = await open(name, "#step=1"),
			{ ops, values } = await page.tape();
		const { boxes, lines, chips } = await page.evaluate(() => {
			const up = one => Number(one.getAttribute("transform").match(/translate\(0 ([\d.]+)\)/)[1]);
			return {
				boxes: [...document.querySelectorAll("#graph .op")].map(op => ({
					y: up(op),
					h: Number(op.querySelector(".box .frame").getAttribute("height")),
					x: Number(op.querySelector(".box .frame").getAttribute("x")),
					w: Number(op.querySelector(".box .frame").getAttribute("width")),
				})),
				lines: [...document.querySelector("#graph svg").children]
					.filter(one => one.matches("path"))
					.map(one => one.getAttribute("d")),
				chips: [...document.querySelectorAll("#graph .op")].map(op =>
					[...op.querySelectorAll(".chip")].map(chip => ({
						y: +chip.querySelector(".frame").getAttribute("y"),
						h: +chip.querySelector(".frame").getAttribute("height"),
						again: chip.classList.contains("again"),
						labels: [...chip.querySelectorAll("[role=button]")].map(one =>
							one.getAttribute("aria-label"),
						),
					})),
				),
			};
		});
		for (let k = 1; k < boxes.length; ++k)
			assert.ok(boxes[k].y >= boxes[k - 1].y + boxes[k - 1].h, "one below the other");
		const at = y => boxes.findIndex(box => y >= box.y && y <= box.y + box.h),
			found = [];
		for (const d of lines) {
			const near = d.match(/^M([\d.]+) ([\d.]+)V([\d.]+)m-4 -4l4 5l4 -5$/);
			if (near) {
				const [x, from, to] = near.slice(1).map(Number),
					k = at(from);
				assert.ok(from === boxes[k].y + boxes[k].h && x === boxes[k].x + boxes[k].w / 2, d);
				assert.equal(to, boxes[k + 1].y - 4);
				found.push(`${k} ${k + 1}`);
				continue;
			}
			const [, right, start, lane, end, heads] = d.match(
					/^M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)(M.*)$/,
				),
				from = at(Number(start));
			const ends = [...heads.matchAll(/M([\d.]+) ([\d.]+)H([\d.]+)m5 -4l-5 4l5 4/g)].map(head =>
				head.slice(1).map(Number),
			);
			assert.equal(Number(right), boxes[from].x + boxes[from].w);
			for (const [x, y, to] of ends)
				assert.ok(x === Number(lane) && to > Number(right) && to < Number(lane), d),
					found.push(`${from} ${at(y)}`);
			assert.equal(Number(end), Math.max(...ends.map(([, y]) => y)), d);
		}
		const reads = ops.flatMap((op, k) =>
			[...new Set(op.in)].filter(v => values[v].op >= 0).map(v => `${values[v].op} ${k}`),
		);
		assert.deepEqual(found.sort(), reads.sort(), name);
		// The leaves and constants of an op beside it, each once; a later op says that they were there.
		const were = new Set();
		ops.forEach((op, k) => {
			const own = [...new Set(op.in)].filter(v => values[v].op < 0);
			assert.equal(chips[k].length, own.length, `#${k + 1}`);
			own.forEach((v, j) => {
				const { y, again, labels } = chips[k][j];
				assert.ok(!j || y >= chips[k][j - 1].y + chips[k][j - 1].h, "one below the other");
				assert.equal(again, were.has(v));
				assert.ok(
					labels[0].includes(shapeText(values[v].shape)) &&
						(!values[v].name || labels[0].startsWith(values[v].name)),
					labels[0],
				);
				assert.equal(/ · /.test(labels[0]), were.has(v), labels[0]);
				were.add(v);
			});
		});
	}
});

test("a group is shut and opened, and its ops with it", async () => {
	const page = await open("ffn", "#step=1"),
		head = page.locator("#graph .head").first();
	const boxes = () => page.locator("#graph g.op").count(),
		all = await boxes();
	const label = await head.getAttribute("aria-label"),
		inGroup = Number(label.match(/(\d+) ops/)[1]);
	assert.equal(await head.getAttribute("aria-expanded"), "true");
	await head.dispatchEvent("click");
	assert.equal(await page.locator("#graph .head").first().getAttribute("aria-expanded"), "false");
	assert.equal(await boxes(), all - inGroup);
	await page.keyboard.press("ArrowRight");
	assert.equal(await boxes(), all, "a step in it opens it");
	await page.locator("#graph .head").first().dispatchEvent("click");
	await page.locator("#graph .head").first().focus();
	for (const [key, n] of [
		["Enter", all],
		[" ", all - inGroup],
	]) {
		await page.keyboard.press(key);
		assert.equal(await boxes(), n);
		await page.locator("#graph .head").first().focus();
	}
});

// An op by its caller's line and its own, such as "a1"; "-": of no call.
test("each call of a module is a group, also the next from the same line, and without calls each fifty of more than sixty", async () => {
	for (const [ops, ...expected] of [
		["a1 a2 a3 a1 a2 a3 b1 - - a1", 3, 3, 1, 2, 1],
		["a1 a1 a2 a1 a1 a2", 3, 3],
		["a1 a2 b1 b2 a1", 2, 2, 1],
		["- ".repeat(60).trim(), 50, 10],
		["- ".repeat(61).trim(), 50, 11],
		["- ".repeat(50) + "a1 a2", 50, 2],
	]) {
		const all = ops.split(" "),
			groups = await ran(["data", "layout"].map(script).join("\n") + "; return groups;", {
				values: all.map((_, op) => ({ name: "", op, shape: [] })),
				ops: all.map(([caller, own], out) => ({
					op: "add",
					number: out,
					in: [],
					out,
					loc: ["of/m.cpp", own ?? out],
					caller: caller === "-" ? null : ["of/f.cpp", caller],
				})),
				backward: [],
				arrays: [],
			});
		let end = 0;
		assert.deepEqual(
			groups.map(group => [group.ops, group.open, group.heads, group.label]),
			expected.map(n => {
				end += n;
				const [caller] = all[end - 1],
					label = caller === "-" ? `#${end - n} add … #${end - 1} add` : `m  (f.cpp:${caller})`;
				return [
					span(end).slice(-n),
					all.length <= 60,
					n > 1 && (caller !== "-" || all.length > 60),
					label,
				];
			}),
			ops,
		);
	}
});

test("each edge of any tape has a lane of its own from where it begins to its last end, and no more lanes are drawn than are needed", async () => {
	const source = ["data", "layout"].map(script).join("\n");
	let seed = 1;
	const drawn = n => (seed = (seed * 48271) % 2147483647) % n;
	for (let k = 0; k < 60; ++k) {
		const n = 3 + drawn(14),
			values = [{ name: "x", op: -1, shape: [2] }],
			ops = [];
		for (let i = 0; i < n; ++i) {
			ops.push({
				number: i + 1,
				op: "add",
				in: [drawn(values.length), drawn(values.length)],
				out: values.length,
				loc: ["a.cpp", i],
				caller: null,
			});
			values.push({ name: "", op: i, shape: [2] });
		}
		const { rows, near, far, lanes } = await ran(source + "; return layOut();", {
			values,
			ops,
			backward: [],
			arrays: [],
		});
		const reads = ops.flatMap((op, to) =>
				[...new Set(op.in)].filter(v => v > 0).map(v => `${v - 1} ${to}`),
			),
			edges = [...near, ...far.flatMap(({ from, to }) => to.map(one => ({ from, to: one })))];
		assert.deepEqual(edges.map(({ from, to }) => `${from} ${to}`).sort(), reads.sort());
		assert.ok(near.every(({ from, to }) => to === from + 1) && rows.length === n);
		const spans = far.map(({ from, to, lane }) => ({ from, end: Math.max(...to), lane }));
		for (const a of spans)
			for (const b of spans)
				assert.ok(
					a === b || a.lane !== b.lane || a.end <= b.from || b.end <= a.from,
					JSON.stringify([a, b]),
				);
		const most = Math.max(
			0,
			...span(n).map(row => spans.filter(({ from, end }) => from <= row && row < end).length),
		);
		assert.deepEqual(
			[lanes, Math.max(-1, ...spans.map(({ lane }) => lane)) + 1],
			[most, most],
			"as many as there are at once",
		);
	}
});
