// The engine in the page: numbers that are changed.
"use strict";
require("../browser_test.js");

test("live: a number of a sum is dragged where it stands, and the sum stays and follows", async () => {
	const page = await live("live", "#step=1&cell=Y[0,2]"),
		before = await page.sum(),
		{ x, y } = await page.locator(td("B", 10)).boundingBox();
	await page.mouse.move(x + 10, y + 8), await page.mouse.down();
	await page.mouse.move(x + 70, y + 8, { steps: 4 }), await page.mouse.up();
	await page.settled();
	const terms = (await page.sum()).match(/^Y\[0, 2\] = (.*) = (\S+)$/);
	ok(terms && terms[0] !== before, `${before}: ${await page.sum()}`);
	await page.says("#touch-name", "w1[1, 2]");
	const [low, high] = await page.figures("#touch-slider", "min", "max"),
		dragged = (low + high) / 2 + (60 / 400) * (high - low);
	near(Number(await page.inputValue("#touch-number")), dragged, 1e-4, 1e-4, "200 pixels are half of the slider");
	near(evaluate(terms[1]), number(terms[2]), 0, 1e-3, terms[0]);
	await page.has(td("Y", 2) + ".looked", 1, "and its cell");
});

test("live: a number that is typed changes what follows from it", async () => {
	const page = await live("live", "#step=1&cell=w1[2,3]"),
		moved = (key, n, what) => page.has(`[data-card=${key}] td.moved`, n, what);
	const [was, loss] = [number(await page.inputValue("#touch-number")), await page.loss()];
	await page.says("#touch-name", "w1[2, 3]");
	await page.set("1.5");
	const [, from, to] = (await page.text("#outcome")).match(/^loss was ([\d.]+), is ([\d.]+)$/);
	near(+from, loss), ok(Math.abs(to / from - 1) > 1e-3, to);
	const [, before] = (await page.text("#why .was")).match(/^was (\S+), is 1\.5$/);
	near(number(before), was, 1e-5);
	await moved("B", 1), await moved("Y", 3, "the column of w1[2, 3]"), await moved("A", 0);
	await page.hover(td("B", 3));
	await page.sum(/^B\[2, 3\] = /, "it is still held");
	await page.click("#next");
	await moved("A", 3, "the same column, and what it was at this step");
	await page.click("#back"), await page.click("#turn");
	ok((await page.count("[data-card=dB] td.moved")) > 0);
	await page.hover(td("dB", 19));
	const [computed, measured] = await page.bothSlopes();
	near(computed, lastNumber(await page.sum()));
	near(measured, computed, 0.002, 1e-4);
	for (const i of [19, 0, 25]) {
		await page.click(td("dB", i));
		await page.click("#why summary");
		const said = await page.text("#why details p"),
			[, d, g] = said.match(/2h = (\S+): .*just computed.* gradient is (\S+)\./).map(number);
		near(d, g, 0.02, 1e-3, said), near(lastNumber(await page.sum()), g, 1e-5, 2e-6, said);
	}
	await page.fill("#search", "w1[2, 3]");
	await moved("B", 1);
	await page.fill("#rate", "0");
	await page.clicked("#sgd");
	await moved("B", 0, "what was there before is what stood before the step");
});

test("live: the held number of a wide tensor stays in sight when it is changed", async () => {
	const page = await live("live_wide", "#step=1"),
		shown = async () => [await page.count("td.looked"), await page.count("td.marked")];
	await page.fill("#search", "w1.grad[50, 100]");
	// Around a held number its neighbours, at each edge of [64, 128] those that there are.
	for (const [r, c] of table("0 0; 0 127; 63 0; 63 127; 62 1; 31 126")) {
		await page.fill("#search", `w1[${r}, ${c}]`);
		const around = (k, n) => [k - 1, k, k + 1].filter(k => k >= 0 && k < n),
			cells = around(r, 64).flatMap(r => around(c, 128).map(c => String(128 * r + c)));
		deepEqual(await page.$$eval("[data-card=B] td[data-i]", all => all.map(td => td.dataset.i)), cells, `${r}, ${c}`);
	}
	await page.fill("#search", "w1.grad[50, 100]");
	const before = await shown();
	ok(before[0] === 1 && before[1] > 4, before.join());
	await page.set("0.5");
	await page.says("#touch-name", "w1[50, 100]");
	deepEqual(await shown(), before);
});

test("live: a number is typed over or moved by the slider; masks and constants, too", async () => {
	const page = await live("live", "#step=1");
	const before = await page.loss();
	await page.focus(td("A", 1));
	await page.keyboard.type("2");
	await page.says("#touch-name", "x[0, 1]");
	equal(await page.inputValue("#touch-number"), "2");
	await page.settled();
	await page.has("[data-card=A] td.moved", 1);
	notEqual(await page.loss(), before);
	await page.fill("#search", "dropout_mask");
	await page.click("[data-card=Y] td.s-p4");
	const kept = await page.loss();
	await page.focus("#touch-slider");
	await page.presses("Home"), await page.settled();
	equal(await page.inputValue("#touch-number"), "0");
	match(await page.slopes(), /requires no gradient/);
	await page.presses("End"), await page.settled();
	equal(await page.loss(), kept);
});

