// The page's text about a change: the slope's prediction, the loss's change, and why they differ.
"use strict";
const assert = require("node:assert/strict");
const { span } = require("../arrays.js");
const { reference } = require("../reference.js");
const { pageOf, tapeIn } = require("../scripts.js");
const { test, live, read, td, near } = require("../browser_test.js");

const { ops: examples } = tapeIn(read("examples.html"));
// The page's rule for an op of these inputs: whether it has a kink at one, and on which side
// each is.
async function bending(op, inputs, attributes = {}, moved = null, block = null) {
	const array = ([shape, numbers]) => ({
		shape,
		v: Buffer.from(new Float32Array(numbers).buffer).toString("base64"),
		stats: {
			min: Math.min(...numbers),
			max: Math.max(...numbers),
			zeros: numbers.filter(x => x === 0).length,
		},
		block,
	});
	const [y] = [...inputs].sort(([a], [b]) => b.length - a.length),
		outputs = { std: [[1], [0]], amax: [[1], [2]] }[op] ?? y,
		all = [...inputs, outputs, [outputs[0], moved ?? outputs[1].map(() => 1)]];
	const tape = {
		values: all.map(([shape], value) => ({ name: "", op: -1, value, shape })),
		ops: [
			{
				...examples.find(one => one.op === op),
				in: inputs.map((_, i) => i),
				out: inputs.length,
				saved: {},
				attributes,
			},
		],
		backward: [],
		arrays: all.map(array),
	};
	const { bendsAt, sidesOf } = await pageOf(tape);
	return {
		bends: Boolean(bendsAt(tape.ops[0], { dY: inputs.length + 1 })),
		sides: sidesOf(tape.ops[0]),
	};
}

test("an op bends where its slopes on both sides differ and a gradient goes through; beyond it is another side", async () => {
	const clamp = { lo: [-1], hi: [2] },
		of = (...numbers) => [[numbers.length], numbers],
		square = (...numbers) => [[2, 2], numbers],
		bends = async (...which) => (await bending(...which)).bends,
		h = 1e-5;
	let seed = 1,
		bent = 0;
	const drawn = list => list[(seed = (seed * 48271) % 2147483647) % list.length];
	for (const [op, n, given = {}] of [
		["relu", 1],
		["abs", 1],
		["leaky_relu", 1, { a: [0.3] }],
		["elu", 1, { a: [0.5] }],
		["hardtanh", 1, { a: [-1], b: [0.3] }],
		["clamp", 1, clamp],
		["clamp", 1, { lo: [0.3], hi: ["inf"] }],
		["maximum", 2],
		["amax", 1, { dim: [0] }],
		["exp", 1],
		["mul", 2],
	])
		for (let k = 0; k < 20; ++k) {
			const inputs = span(n).map(() =>
					of(...span(3).map(() => drawn([-1, 0, -0, 0.3, 1, 2, NaN]))),
				),
				dY = op === "amax" ? [1] : span(3).map(() => drawn([0, 1])),
				moved = (at, i, by) =>
					reference[op]({
						inputs: inputs.map(([shape, v], j) => ({
							shape,
							v: v.map((x, l) => (j === at && l === i ? x + by : x)),
						})),
						shape: [3],
						of: given,
					}),
				y = moved(),
				kink = span(3 * n).some(i =>
					y.some((x, out) => {
						const [above, below] = [h, -h].map(by => moved(Math.floor(i / 3), i % 3, by)[out]);
						return dY[out] && Math.abs(above - 2 * x + below) > 1e-3 * h;
					}),
				);
			assert.equal(await bends(op, inputs, given, dY), kink, `${op} ${inputs.join(" ")}, dY ${dY}`),
				(bent += kink);
		}
	assert.ok(bent > 40 && (await bends("maximum", [square(1, 2, 3, 4), of(0, 4)])), `${bent}`);
	assert.ok(!(await bends("maximum", [square(1, 2, 3, 4), of(2, 3)])));
	for (const [op, x, does] of [
		["relu", 0, true],
		["relu", 1e-45, false],
		["abs", -0, true],
		["clamp", 0, false],
		["trunc", 0, false], // flat around it
	]) // of blocks that show something else
		assert.equal(await bends(op, [of(1, x)], { lo: [-1], hi: [2] }, null, [1, 2]), does, op);
	assert.ok(await bends("std", [of(2, 2)]), "no spread");
	// How many of its numbers are on another side in the second case than in the first.
	for (const [op, before, after, n] of [
		["relu", [of(-1, 1, 2)], [of(1, 3, -1)], 2],
		["abs", [of(-2, 1)], [of(-1, -1)], 1],
		["clamp", [of(-2, 0, 3, 1)], [of(0, 3, 1, 1.5)], 3],
		["clamp", [of(-2, 3)], [of(3, -2)], 2],
		["maximum", [of(1, 2, 3), of(2, 1, 0)], [of(3, 3, -1), of(2, 1, 0)], 2],
		["maximum", [square(1, 2, 3, 4), of(2, 3)], [square(1, 2, 3, 4), of(0, 3)], 1],
	]) {
		const of = async inputs => (await bending(op, inputs, op === "clamp" ? clamp : {})).sides,
			[a, b] = [await of(before), await of(after)];
		assert.equal(a.filter((side, i) => side !== b[i]).length, n, op);
	}
	assert.equal((await bending("exp", [of(0, 1)])).sides, null);
});

