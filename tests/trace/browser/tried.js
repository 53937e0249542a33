// The page's text about a change: the slope's prediction, the loss's change, and why they differ.
"use strict";
require("../browser_test.js");

const { ops: examples } = tapeIn(read("examples.html"));
// The page's rule for an op of these inputs, [shape, numbers] each: whether it has a kink at one, and on which
// side each is.
async function bending(op, inputs, attributes = {}, moved = null, block = null) {
	const [y] = [...inputs].sort(([a], [b]) => b.length - a.length),
		output = { std: [[1], [0]], amax: [[1], [2]] }[op] ?? y,
		all = [...inputs, output, [output[0], moved ?? output[1].map(() => 1)]],
		n = inputs.length,
		example = examples.find(one => one.op === op);
	const { bendsAt, sidesOf, ops } = await pageOf({
		values: all.map(([shape], value) => ({ name: "", op: -1, value, shape })),
		ops: [{ ...example, in: span(n), out: n, saved: {}, attributes }],
		backward: [],
		arrays: all.map(([shape, numbers]) => ({
			shape,
			v: Buffer.from(new Float32Array(numbers).buffer).toString("base64"),
			stats: {
				min: Math.min(...numbers),
				max: Math.max(...numbers),
				zeros: numbers.filter(x => x === 0).length,
			},
			block,
		})),
	});
	return { bends: Boolean(bendsAt(ops[0], { dY: n + 1 })), sides: sidesOf(ops[0]) };
}

test("an op bends where its slopes on both sides differ and a gradient goes through", async () => {
	const clamp = { lo: [-1], hi: [2] },
		of = (...numbers) => [[numbers.length], numbers],
		square = [
			[2, 2],
			[1, 2, 3, 4],
		],
		bends = async (...which) => (await bending(...which)).bends,
		h = 1e-5;
	const drawn = draws(1);
	let bent = 0;
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
			const three = from => span(3).map(() => drawn(from)),
				inputs = span(n).map(() => of(...three([-1, 0, -0, 0.3, 1, 2, NaN]))),
				dY = op === "amax" ? [1] : three([0, 1]);
			const moved = (at, i, by) =>
					reference[op]({
						inputs: inputs.map(([shape, v], j) => ({
							shape,
							v: v.map((x, l) => (j === at && l === i ? x + by : x)),
						})),
						shape: [3],
						of: given,
					}),
				y = moved(),
				kink = span(3 * n).some(i => {
					const [above, below] = [h, -h].map(by => moved(Math.floor(i / 3), i % 3, by));
					return y.some((x, k) => dY[k] && Math.abs(above[k] - 2 * x + below[k]) > 1e-3 * h);
				});
			equal(await bends(op, inputs, given, dY), kink, `${op} ${inputs.join(" ")}, dY ${dY}`);
			bent += kink;
		}
	ok(bent > 40, `${bent}`);
	for (const [op, inputs, does, block] of [
		["maximum", [square, of(0, 4)], true],
		["maximum", [square, of(2, 3)], false],
		["std", [of(2, 2)], true], // no spread
		["relu", [of(1, 0)], true, [1, 2]], // of blocks that show something else
		["relu", [of(1, 1e-45)], false, [1, 2]],
		["abs", [of(1, -0)], true, [1, 2]],
		["clamp", [of(1, 0)], false, [1, 2]],
		["trunc", [of(1, 0)], false, [1, 2]], // flat around it
	])
		equal(await bends(op, inputs, clamp, null, block), does, `${op} ${inputs}`);
	// How many of its numbers are on another side in the second case than in the first.
	for (const [op, before, after, n] of [
		["relu", [of(-1, 1, 2)], [of(1, 3, -1)], 2],
		["abs", [of(-2, 1)], [of(-1, -1)], 1],
		["clamp", [of(-2, 0, 3, 1)], [of(0, 3, 1, 1.5)], 3],
		["clamp", [of(-2, 3)], [of(3, -2)], 2],
		["maximum", [of(1, 2, 3), of(2, 1, 0)], [of(3, 3, -1), of(2, 1, 0)], 2],
		["maximum", [square, of(2, 3)], [square, of(0, 3)], 1],
	]) {
		const { sides: a } = await bending(op, before, clamp),
			{ sides: b } = await bending(op, after, clamp);
		equal(a.filter((side, i) => side !== b[i]).length, n, op);
	}
	equal((await bending("exp", [of(0, 1)])).sides, null);
});

