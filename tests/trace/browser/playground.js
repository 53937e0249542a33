// The playground: models that the page builds itself.
"use strict";
const assert = require("node:assert/strict");
const { floats } = require("../arrays.js");
const { engineOf } = require("../scripts.js");
const { test, live, near, read } = require("../browser_test.js");

const models = ["ffn", "linear_ffn", "gelu", "glu", "attention", "block", "experts"];

// What is named, and its gradient: compilers differ in which operand they compute first. The page's C
// library has an exp and an erf of its own, whose last bit may be another.
const alike = (a, b) =>
	a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) <= 1e-6 * Math.abs(b[i]) + 1e-8);
const ofOwn = ["ffn", "linear_ffn"]; // that call neither
const named = ({ values, backward, arrays }) =>
	Object.fromEntries(
		values.flatMap((value, i) => {
			const got = backward.find(step => step.op < 0 && step.value === i),
				of = array => (array === undefined ? [] : floats(arrays[array]));
			return value.name
				? [[value.name, [value.shape, of(value.value), of(got?.adds[0].total)]]]
				: [];
		}),
	);

test("live: the playground's models have the numbers that C++ computes with its SSE2 kernels", async () => {
	const engine = await engineOf(read("playground.html"));
	for (const model of models) {
		const native = JSON.parse(read(`playground-${model}.json`));
		engine.give(`${model} 3 4 8 2 2 1 0.25 1`), engine.ask("build");
		const built = JSON.parse(engine.said);
		const [here, there] = [named(built), named(native)];
		if (ofOwn.includes(model)) assert.deepEqual(here, there, model);
		for (const [name, [shape, ...all]] of Object.entries(there)) {
			assert.deepEqual(here[name][0], shape);
			all.forEach((of, k) => assert.ok(alike(of, here[name][k + 1]), `${model}: ${name}`));
		}
		assert.ok(Object.keys(there).length >= 5, model);
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
});

test("live: each model of the playground is shown, trained, and has an address", async () => {
	for (const model of models) {
		const page = await live("playground", "#model=" + model);
		assert.equal(await page.inputValue("#setup-model"), model);
		await page.says("#start", /Raise .* by 0\.01, and the loss (rises|falls)/);
		await page.click("#from-first");
		assert.ok((await page.count("#cards td[data-i]")) > 0);
		assert.match(await page.address(), new RegExp(`model=${model}`));
		await page.fill("#rate", "0.3");
		await page.clicked("#sgd-10");
		const [, from, to] = (await page.text("#training"))
			.match(/the loss went from (\S+) to (\S+)\./)
			.map(Number);
		assert.ok(to < from, `${model}: ${from}, ${to}`);
		await page.shut();
	}
});

test("live: a data set has a test loss beside the training loss, and both fall", async () => {
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
		const page = await live("playground", `#model=${model}&dropout=0`);
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
			row.forEach((t, j) => near(wanted[w][j], t, 0.02, 0.01)),
		);
		for (let k = 0; k < 3; ++k) await page.clicked("#sgd-10");
		const losses = (await page.text("#training"))
			.match(
				/30 steps: the loss went from (\S+) to (\S+?)\. Dashed: the test loss, from (\S+) to (\S+?)\.(?!\d)/,
			)
			.slice(1)
			.map(Number);
		assert.ok(losses[1] < losses[0] && losses[3] < losses[2], losses.join());
		assert.notEqual(losses[0], losses[2]);
		for (const line of [".test", ":not(.test)"])
			assert.equal((await page.pointsOf("#training polyline" + line)).length, 31);
		await page.shut();
	}
});

test("live: a size or a model that is chosen is another page; what a model refuses is said", async () => {
	const page = await live("playground");
	const loads = async act => {
		await Promise.all([page.waitForEvent("load"), act()]);
		await page.is("live");
	};
	await page.click("#setup summary");
	await page.fill("#setup-d_ff", "12");
	await loads(() => page.press("#setup-d_ff", "Tab"));
	assert.match(await page.address(), /d_ff=12/);
	await page.says("#graph", /\[4, 12\]/);
	await loads(() => page.selectOption("#setup-model", "block"));
	await page.fill("#setup-heads", "3");
	await page.press("#setup-heads", "Tab");
	await page.waitForSelector("#setup [role=alert]");
	await page.says(
		"#setup [role=alert]",
		/d_model 4 is not a multiple of n_head 3.* Still shown: heads = 2\.$/,
	);
	assert.equal(await page.inputValue("#setup-model"), "block");
	assert.equal(await page.inputValue("#setup-heads"), "3");
	await page.selectOption("#language", "ko");
	await page.says(
		"#setup [role=alert]",
		/^엔진이 거부했습니다: “.*d_model 4 is not a multiple.*”\. 지금 보이는 것:/,
	);
	await page.selectOption("#language", "en");
	await page.fill("#setup-d_model", "6");
	await loads(() => page.press("#setup-d_model", "Tab"));
	assert.match(await page.address(), /model=block&d_model=6&d_ff=12&heads=3/);
	await page.has("#setup [role=alert]", 0);
	const other = await live("playground", "#model=block&heads=5&words=2");
	await other.says(
		"#setup [role=alert]",
		/not a multiple of n_head 5.* Still shown: words = 3, heads = 2\.$/,
	);
	assert.equal(await other.inputValue("#setup-model"), "block");
});