test("live: a step that the loss cannot show is said to be one, and the button's is one that it shows", async () => {
	const page = await live("live_fine", "#step=1&cell=t[0]");
	assert.match(
		await page.slopes(),
		/Slope: computed by backward 1\.00e−4, .*One step of a 32-bit number/,
	);
	await page.set("1.01");
	await page.says(
		"#compared",
		/^t\[0\] from 1 to 1\.01: at its slope the loss would move by 1\.0e−6; it moved by 0\. A 32-bit number near 999\.5 changes in steps of 6\.1e−5: it cannot show that\.$/,
	);
	await page.click("#reset");
	const rise = await page.text("#why .rise");
	assert.equal(rise, "+1", "0.01 and 0.1 are lost, 1 is as far as one goes");
	await page.click("#reset");
	await page.fill("#search", "t"), await page.click(td("A", 1));
	await page.says("#why .rise", "+0.01");
	await page.click("#why .rise"), await page.settled();
	const [p, r] = await page.moves("#why .compared");
	near(p, 0.02, 0, 1e-3), near(r, 0.02, 0, 1e-3);
	assert.ok(
		await page.evaluate(() => document.activeElement.matches(".rise")),
		"to be pressed again",
	);
});

test("live: what a gradient says of the loss goes with the number: at a bend nothing, beside it the slope there", async () => {
	const page = await live("dropout_and_relu", "#step=1"),
		{ shape } = (await page.tape()).values.find(({ name }) => name === "x");
	await page.fill("#search", "x.grad");
	const gradient = await page.locator("#cards .card.result td[data-i]").allTextContents(),
		i = gradient.findIndex(g => g !== "0"),
		cell = `[${Math.floor(i / shape[1])}, ${i % shape[1]}]`;
	await page.fill("#search", "x.grad" + cell);
	for (const [x, said] of [
		["0", "kink"],
		["0.5", `Raise x${cell} alone by 0.01`],
		["0", "kink"],
		["-3", `The slope is 0 here: a small rise of x${cell}`],
	]) {
		await page.set(x);
		const meaning = (await page.locator("#why .meaning").allTextContents()).join(" ");
		assert.ok(meaning.includes(said), `${x}: ${meaning}`);
	}
});

test("live: where a ReLU switches on the way, the slope's word and the loss's are both said, and that it switched", async () => {
	const page = await live("live_fine", "#step=1&cell=t[2]");
	await page.set("2");
	const said = await page.text("#compared");
	for (const [x, switched] of [
		["0.025", false],
		["0.028", true],
	]) // a tenth of the slope's word is let pass
		await page.set(x),
			assert.equal(/crossed the kink/.test(await page.text("#compared")), switched, x);
	assert.match(
		said,
		/^t\[2\] from −0\.5 to 2: at its slope the loss would move by −2\.5; it moved by 1\.5\. At #\d+ abs, 1 number crossed the kink\.$/,
	);
});

test("live: a measured slope that a bend makes another is no matter of rounding; what is no number is told so", async () => {
	const page = await live("live_fine", "#step=1&cell=t[2]");
	await page.set("0.002");
	assert.match(await page.slopes(), /within 0\.005 of it the loss is not straight/);
	// The loss takes its number times 0, too: an infinite one leaves NaN.
	for (const [text, said, loss] of [
		["abc", "abc is no number.", / 999$/],
		["Infinity", "", / NaN$/],
		["1", "", / 1000$/],
		["−∞", "", / NaN$/],
		["1e39", "1e39 is too large for a 32-bit number.", / NaN$/],
		["3.4e38", "", / 3\.40e38$/],
		["NaN", "", / NaN$/],
		["-3.5e38", "-3.5e38 is too large for a 32-bit number.", / NaN$/],
		["0", "", / 999$/],
		["", "", / 999$/],
	]) {
		await page.set(text);
		await page.says("#touch-problem", said);
		await page.says("#outcome", loss, text);
	}
	await page.typed("1", "1x");
	await page.says("#touch-problem", "1x is no number.", "also once 1 is computed");
	await page.set("-");
	await page.says("#touch-problem", "");
});

test("live: the number that is chosen while another's change is still computed begins at the new loss", async () => {
	const page = await live("live_notebook", "#step=1&cell=w1[2,3]");
	const [before, after] = await page.evaluate(() => {
		const outcome = document.getElementById("outcome"),
			types = (id, text) => {
				const box = document.getElementById(id);
				(box.value = text), box.dispatchEvent(new Event("input"));
				return outcome.textContent;
			};
		return [types("touch-number", "30"), types("search", "w1[2, 4]")]; // in one frame
	});
	assert.notEqual(after, before, "it was not computed when the other was chosen");
	await page.says("#touch-name", "w1[2, 4]");
	await page.fill("#touch-number", "0.5");
	await page.waitForSelector("#compared .compared");
	const [p, r] = await page.moves();
	near(p, 0, 0, 1e-3), near(r, 0, 0, 1e-3);
});