test("what is said of a change turns where it should: digits, a kink, what is too fine, a curve", async () => {
	const state = { touched: { value: 0, i: 0 } };
	const { wasIs, compared, fineness, riseOf } = new Function(
		"state",
		`const word = (key, { was, is }) => (key === "was" ? [was, is] : key), stepOf = () => 1, make = (_, text) => text, bitsOf = String,
			slopeAt = () => state.slope,
			bench = { given: () => [state.now], lossNow: () => state.loss };
		${script("numbers") + script("tried").replace("function crossed", "function _") + script("../view/tried")}
		var crossed = () => ["switched"];
		return { wasIs, compared, fineness, riseOf };`,
	)(state);
	const digits = "1.5 1.25; 1.00001 1.00002; 1.00000001 1.00000002; 2 2";
	for (const two of table(digits)) deepEqual(wasIs(...two), two.map(String));
	const changes = `10 10 bySlope; 10 13 bySlope; 10 13.1 bySlope switched; 10 6.9 bySlope switched; 0.5 0 bySlope tooFine
		0 2 bySlope; 0 2.1 bySlope switched; 1 0 bySlope; -0.5 0 bySlope tooFine; -10 -13.1 bySlope switched`;
	for (const [p, loss, ...said] of table(changes)) {
		Object.assign(state, { now: 1, loss });
		state.touched.began = { x: 0, loss: 0, slope: p };
		deepEqual(compared(), [said.join(" ")], `${p} ${loss}`);
	}
	const slopes =
		"16 0 fineSlope; 16.5 0 curves; 100.5 100; 100.6 100 fineSlope; 10060 10000 curves; 10049 10000; -16 0 fineSlope";
	for (const [m, g, said = ""] of table(slopes)) equal(fineness(m, g, 1, 0).trim(), said, `${m} ${g}`);
	// The loss shows a rise of 16 of its steps; none is larger than the number and 1.
	for (const [slope, now, least, rise] of table(`1600 0 0.01 0.01; 1599 0 0.01 0.1; -1600 0 0.01 0.01; 1 0 0.01 1
		1 10 0.01 10; 1 10.1 0.01 100; -1 -10 0.01 10; 0 99 0.01 0.01; 32 0 0.5 0.5; 31 9 0.5 5`)) {
		Object.assign(state, { slope, now });
		near(riseOf(state.touched, least), rise, 1e-9, 0, `${slope} ${now} ${least}`);
	}
});

test("live: a step that the loss cannot show is said to be one, and the button's shows", async () => {
	const page = await live("live_fine", "#step=1&cell=t[0]");
	match(await page.slopes(), /Slope: computed by backward 1\.00e−4, .*One step of a 32-bit number/);
	await page.set("1.01");
	await page.says(
		"#compared",
		/^t\[0\] from 1 to 1\.01: at its slope the loss would move by 1\.0e−6; it moved by 0\. A 32-bit number near 999\.5 changes in steps of 6\.1e−5: it cannot show that\.$/,
	);
	await page.click("#reset");
	await page.says("#why .rise", "+1", "0.01 and 0.1 are lost, 1 is as far as one goes");
	await page.click("#reset");
	await page.fill("#search", "t"), await page.click(td("A", 1));
	await page.says("#why .rise", "+0.01");
	await page.clicked("#why .rise");
	for (const x of await page.moves("#why .compared")) near(x, 0.02, 0, 1e-3);
	await page.has(".rise:focus", 1, "to be pressed again");
});

test("live: a bend is told as one, beside it there is a slope, and what is no number is told so", async () => {
	const page = await live("live_fine", "#step=1&cell=t[2]");
	await page.set("2");
	await page.says(
		"#compared",
		/^t\[2\] from −0\.5 to 2: at its slope the loss would move by −2\.5; it moved by 1\.5\. At #\d+ abs, 1 number crossed the kink\.$/,
	);
	await page.fill("#search", "t.grad[2]");
	for (const [x, said] of table("0 | a number is at a kink; 0.5 | Raise t[2] alone; 0 | a number is at a kink")) {
		await page.set(String(x));
		ok((await page.text("#why .meaning")).includes(said), said);
	}
	await page.set("0.002");
	match(await page.slopes(), /within 0\.005 of it the loss is not straight/);
	// The loss takes its number times 0, too: an infinite one leaves NaN.
	const no = "is no number.",
		large = "is too large for a 32-bit number.";
	for (const [text, loss, said = ""] of [
		["abc", "999", no],
		["Infinity", "NaN"],
		["1", "1000"],
		["−∞", "NaN"],
		["1e39", "NaN", large],
		["3.4e38", "3.40e38"],
		["NaN", "NaN"],
		["-3.5e38", "NaN", large],
		["0", "999"],
		["", "999"],
	]) {
		await page.set(text);
		await page.says("#touch-problem", said && `${text} ${said}`);
		await page.says("#outcome", new RegExp(` ${loss}$`), text);
	}
	await page.typed("1", "1x");
	await page.says("#touch-problem", "1x is no number.", "also once 1 is computed");
	await page.set("-");
	await page.says("#touch-problem", "");
});

test("live: a number chosen while another's change is computed begins at the new loss", async () => {
	const page = await live("live_notebook", "#step=1&cell=w1[2,3]");
	const [before, after] = await page.evaluate(() => {
		const types = (id, text) => {
			const box = document.getElementById(id);
			(box.value = text), box.dispatchEvent(new Event("input"));
			return document.getElementById("outcome").textContent;
		};
		return [types("touch-number", "30"), types("search", "w1[2, 4]")]; // in one frame
	});
	notEqual(after, before, "it was not computed when the other was chosen");
	await page.says("#touch-name", "w1[2, 4]");
	await page.fill("#touch-number", "0.5");
	await page.waitForSelector("#compared .compared");
	for (const x of await page.moves()) near(x, 0, 0, 1e-3);
});
