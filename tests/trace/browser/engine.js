// The engine itself: its bits, its size, its memory, and where it cannot run.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { script, ran, engineOf, replayOf, tapeIn } = require("../scripts.js");

module.exports = ({ open, live, settled, shut, text, slopes, number, pages }) => {
	// A tape's recorded tensors, each as [[i, number], ...]; of a large one, the elements it has.
	const floats = base64 => [
		...new Float32Array(new Uint8Array(Buffer.from(base64, "base64")).buffer),
	];
	const places = ranges =>
		ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, k) => from + k));
	const known = ({ shape, v, block, crops }) =>
		block
			? crops.flatMap(({ rows, columns, v }) => {
					const x = floats(v);
					return places(rows).flatMap((r, k) =>
						places(columns).map((c, j) => [
							r * shape.at(-1) + c,
							x[k * places(columns).length + j],
						]),
					);
				})
			: floats(v).map((x, i) => [i, x]);
	const tensors = ({ values, ops, backward }) =>
		[
			values.map(({ value, grad }) => [value, grad]),
			ops.map(({ saved }) => Object.values(saved)),
			backward.map(({ dY, adds }) => [dY, adds.map(({ part, total }) => [part, total])]),
		].flat(Infinity);
	// How many numbers of a page's tape its engine computes in other bits.
	const othersBits = async html => {
		const tape = tapeIn(html),
			engine = await engineOf(html);
		engine.load(replayOf(html));
		const run = engine.run(),
			[recorded, computed] = [tensors(tape), tensors(run)];
		assert.equal(computed.length, recorded.length);
		let others = 0,
			all = 0;
		recorded.forEach((array, k) => {
			assert.equal(array === null, computed[k] === null);
			if (array === null) return;
			const { shape, at } = run.arrays[computed[k]],
				x = engine.floats(
					at,
					shape.reduce((a, b) => a * b, 1),
				);
			assert.deepEqual(shape, tape.arrays[array].shape);
			for (const [i, was] of known(tape.arrays[array])) ++all, (others += !Object.is(x[i], was));
		});
		return [others, all];
	};
	const lossNow = async page => number((await text(page, "#outcome")).replace(/.*(is|loss) /, ""));

	return {
		async "live: the engine computes the bits of the SSE2 kernels, of every tensor on the page"() {
			for (const [name, least] of [
				["live", 1000],
				["live_wide", 20000],
				["live_notebook", 50000],
			]) {
				const [others, all] = await othersBits(fs.readFileSync(`${pages}/${name}.html`, "utf8"));
				assert.equal(others, 0, name);
				assert.ok(all > least, `${name}: ${all} numbers were compared`);
			}
		},

		async "live: at the notebook's size a touch is answered at once, and any number of a tensor can be asked for"() {
			const page = await live("live_notebook", "#step=1&cell=w1[2,3]");
			assert.equal(await text(page, "#touch-name"), "w1[2, 3]");
			const loss = await lossNow(page);
			const said = await page.evaluate(
				() =>
					new Promise(done => {
						const box = document.getElementById("touch-number");
						(box.value = "2.5"), box.dispatchEvent(new Event("input"));
						requestAnimationFrame(() =>
							requestAnimationFrame(() =>
								done(document.querySelector("[data-card=B] td[data-i='4099']")?.textContent),
							),
						);
					}),
			);
			assert.equal(said, "+2.5");
			await settled(page);
			assert.notEqual(await lossNow(page), loss);
			assert.ok((await page.locator("[data-card=Y] td.moved").count()) > 0);
			await page.waitForFunction(
				() =>
					document.querySelector("#curve polyline").getAttribute("points").split(" ").length === 41,
			);
			const [computed, measured] = (await slopes(page)).match(/[−\d.e]+(?=[,.] |\.$)/g).map(number);
			assert.ok(
				Math.abs(measured - computed) < 0.05 * Math.abs(computed) + 1e-4,
				`${measured}, ${computed}`,
			);
			await page.goto(page.url().replace(/#.*/, "#step=1&cell=w1[411,1777]"));
			await page.reload();
			await page.waitForFunction(() => document.documentElement.dataset.live);
			assert.equal(await text(page, "#touch-name"), "w1[411, 1777]");
			await page.fill("#search", "w1.grad[411, 1777]");
			assert.match(await text(page, "#why .sum"), /^(w1\.grad|dB)\[411, 1777\] = .* = [−\d.e]+$/);
			await shut(page);
		},

		async "a large tensor is read where it lies, also when its memory has grown"() {
			const numbersInMemory = await ran(
				script("data") + script("engine") + "; return numbersInMemory;",
				{ values: [], ops: [], backward: [], arrays: [] },
			);
			const memory = new WebAssembly.Memory({ initial: 1 }),
				floats = (at, count) => new Float32Array(memory.buffer, at, count);
			const x = numbersInMemory(
				{ floats, summary: () => ({ v: "", block: [10, 10], stats: { min: 0, max: 1 } }) },
				{ shape: [50, 100], at: 64 },
			);
			for (const grown of [0, 1, 1]) {
				memory.grow(grown);
				for (const i of [0, 77, 4999]) {
					floats(64, 5000)[i] += i + 1;
					assert.equal(x.at(i), floats(64, 5000)[i]);
				}
			}
		},

		async "live: a thousand changes and steps take no more memory than twenty, with NaN among the numbers, too"() {
			const engine = await engineOf(fs.readFileSync(`${pages}/playground.html`, "utf8")),
				size = () => engine.exports.memory.buffer.byteLength;
			engine.give("block 12 12 12 12 12 7 0.5 1"), engine.ask("build");
			const { values, replay } = JSON.parse(engine.said),
				leaf = values.findIndex(({ role }) => role === "leaf"),
				n = values[leaf].shape.reduce((a, b) => a * b, 1);
			engine.load(replay), engine.run();
			let after;
			for (let k = 0; k < 1000; ++k) {
				engine.numbers(leaf, n)[k % n] = k % 100 ? Math.sin(k) : NaN;
				if (k % 10 === 0)
					engine.exports.keep(),
						engine.ask("step", leaf, 0.01),
						engine.exports.keep_gradients(),
						engine.exports.zero_grad(),
						engine.ask("draw", 1);
				engine.run(), engine.loss();
				if (k === 20) after = size();
			}
			assert.equal(size(), after);
			engine.numbers(leaf, n)[0] = NaN;
			engine.run();
			assert.ok(Number.isNaN(engine.loss()));
		},

		async "live: where the engine cannot run, a sentence says so, and the page is as it was recorded"() {
			const html = fs.readFileSync(`${pages}/live.html`, "utf8"),
				script = '<script>\n"use strict";',
				engine = html.indexOf('id="engine"');
			for (const [changed, said] of [
				[html.replace(script, script + "delete self.WebAssembly;"), /no WebAssembly/],
				[
					html.replace(script, script + "delete self.DecompressionStream;"),
					/no DecompressionStream/,
				],
				[html.replace(" 'wasm-unsafe-eval'", ""), /WebAssembly is not allowed/],
				[html.slice(0, engine + 90000), /cut off/],
				[html.slice(0, engine - 20), /cut off/],
			]) {
				assert.notEqual(changed, html);
				fs.writeFileSync(`${pages}/cannot.html`, changed);
				const page = await open("cannot", "#step=1");
				await page.waitForSelector("#notice:not([hidden])");
				assert.match(await text(page, "#notice"), /^This page is not live: [^.]*\.$/);
				assert.match(await text(page, "#notice"), said);
				assert.ok(!(await page.isVisible("#bench")));
				await page.click("[data-card=B] td[data-i='5']");
				assert.match(await text(page, "#why .sum"), /^B\[0, 5\] = /);
				assert.deepEqual(
					page.problems.filter(one => !/wasm|WebAssembly/.test(one)),
					[],
					"but for the browser's own word on the policy",
				);
				await page.context().close();
			}
		},
	};
};
