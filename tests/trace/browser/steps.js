// Steps, cells, their texts and sources, printing and screen readers.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { product } = require("../arrays.js");
const { pageOf, tapeIn } = require("../scripts.js");
const {
	test,
	open,
	td,
	number,
	near,
	lastNumber,
	expected,
	pages,
	site,
	browser,
	read,
	write,
} = require("../browser_test.js");

test("hovered sums end in the numbers that C++ computed, and mark where they come from", async () => {
	const page = await open("ffn", "#step=24");
	await page.hover(td("dB", 19));
	near(lastNumber(await page.sum()), expected[0], 1e-5, 2e-6);
	await page.has("[data-card=dY] td.marked", 3);
	await page.has("[data-card=A] td.marked", 3);
	assert.match(await page.address(), /cell=w1.grad%5B2%2C3%5D/);
	await page.click(td("dB", 19));
	await page.hover(td("A", 0));
	assert.match(await page.sum(), /^dB\[2, 3\]/, "a click holds");
	await page.keyboard.press("Escape");
	await page.has("td.marked", 0);
	await page.hover(td("A", 1));
	assert.match(await page.sum(), /^A\[0, 1\] = /, "what was let go holds no more");
});

test("the address names a step and a cell; what a pass before left is added up", async () => {
	const page = await open("ffn", "#step=26&cell=b2.grad[1]");
	const sums = [];
	for (let step = 12; step <= 26; ++step) {
		await page.to(`#step=${step}&cell=b2.grad[1]`);
		if ((await page.text("#title")).includes("b2.grad")) sums.push(await page.sum());
	}
	assert.equal(sums.length, 1);
	assert.match(sums[0], /= 1 \+ .* = /);
	near(lastNumber(sums[0]), expected[1], 1e-5, 2e-6);
	await page.goto(`${site}/asked.html#step=2&cell=b1[1234]`);
	assert.match(await page.sum(), /^B\[1234\] = /);
	await page.goto(`${site}/ffn.html#step=24&cell=x.grad[1,2]`);
	near(lastNumber(await page.sum()), expected[2], 1e-5, 2e-6);
	assert.match(await page.sum(), /\+|−/);
});

test("a link that the mouse follows leads to a number that is held, however often", async () => {
	const page = await open("ffn", "#step=26");
	await page.hover(td("dY", 2));
	await page.click(td("dY", 2));
	for (let i = 0; i < 3; ++i) {
		const link = page.locator("#why .follow");
		if (!(await link.count()))
			await page.evaluate(() =>
				document.querySelector("[data-card=dY] td.marked, [data-card=dY] td[data-i]").click(),
			);
		const { x, y } = await link.boundingBox();
		await page.mouse.move(x + 5, y + 5);
		await link.click();
		const cell = async () => (await page.address()).match(/cell=(.*)/)?.[1],
			at = await cell();
		await page.mouse.move(x + 9, y - 60, { steps: 8 });
		assert.ok(at);
		assert.equal(await cell(), at);
	}
});

test("the keyboard alone leads from a leaf's gradient back to the loss", async () => {
	const page = await open("ffn", "#step=26");
	const way = [await page.text("#title")];
	await page.focus("#cards .card:last-child td[data-i='0']");
	while (!(await page.text("#title")).startsWith("Backward 1 ")) {
		if (!(await page.count("#why .follow"))) await page.focus(td("dY", 0));
		await page.keyboard.press("Enter");
		way.push(await page.text("#title"));
		assert.ok(way.length < 20, way.join(", "));
	}
	assert.ok(way.length > 2);
});

