// The playground: models that the page builds itself.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { engineOf } = require("../scripts.js");

module.exports = ({ open, shut, text, pages, address, site }) => {
	const models = ["ffn", "linear_ffn", "gelu", "glu", "attention", "block", "experts"];
	const settled = page => page.waitForFunction(() => document.documentElement.dataset.live);

	// What is named, and its gradient: compilers differ in which operand they compute first. The page's C
	// library has an exp and an erf of its own, whose last bit may be another.
	const floats = base64 => [
		...new Float32Array(new Uint8Array(Buffer.from(base64, "base64")).buffer),
	];
	const alike = (a, b) =>
		a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) <= 1e-6 * Math.abs(b[i]) + 1e-8);
	const ofOwn = ["ffn", "linear_ffn"]; // that call neither
	const bits = ({ values, backward, arrays }) =>
		Object.fromEntries(
			values.flatMap((value, i) => {
				const got = backward.find(step => step.op < 0 && step.value === i);
				return value.name
					? [[value.name, [value.shape, arrays[value.value].v, got && arrays[got.adds[0].total].v]]]
					: [];
			}),
		);

	return {
		async "live: the playground's models have the numbers that C++ computes with its SSE2 kernels"() {
			const engine = await engineOf(fs.readFileSync(`${pages}/playground.html`, "utf8"));
			for (const model of models) {
				const native = JSON.parse(fs.readFileSync(`${pages}/playground-${model}.json`, "utf8"));
				engine.give(`${model} 3 4 8 2 2 1 0.25 1`), engine.ask("build");
				const built = JSON.parse(engine.said);
				if (ofOwn.includes(model)) assert.deepEqual(bits(built), bits(native), model);
				for (const [name, [shape, value, grad]] of Object.entries(bits(native))) {
					const [other, ...numbers] = bits(built)[name];
					assert.deepEqual(other, shape);
					[value, grad].forEach((of, k) =>
						assert.ok(
							of === numbers[k] || alike(floats(of), floats(numbers[k])),
							`${model}: ${name}`,
						),
					);
				}
				assert.ok(Object.keys(bits(native)).length >= 5, model);
			}
			for (const refused of [
				"ffn 0 4 8 2 2 1 0.25 1",
				"ffn 13 4 8 2 2 1 0.25 1",
				"ffn 3 4 8 2 2 1 1 1",
				"block 3 4 8 3 2 1 0 1",
				"rnn 3 4 8 2 2 1 0 1",
				"ffn 3",
			])
				assert.throws(
					() => {
						engine.give(refused), engine.ask("build");
					},
					Error,
					refused,
				);
		},

		async "live: each model of the playground is shown, trained, and has an address"() {
			for (const model of models) {
				const page = await open("playground", "#model=" + model);
				await settled(page);
				assert.equal(await page.inputValue("#setup-model"), model);
				assert.match(await text(page, "#start"), /Raise .* by 0\.01, and the loss (rises|falls)/);
				await page.click("#from-first");
				assert.ok((await page.locator("#cards td[data-i]").count()) > 0);
				assert.match(address(page), new RegExp(`model=${model}`));
				await page.fill("#rate", "0.3");
				await page.click("#sgd-10");
				const [, from, to] = (await text(page, "#training"))
					.match(/the loss went from (\S+) to (\S+)\./)
					.map(Number);
				assert.ok(to < from, `${model}: ${from}, ${to}`);
				await shut(page);
			}
		},

		async "live: a data set has a test loss beside the training loss, and both fall"() {
			for (const [model, target] of [
				["ffn", x => x.map(row => row.map(Math.abs))],
				[
					"attention",
					x =>
						x.map((_, w) =>
							x[0].map((_, j) => x.slice(0, w + 1).reduce((a, row) => a + row[j], 0) / (w + 1)),
						),
				],
			]) {
				const page = await open("playground", `#model=${model}&dropout=0`);
				await settled(page);
				await page.click("#from-first");
				await page.check("#data-set");
				const rows = async name => {
					await page.fill("#search", name);
					const cells = await page.evaluate(name => {
						const card = [...document.querySelectorAll("#cards .card")].find(
							one => one.querySelector("b").textContent.split(" = ").at(-1) === name,
						);
						return [...card.querySelectorAll("td[data-i]")].map(td => td.textContent);
					}, name);
					const all = cells.map(x => Number(x.replace("−", "-")));
					return [0, 1, 2].map(w => all.slice(4 * w, 4 * w + 4));
				};
				const wanted = target(await rows("x"));
				(await rows("target")).forEach((row, w) =>
					row.forEach((t, j) =>
						assert.ok(
							Math.abs(t - wanted[w][j]) < 0.02 * Math.abs(t) + 0.01,
							`${t}, ${wanted[w][j]}`,
						),
					),
				);
				for (let k = 0; k < 3; ++k)
					await page.click("#sgd-10"), await page.waitForSelector("#sgd:enabled");
				const losses = (await text(page, "#training"))
					.match(
						/30 steps: the loss went from (\S+) to (\S+?)\. Dashed: the test loss, from (\S+) to (\S+?)\.(?!\d)/,
					)
					.slice(1)
					.map(Number);
				assert.ok(losses[1] < losses[0] && losses[3] < losses[2], losses.join());
				assert.notEqual(losses[0], losses[2]);
				const points = await page
					.locator("#training polyline")
					.evaluateAll(all => all.map(one => one.getAttribute("points").split(" ").length));
				assert.deepEqual(points, [31, 31]);
				await shut(page);
			}
		},

		async "live: a size or a model that is chosen is another page; what a model refuses is said"() {
			const page = await open("playground");
			await settled(page);
			await page.click("#setup summary");
			await page.fill("#setup-d_ff", "12");
			await Promise.all([page.waitForEvent("load"), page.press("#setup-d_ff", "Tab")]);
			await settled(page);
			assert.match(address(page), /d_ff=12/);
			assert.match(await text(page, "#graph"), /\[4, 12\]/);
			await Promise.all([page.waitForEvent("load"), page.selectOption("#setup-model", "block")]);
			await settled(page);
			await page.fill("#setup-heads", "3");
			await page.press("#setup-heads", "Tab");
			await page.waitForSelector("#setup [role=alert]");
			assert.match(
				await text(page, "#setup [role=alert]"),
				/d_model 4 is not a multiple of n_head 3.* Still shown: heads = 2\.$/,
			);
			assert.equal(await page.inputValue("#setup-model"), "block");
			assert.equal(await page.inputValue("#setup-heads"), "3");
			await page.selectOption("#language", "ko");
			assert.match(
				await text(page, "#setup [role=alert]"),
				/^엔진이 거부했습니다: “.*d_model 4 is not a multiple.*”\. 지금 보이는 것:/,
			);
			await page.selectOption("#language", "en");
			await page.fill("#setup-d_model", "6");
			await Promise.all([page.waitForEvent("load"), page.press("#setup-d_model", "Tab")]);
			await settled(page);
			assert.match(address(page), /model=block&d_model=6&d_ff=12&heads=3/);
			assert.equal(await page.locator("#setup [role=alert]").count(), 0);
			await page.goto(`${site}/playground.html#model=block&heads=5&words=2`);
			await page.reload();
			await settled(page);
			assert.match(
				await text(page, "#setup [role=alert]"),
				/not a multiple of n_head 5.* Still shown: words = 3, heads = 2\.$/,
			);
			assert.equal(await page.inputValue("#setup-model"), "block");
			await shut(page);
		},
	};
};
