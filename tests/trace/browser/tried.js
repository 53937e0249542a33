// The page's text about a change: the slope's prediction, the loss's change, and why they differ.
"use strict";
const assert = require("node:assert/strict");
const { product, span } = require("../arrays.js");
const { script, ran } = require("../scripts.js");

module.exports = ({ live, settled, shut, text, slopes, number, set, tapeOf }) => {
	// The page's rule for an op of these inputs: whether it has a kink at one, and on which side
	// each is.
	async function bending(op, inputs, attributes = {}, moved = null) {
		const array = ([shape, numbers]) => ({
			shape,
			v: Buffer.from(new Float32Array(numbers).buffer).toString("base64"),
			stats: { min: Math.min(...numbers), max: Math.max(...numbers), zeros: 0 },
		});
		const [y] = [...inputs].sort(([a], [b]) => b.length - a.length),
			outputs = { std: [[1], [0]], amax: [[1], [2]] }[op] ?? y,
			all = [...inputs, outputs, [outputs[0], moved ?? outputs[1].map(() => 1)]];
		const tape = {
			values: all.map(([shape], value) => ({ name: "", op: -1, value, shape })),
			ops: [{ op, in: inputs.map((_, i) => i), out: inputs.length, saved: {}, attributes }],
			backward: [],
			arrays: all.map(array),
		};
		const { bendsAt, sidesOf } = await ran(
			["data", "why", "meaning"].map(script).join("\n") +
				"; class Bench {}\n" +
				script("tried") +
				"; return { bendsAt, sidesOf };",
			tape,
		);
		return {
			bends: Boolean(bendsAt(tape.ops[0], { dY: inputs.length + 1 })),
			sides: sidesOf(tape.ops[0]),
		};
	}

	return {
		async "an op bends where a number stands at its bend and a gradient goes through; beyond it is another side"() {
			const clamp = { lo: [-1], hi: [2] },
				of = (...numbers) => [[numbers.length], numbers],
				dim = { dim: [0] };
			for (const [op, inputs, attributes, at] of [
				["relu", [of(0, 1, -1)], {}, 0],
				["abs", [of(3, 0, -1)], {}, 1],
				["clamp", [of(-1, 0, 5)], clamp, 0],
				["clamp", [of(-3, 0, 2)], clamp, 2],
				["maximum", [of(1, 2, 3), of(2, 2, 2)], {}, 1],
				[
					"maximum",
					[
						[
							[2, 2],
							[1, 2, 3, 4],
						],
						of(0, 4),
					],
					{},
					3,
				],
			]) {
				const n = product(inputs[0][0]),
					moves = test => span(n).map(i => +test(i));
				assert.ok((await bending(op, inputs, attributes)).bends, op);
				assert.ok(
					(
						await bending(
							op,
							inputs,
							attributes,
							moves(i => i === at),
						)
					).bends,
					`${op}: a gradient goes there alone`,
				);
				assert.ok(
					!(
						await bending(
							op,
							inputs,
							attributes,
							moves(i => i !== at),
						)
					).bends,
					`${op}: none goes there`,
				);
			}
			for (const [op, inputs, attributes] of [
				["relu", [of(1, -1)]],
				["abs", [of(2, -2)]],
				["clamp", [of(0, -3, 3)], clamp],
				["maximum", [of(1, 2), of(2, 1)]],
				["amax", [of(1, 2, -2)], dim],
				["exp", [of(0, 1)]],
				["mul", [of(0, 1), of(0, 1)]],
			])
				assert.ok(!(await bending(op, inputs, attributes)).bends, op);
			assert.ok(
				(await bending("amax", [of(2, 1, 2)], dim)).bends &&
					(await bending("std", [of(2, 2)])).bends,
				"ties, and no spread",
			);
			// How many of its numbers are on another side in the second case than in the first.
			const crossing = async (op, before, after, attributes) => {
				const [{ sides: a }, { sides: b }] = [
					await bending(op, before, attributes),
					await bending(op, after, attributes),
				];
				return a.filter((side, i) => side !== b[i]).length;
			};
			for (const [op, before, after, n] of [
				["relu", [of(-1, 1, 2)], [of(1, 3, -1)], 2],
				["abs", [of(-2, 1)], [of(-1, -1)], 1],
				["clamp", [of(-2, 0, 3, 1)], [of(0, 3, 1, 1.5)], 3],
				["clamp", [of(-2, 3)], [of(3, -2)], 2],
				["maximum", [of(1, 2, 3), of(2, 1, 0)], [of(3, 3, -1), of(2, 1, 0)], 2],
				[
					"maximum",
					[
						[
							[2, 2],
							[1, 2, 3, 4],
						],
						of(2, 3),
					],
					[
						[
							[2, 2],
							[1, 2, 3, 4],
						],
						of(0, 3),
					],
					1,
				],
			])
				assert.equal(await crossing(op, before, after, op === "clamp" ? clamp : {}), n, op);
			assert.equal((await bending("exp", [of(0, 1)])).sides, null);
		},

		async "live: a step that the loss cannot show is said to be one, and the button's is one that it shows"() {
			const page = await live("live_fine", "#step=1&cell=t[0]");
			assert.match(
				await slopes(page),
				/Slope: computed by backward 1\.00e−4, .*One step of a 32-bit number/,
			);
			await set(page, "1.01");
			assert.match(
				await text(page, "#compared"),
				/^t\[0\] from 1 to 1\.01: at its slope the loss would move by 1\.0e−6; it moved by 0\. A 32-bit number near 999\.5 changes in steps of 6\.1e−5: it cannot show that\.$/,
			);
			await page.click("#reset");
			const rise = await text(page, "#why .rise");
			assert.equal(rise, "+1", "0.01 and 0.1 are lost, 1 is as far as one goes");
			await page.click("#reset");
			await page.fill("#search", "t"), await page.click("[data-card=A] td[data-i='1']");
			assert.equal(await text(page, "#why .rise"), "+0.01");
			await page.click("#why .rise"), await settled(page);
			const [p, r] = (await text(page, "#why .compared"))
				.match(/would move by (\S+); it moved by (\S+)\./)
				.slice(1)
				.map(number);
			assert.ok(Math.abs(p - 0.02) < 1e-3 && Math.abs(r - 0.02) < 1e-3, `${p}, ${r}`);
			assert.ok(
				await page.evaluate(() => document.activeElement.matches(".rise")),
				"to be pressed again",
			);
			await shut(page);
		},

		async "live: what a gradient says of the loss goes with the number: at a bend nothing, beside it the slope there"() {
			const page = await live("dropout_and_relu", "#step=1"),
				{ shape } = (await tapeOf(page)).values.find(({ name }) => name === "x");
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
				await set(page, x);
				const meaning = (await page.locator("#why .meaning").allTextContents()).join(" ");
				assert.ok(meaning.includes(said), `${x}: ${meaning}`);
			}
			await shut(page);
		},

		async "live: where a ReLU switches on the way, the slope's word and the loss's are both said, and that it switched"() {
			const page = await live("live_fine", "#step=1&cell=t[2]");
			await set(page, "2");
			const said = await text(page, "#compared");
			assert.match(
				said,
				/^t\[2\] from −0\.5 to 2: at its slope the loss would move by −2\.5; it moved by 1\.5\. At #\d+ abs, 1 number crossed the kink\.$/,
			);
			await shut(page);
		},

		async "live: a measured slope that a bend makes another is no matter of rounding; what is no number is told so"() {
			const page = await live("live_fine", "#step=1&cell=t[2]");
			await set(page, "0.002");
			assert.match(await slopes(page), /within 0\.005 of it the loss is not straight/);
			await set(page, "abc");
			assert.equal(await text(page, "#touch-problem"), "abc is no number.");
			await set(page, "-");
			assert.equal(await text(page, "#touch-problem"), "");
			await shut(page);
		},

		async "live: where backward() began with 2, twice the loss is what a change moves"() {
			const page = await live("live_weighed", "#step=1&cell=t[0]");
			assert.match(await text(page, "#outcome"), / 10$/);
			assert.ok(!(await text(page, "#outcome")).startsWith("loss "));
			await set(page, "1.1");
			const [p, r] = (await text(page, "#compared"))
				.match(/would move by (\S+); it moved by (\S+?)\.( |$)/)
				.slice(1, 3)
				.map(number);
			assert.ok(Math.abs(p - 0.4) < 1e-3 && Math.abs(r - 0.42) < 1e-3, `${p}, ${r}`);
			const ys = await page.evaluate(() =>
				document.querySelector("#curve .dot").getAttribute("cy"),
			);
			const line = (await page.getAttribute("#curve polyline", "points"))
				.split(" ")
				.map(point => Number(point.split(",")[1]));
			assert.ok(
				Number(ys) >= Math.min(...line) && Number(ys) <= Math.max(...line),
				"the dot is on the curve",
			);
			for (const [x, slope] of [
				["-1", "−4"],
				["1", "4"],
				["0", "0"],
			]) {
				// of 2·Σ t², whose differences are exact
				await set(page, x);
				const said = await slopes(page);
				assert.ok(
					said.includes(`computed by backward ${slope},`) && !/not straight|One step/.test(said),
					said,
				);
			}
			await shut(page);
		},

		async "live: the number that is chosen while another's change is still computed begins at the new loss"() {
			const page = await live("live_notebook", "#step=1&cell=w1[2,3]");
			await page.fill("#touch-number", "30");
			await page.fill("#search", "w1[2, 4]");
			await page.waitForFunction(
				() => document.getElementById("touch-name").textContent === "w1[2, 4]",
			);
			await page.fill("#touch-number", "0.5");
			await page.waitForSelector("#compared .compared");
			const [p, r] = (await text(page, "#compared"))
				.match(/would move by (\S+); it moved by (\S+?)\.( |$)/)
				.slice(1, 3)
				.map(number);
			assert.ok(Math.abs(r) < 1e-3 && Math.abs(p) < 1e-3, `${p}, ${r}`);
			await shut(page);
		},
	};
};