test("in a matrix and in the tape's picture arrows, Home and End stop at the edge, and Tab finds one place", async () => {
	const page = await open("ffn", "#step=1");
	await page.focus(td("Y", 0));
	let at = 0;
	for (const [key, to] of [
		["ArrowLeft", 0],
		["ArrowUp", 0],
		["End", 7],
		["ArrowRight", 7],
		["ArrowDown", 15],
		["ArrowDown", 23],
		["ArrowDown", 23],
		["ArrowLeft", 22],
		["Home", 16],
		["ArrowUp", 8],
		["ArrowRight", 9],
	]) {
		await page.keyboard.press(key);
		const focused = await page.evaluate(() => document.activeElement.dataset.i);
		assert.equal(focused, String(to), `${key} at ${at}`);
		assert.match(await page.sum(), new RegExp(`^Y\\[${Math.floor(to / 8)}, ${to % 8}\\] = `));
		assert.deepEqual(
			await page
				.locator("[data-card=Y] td[tabindex='0']")
				.evaluateAll(all => all.map(td => td.dataset.i)),
			[String(to)],
		);
		at = to;
	}
	const places = await page.count("#graph [role=button]"),
		here = () =>
			page.evaluate(() =>
				[...document.querySelectorAll("#graph [role=button]")].indexOf(document.activeElement),
			);
	await page.locator("#graph [role=button]").first().focus();
	for (const [key, to] of [
		["ArrowUp", 0],
		["ArrowDown", 1],
		["ArrowRight", 2],
		["ArrowLeft", 1],
		["End", places - 1],
		["ArrowDown", places - 1],
		["ArrowUp", places - 2],
		["Home", 0],
	]) {
		await page.keyboard.press(key);
		assert.equal(await here(), to, key);
		await page.has("#graph [tabindex='0']", 1);
	}
	await page.says("#title", /^Forward 1 of/, "they go to no other step");
});

test("of a sum whose numbers are not all on the page, the share of the heaviest is one of all", async () => {
	const page = await pageOf(tapeIn(read("large.html"))),
		mean = page.steps.findIndex(({ op }) => page.ops[op].op === "mean"),
		{ value, shape } = page.values[page.ops[mean].in[0]],
		x = page.numbers(value),
		sizes = x.cells.map(i => Math.abs(x.at(i))).sort((a, b) => b - a),
		heaviest = sizes.slice(0, 5).reduce((a, b) => a + b),
		notes = page.explainCell(mean, page.cardsOf(mean).at(-1), 0).notes.join();
	const share = +((100 * heaviest) / (x.stats.size * product(shape))).toPrecision(2);
	assert.ok(notes.includes(`${4 * 10 * 512} terms; these 5 make ${share} % (by size)`), notes);
	assert.ok(sizes.length < product(shape));
});

test("inside of a notebook's cell it works, without an address", async () => {
	const context = await browser().newContext(),
		page = await context.newPage(),
		problems = [];
	page.on("pageerror", error => problems.push(error.message));
	await page.setContent(
		"<iframe sandbox='allow-scripts allow-modals' style='width: 900px; height: 700px'></iframe>",
	);
	await page.evaluate(html => {
		document.querySelector("iframe").srcdoc = html;
	}, read("ffn.html"));
	const inside = page.frameLocator("iframe");
	await inside.locator("html[data-ready]").waitFor();
	await inside.locator("#from-first").click();
	await inside.locator("#next").click();
	assert.match(await inside.locator("#title").textContent(), /#2 add/);
	await inside.locator(td("Y", 3)).hover();
	assert.match(await inside.locator("#why .sum").textContent(), /^Y\[0, 3\] = /);
	assert.deepEqual(problems, []);
	await context.close();
});

test("three languages, by the browser, by the address and by hand", async () => {
	for (const [locale, asked, word] of [
		["ko-KR", "", "순전파"],
		["zh-CN", "", "前向"],
		["fr-FR", "", "Forward"],
		["zh-CN", "?lang=ko", "순전파"],
		["ko-KR", "?lang=fr", "순전파"],
		["zh-CN", "?lang=ko#lang=en", "Forward"],
	]) {
		const page = await open("ffn", asked, { locale });
		await page.click("#from-first");
		assert.ok((await page.text("#title")).startsWith(word));
		await page.selectOption("#language", "zh");
		assert.ok((await page.text("#title")).startsWith("前向"));
	}
});

test("a thousand ops: under 3 MB and 2 seconds", async () => {
	assert.ok(fs.statSync(pages + "/thousand.html").size < 3e6);
	const page = await open("thousand");
	const ready = await page.evaluate(() => performance.now());
	console.log(
		`      ready after ${Math.round(ready)} ms, ${fs.statSync(pages + "/thousand.html").size} bytes`,
	);
	assert.ok(ready < 2000 * (process.env.CI ? 3 : 1), `${ready} ms`);
	await page.keyboard.press("End");
	await page.says("#title", /w\.grad/);
});

test("names are text", async () => {
	const page = await open("hostile", "#step=1");
	assert.ok((await page.text("#cards")).includes("</script><img src=x onerror=alert(1)>"));
	await page.has("img", 0);
	assert.ok(await page.fits());
});
