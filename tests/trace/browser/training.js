// Training by hand in the page.
"use strict";
require("../browser_test.js");

// The losses that C++ had by nn::SGD: at first, after three steps, and after two without zero_grad(),
// all under the first dropout mask.
test("live: training by hand gives the losses of nn::SGD, also where zero_grad is forgotten", async () => {
	const page = await live("live", "#step=1"),
		trained = printed("training"),
		first = trained[0].toPrecision(3);
	for (const [k, loss] of trained.entries()) {
		if (k) await page.clicked("#sgd");
		if (k && k <= 3) await page.click("#zero-grad");
		await page.says("#passes", k <= 3 ? /from this pass only/ : /also holds earlier gradients/);
		await page.settled();
		near(await page.loss(), loss, 1e-3, 0, `step ${k}`);
	}
	const went = `5 steps: the loss went from ${first} to ${trained.at(-1).toPrecision(3)}.`;
	ok((await page.text("#training")).includes(went), went);
	const least = Math.min(...trained),
		high = Math.max(...trained) - least,
		points = await page.pointsOf("#training polyline");
	equal(points.length, 6);
	for (const [k, [x, y]] of points.entries()) // the largest above
		near(x, 56 * k, 0, 0.1), near(y, 74 - (68 * (trained[k] - least)) / high, 0, 1);
	await page.clicked("#sgd-10");
	equal((await page.pointsOf("#training polyline")).length, 16);
	await page.fill("#search", "w1.grad");
	await page.clicked("#sgd");
	await page.sees("[data-card=earlier]"); // what earlier passes left
	const modes = () =>
		page.$$eval("#train, #eval, #redraw", all =>
			all.map(one => one.ariaPressed ?? one.disabled).join(" "),
		);
	await page.click("#eval");
	equal(await modes(), "true false true");
	await page.clicked("#reset");
	near(await page.loss(), trained[0], 1e-3);
	await page.says("#passes", /from this pass only/);
	equal(await modes(), "false true false");
	await page.has("#training polyline", 0, "no step has been taken");
	await page.clicked("#sgd");
	await page.says("#training", new RegExp(`1 steps?: the loss went from ${first}`));
});

const went = async page =>
	(await page.text("#training"))
		.match(/(\d+) steps?: the loss went from (\S+) to (\S+?)\. /)
		.slice(1);

test("live: while steps are taken the page says how many are to go, changes nothing else, and stops", async () => {
	const page = await live("live", "#step=1");
	await page.addInitScript(() => {
		let now = 0; // on a machine so slow that the page is drawn after each step
		performance.now = () => (now += 200); // ms, from one look at the clock to the next
	});
	await page.reloaded("live");
	const said = await page.evaluate(
		() =>
			new Promise(done => {
				const part = id => document.getElementById(id),
					seen = [];
				new MutationObserver(() => {
					seen.push(part("stop").textContent);
					if (seen.length !== 4) return;
					part("touch-number").value = "9";
					part("touch-number").dispatchEvent(new Event("input"));
					part("stop").click();
					done([...seen.slice(0, 4), part("sgd").disabled].join());
				}).observe(part("training"), { childList: true });
				part("sgd-10").click();
			}),
	);
	await page.settled();
	equal(said, "Stop: 9 to go,Stop: 8 to go,Stop: 7 to go,Stop: 6 to go,true");
	const taken = await went(page);
	equal(taken[0], "4");
	near(await page.loss(), number(taken[2]), 5e-3, 0, "under one dropout mask");
	await page.click("#reset");
	for (let k = 0; k < 4; ++k) await page.clicked("#sgd #zero-grad");
	deepEqual(await went(page), taken, "as by steps one at a time");
	await page.clicked("#sgd-10");
	await page.presses("Enter"); // on Stop, since the other was pressed: too late, it begins no more
	await page.settled();
	equal((await went(page))[0], "14");
});

test("live: eval() lets all through dropout, train() and another draw only some", async () => {
	const page = await live("live", "#step=1"),
		{ ops } = await page.tape();
	const numbersOf = async op => {
		await page.toStep(ops.findIndex(one => one.op === op));
		return (await page.texts("[data-card=Y] td[data-i]")).map(number);
	};
	const seen = new Set();
	for (const [button, on] of table("#train 1; #redraw 1; #eval 0; #train 1; #redraw 1")) {
		await page.clicked(button);
		const [before, after, mask] = [
			await numbersOf("clamp"),
			await numbersOf("div"),
			await numbersOf("dropout_mask"),
		];
		before.forEach((x, i) =>
			near(after[i], on ? (mask[i] && x) / 0.75 : x, 0.01, 0.01 * Math.abs(x) + 1e-6, button),
		);
		equal(await page.isDisabled("#redraw"), !on);
		equal(await page.getAttribute("#train", "aria-pressed"), String(on > 0));
		if (on) ok(mask.includes(0) && mask.some(Boolean), button), seen.add(mask.join());
	}
	ok(seen.size > 2, "each draw is another");
	for (const button of ["#redraw", "#eval", "#train"]) {
		await page.clicked("#sgd " + button);
		await page.has("#training polyline", 0, "no step was taken since " + button);
	}
	const losses = new Set();
	for (const buttons of ["#reset #eval #sgd #sgd", "#reset #redraw #eval #sgd #sgd"])
		await page.clicked(buttons), losses.add(await page.text("#outcome"));
	equal(losses.size, 1, "eval() draws none for its steps");
});
