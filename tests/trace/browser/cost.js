// A step's cost, counted from the tape's arrays.
"use strict";
const assert = require("node:assert/strict");
const { product } = require("../arrays.js");
const { test, open, near } = require("../browser_test.js");

const bytesText = n => (n < 1000 ? `${n} B` : `${+(n / 1000).toPrecision(3)} kB`);
const time = seconds =>
	seconds < 1e-3
		? `${+(seconds * 1e6).toPrecision(3)} µs`
		: `${+(seconds * 1e3).toPrecision(3)} ms`;

// Bytes after each step; at the most, while one runs: `again` are there in an op's gradient.
function bytesOf({ ops, backward }, saved, again) {
	let now = 0;
	const after = [
		...ops.map(op => ({ now: (now += saved(op)), most: now })),
		...backward.map(({ op }) => {
			const before = now;
			if (op >= 0) now -= saved(ops[op]);
			return { now, most: op >= 0 ? before + again(ops[op]) : before };
		}),
	];
	return { after, most: Math.max(...after.map(({ most }) => most)) };
}

const barsOf = page =>
	page.evaluate(() =>
		[...document.querySelectorAll("#cost svg")].map(svg =>
			svg
				.querySelector(".bar")
				.getAttribute("d")
				.split("M")
				.slice(1)
				.map(bar => -Number(bar.split("v")[1].split("h")[0])),
		),
	);

test("what is kept, its bars and the peak are the sizes of the tensors saved, each counted once", async () => {
	const page = await open("ffn", "#step=1"),
		tape = await page.tape();
	const counted = new Set(),
		bytes = new Map(),
		own = (op, letter) => tape.values[op.in[op.letters.indexOf(letter)]]?.op ?? 0;
	for (const op of tape.ops) {
		// leaves and constants are there anyhow
		const arrays = Object.entries(op.saved)
			.filter(
				([letter, array]) => own(op, letter) >= 0 && !counted.has(array) && counted.add(array),
			)
			.map(([, array]) => array);
		bytes.set(
			op,
			arrays.reduce((sum, array) => sum + 4 * product(tape.arrays[array].shape), 0),
		);
	}
	const { after, most } = bytesOf(
		tape,
		op => bytes.get(op),
		() => 0,
	);
	assert.ok(most > 300 && new Set(bytes.values()).size > 2, [...bytes.values()].join());
	for (const [s, { now }] of after.entries()) {
		await page.toStep(s);
		near((await page.figures("#cost .cursor", "x1"))[0], (600 * (s + 0.5)) / after.length, 0, 0.1);
		await page.says(
			"#cost .keepers",
			new RegExp(`at this step: ${bytesText(now)}(?! ?\\d)`),
			`step ${s}`,
		);
		const done = new Set(
			tape.backward.slice(0, Math.max(0, s + 1 - tape.ops.length)).map(step => step.op),
		);
		const keep = tape.ops
			.filter((op, i) => bytes.get(op) && i <= s && !done.has(i))
			.map(op => `#${op.number} ${op.op} ${bytesText(bytes.get(op))}`);
		const said = (await page.locator("#cost .keeper").allTextContents()).map(one =>
			one.replace(/:.*· /, " "),
		);
		const sizes = said.map(
			one => tape.ops.find(({ number }) => one.startsWith(`#${number} `)).savedBytes,
		);
		assert.deepEqual(
			sizes,
			[...sizes].sort((a, b) => b - a),
			`step ${s}: the largest first`,
		);
		assert.deepEqual(said.sort(), keep.sort(), `step ${s}`);
	}
	const [bars] = await barsOf(page),
		high = Math.max(...bars);
	bars.forEach((bar, s) => near(bar / high, after[s].now / most, 0, 0.01, `step ${s}`));
	await page.says("#cost .stats", new RegExp(` ${bytesText(most)}`));
});

test("with checkpoints the peak has what runs again", async () => {
	for (const name of ["parts", "claims-checkpoint"]) {
		const page = await open(name, "#step=1"),
			tape = await page.tape();
		const { most } = bytesOf(
			tape,
			op => op.savedBytes,
			op => op.savedAgain,
		);
		assert.ok(tape.ops.some(op => op.savedAgain > 0));
		await page.says("#cost .stats", new RegExp(`with checkpoints.* ${bytesText(most)}`));
		const [solid] = await barsOf(page);
		assert.ok(Math.max(...solid) <= 60.1);
	}
});

test("an op's own bytes, operations and both times are those that were recorded", async () => {
	const page = await open("ffn", "#step=1"),
		tape = await page.tape();
	for (const [s, op] of [...tape.ops.entries()].filter(([, { op }]) => op === "matmul")) {
		await page.to(`#step=${s + 1}`);
		const [bytes, flops, forward, backward] = await page.locator("#cost dd").allTextContents();
		assert.equal(bytes, bytesText(op.savedBytes));
		const [rows, inner] = tape.values[op.in[0]].shape,
			columns = tape.values[op.in[1]].shape[1];
		assert.equal(flops, (2 * rows * inner * columns).toLocaleString("en"));
		assert.deepEqual([forward, backward], op.seconds.map(time));
		assert.notEqual(op.seconds[0], op.seconds[1]);
	}
});
