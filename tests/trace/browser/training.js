// Training by hand in the page.
"use strict";
const assert = require("node:assert/strict");
const { test, live, td, number, near, values } = require("../browser_test.js");

// The losses that C++ had by nn::SGD: at first, after three steps, and after two without zero_grad(),
// all under the first dropout mask.
const trained = values
	.split("\n")
	.find(line => line.startsWith("training "))
	.split(" ")
	.slice(1)
	.map(Number);

test("live: the losses of the steps taken by hand are drawn in their order, the largest above", async () => {
	const page = await live("live", "#step=1"),
		losses = [await page.loss()];
	for (let k = 0; k < 4; ++k) await page.clicked("#sgd"), losses.push(await page.loss());
	const points = await page.pointsOf("#training polyline");
	const [least, most] = [Math.min(...losses), Math.max(...losses)];
	assert.equal(points.length, 5);
	points.forEach(([x, y], k) => {
		near(x, 70 * k, 0, 0.1), near(y, 74 - ((losses[k] - least) / (most - least)) * 68, 0, 1);
	});
	await page.clicked("#sgd-10");
	assert.equal((await page.pointsOf("#training polyline")).length, 15);
	await page.says("#training", /14 steps: the loss went from/);
});

test("live: training by hand gives the losses of nn::SGD, also where zero_grad is forgotten", async () => {
	const page = await live("live", "#step=1");
	const same = async (expected, what) => {
		await page.settled();
		near(await page.loss(), expected, 1e-3, 0, what);
	};
	await same(trained[0], "at first");
	for (let k = 1; k < trained.length; ++k) {
		await page.clicked("#sgd");
		if (k <= 3) await page.click("#zero-grad");
		await page.says("#passes", k <= 3 ? /from this pass only/ : /also holds earlier gradients/);
		await same(trained[k], `step ${k}`);
	}
	await page.says(
		"#training",
		new RegExp(
			`5 steps: the loss went from ${trained[0].toPrecision(3)} to ${trained.at(-1).toPrecision(3)}\\.`,
		),
	);
	await page.fill("#search", "w1.grad");
	assert.ok(await page.locator("[data-card=earlier]").isVisible(), "what earlier passes left");
	await page.click("#eval");
	assert.equal(await page.getAttribute("#eval", "aria-pressed"), "true");
	await page.click("#reset");
	await same(trained[0], "reset");
	await page.says("#passes", /from this pass only/);
	assert.deepEqual(
		[
			await page.getAttribute("#train", "aria-pressed"),
			await page.getAttribute("#eval", "aria-pressed"),
			await page.isEnabled("#redraw"),
		],
		["true", "false", true],
	);
	await page.has("#training polyline", 0, "no step has been taken");
	await page.clicked("#sgd");
	await page.says("#training", /1 steps?: the loss went from 1\.69/);
});

// On a machine so slow that the page is drawn after each step.
async function slowly() {
	const page = await live("live", "#step=1");
	await page.addInitScript(() => {
		let now = 0;
		performance.now = () => (now += 200); // ms, from one look at the clock to the next
	});
	await page.reloaded("live");
	return page;
}
const went = async page =>
	(await page.text("#training"))
		.match(/(\d+) steps?: the loss went from (\S+) to (\S+?)\. /)
		.slice(1);

test("live: while steps are taken the page says how many are to go, changes nothing else, and stops", async () => {
	const page = await slowly();
	const said = await page.evaluate(
		() =>
			new Promise(done => {
				const stop = () => document.getElementById("stop"),
					seen = [];
				new MutationObserver(() => {
					seen.push(stop().textContent);
					if (seen.length === 4) {
						const box = document.getElementById("touch-number");
						box.value = "9";
						box.dispatchEvent(new Event("input"));
						stop().click();
						done([[...seen], document.getElementById("sgd").disabled]);
					}
				}).observe(document.getElementById("training"), { childList: true });
				document.getElementById("sgd-10").click();
			}),
	);
	await page.settled();
	assert.deepEqual(said, [[9, 8, 7, 6].map(n => `Stop: ${n} to go`), true]);
	const [steps, from, to] = await went(page);
	assert.equal(steps, "4");
	near(await page.loss(), number(to), 5e-3, 0, "under one dropout mask");
	await page.click("#reset");
	for (let k = 0; k < 4; ++k) await page.clicked("#sgd"), await page.clicked("#zero-grad");
	assert.deepEqual(await went(page), [steps, from, to], "as by steps one at a time");
});

test("live: who stops after the last step begins no more", async () => {
	const page = await live("live", "#step=1");
	await page.clicked("#sgd-10");
	await page.keyboard.press("Enter"); // on Stop, since the other was pressed
	await page.settled();
	assert.equal((await went(page))[0], "10");
});

test("live: eval() lets all numbers through dropout as they are, train() and another draw only some, and these larger", async () => {
	const page = await live("live", "#step=1"),
		{ ops } = await page.tape();
	const numbersOf = async op => {
		await page.toStep(ops.findIndex(one => one.op === op));
		return (await page.locator("[data-card=Y] td[data-i]").allTextContents()).map(x =>
			x === "0" ? 0 : number(x),
		);
	};
	const both = async () => {
		await page.settled();
		return [await numbersOf("clamp"), await numbersOf("div"), await numbersOf("dropout_mask")];
	};
	const seen = new Set();
	let on;
	for (const button of ["#train", "#redraw", "#eval", "#train", "#redraw"]) {
		if (button !== "#redraw" || on) await page.click(button);
		if (/train|eval/.test(button)) on = button === "#train";
		const [before, after, mask] = await both(),
			scale = on ? 1 / 0.75 : 1;
		before.forEach((x, i) => {
			const through = !on || mask[i] !== 0;
			near(after[i], through ? x * scale : 0, 0.01, 0.01 * Math.abs(x) + 1e-6, button);
		});
		assert.equal(await page.isDisabled("#redraw"), !on);
		assert.equal(await page.getAttribute("#train", "aria-pressed"), String(on));
		if (on) assert.ok(mask.includes(0) && mask.some(Boolean), button), seen.add(mask.join());
	}
	assert.ok(seen.size > 2, "each draw is another");
	const losses = new Set();
	for (const buttons of ["#eval", "#redraw #eval"]) {
		for (const button of `#reset ${buttons} #sgd #sgd`.split(" ")) await page.clicked(button);
		losses.add(await page.text("#outcome"));
	}
	assert.equal(losses.size, 1, "eval() draws none for its steps");
});