test("live: the curve has the losses along it, its dot and tangent are this number's", async () => {
	const page = await live("live", "#step=1&cell=w1[2,3]"),
		W = 280;
	for (const x of [1.25, -2]) {
		await page.set(String(x));
		await page.click(td("B", 20)), await page.click(td("B", 19));
		const span = 2 * Math.abs(x),
			points = await page.curve(),
			[cx, cy] = await page.figures("#curve circle", "cx", "cy"),
			[x1, y1, x2, y2] = await page.figures("#curve line", "x1", "y1", "x2", "y2"),
			[left, said, right] = await page.texts("#curve .below span"),
			losses = [];
		equal(points.length, 41);
		equal(said, "w1[2, 3]");
		near(number(left), x - span, 0, 0.01 * span), near(number(right), x + span, 0, 0.01 * span);
		for (const k of [0, 11, 20, 29, 40]) {
			await page.set(String(x - span + (span * k) / 20));
			losses.push([k, await page.loss()]);
		}
		await page.set(String(x));
		// Higher is more, straight: the scale is that between the two that are farthest apart.
		losses.sort(([, a], [, b]) => a - b);
		const [[low, least], [high, most]] = [losses[0], losses.at(-1)],
			pixels = (points[low][1] - points[high][1]) / (most - least),
			y = loss => points[low][1] - (loss - least) * pixels,
			ys = points.map(([, at]) => at);
		ok(pixels > 0);
		near(Math.min(...ys), 8, 0, 0.1), near(Math.max(...ys), 102, 0, 0.1);
		points.forEach(([at], k) => near(at, (W * k) / 40, 0, 0.06));
		for (const [k, loss] of losses) near(points[k][1], y(loss), 0, 1.2);
		near(cx, W / 2, 0, 0.1), near(cy, y(await page.loss()), 0, 1);
		near((x1 + x2) / 2, cx, 0, 0.1), near((y1 + y2) / 2, cy, 0, 0.1);
		near(x2 - x1, 0.4 * W, 0, 0.2);
		const [g] = await page.bothSlopes();
		near((y1 - y2) / (x2 - x1), (g * pixels * 2 * span) / W, 0.02, 2e-3);
	}
});

test("live: numbers that were recorded otherwise than the engine computes are not shown", async () => {
	const html = read("live.html"),
		tape = tapeIn(html),
		array = tape.arrays[tape.values[tape.ops[0].out].value],
		all = Float32Array.from(floats(array)),
		shown = async name => (await live(name, "#step=1")).text(td("Y", 2));
	all[2] += 1;
	array.v = Buffer.from(all.buffer).toString("base64");
	write("live_apart.html", withTape(html, tape));
	equal(await shown("live_apart"), await shown("live"));
});

test("live: numbers of every kind are changed and trained, and finite ones drawn", async () => {
	const page = await live("live_numbers", "#step=1");
	for (const [i, text] of "NaN ∞ -∞ 0 1.4013e-45 3.4000e38 1.0000e20 2".split(" ").entries()) {
		await page.fill("#search", `t[${i}]`);
		await page.says("#touch-name", `t[${i}]`);
		equal(await page.inputValue("#touch-number"), text);
		const ends = await page.figures("#touch-slider", "min", "max");
		ok(ends.every(Number.isFinite) && ends[1] > ends[0], `${text}: ${ends}`);
		for (const [x, y] of await page.curve()) ok(x >= 0 && x <= 280 && y >= 0 && y <= 110);
		await page.slopes();
		await page.says("#outcome", /^loss 6$/);
		await page.set("1");
		await page.says("#outcome", [3, 4, 7].includes(i) ? /^loss was 6, is [39]$/ : /^loss 6$/);
		await page.has("[data-card=A] td.moved", 1, "NaN is NaN as before");
		await page.click("#reset");
	}
	await page.fill("#search", "kept[0]");
	await page.set("1");
	await page.says("#outcome", "loss was 6, is NaN");
	await page.clicked("#sgd #sgd");
	await page.says("#outcome", "loss NaN");
	await page.says("#training", /2 steps: the loss went from NaN to NaN\./);
	// Above all that are numbers.
	equal((await page.pointsOf("#training polyline")).join(" "), "0,6 140,6 280,6");
	await page.click("#reset");
	for (const rate of ["0.5", "Infinity", "-1", ""]) await page.fill("#rate", rate);
	await page.fill("#search", "t[7]");
	await page.clicked("#sgd");
	equal(await page.inputValue("#touch-number"), "0.5", "by the last rate that is one");
});
