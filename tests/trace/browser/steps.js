// Steps, cells, their texts and sources, printing and screen readers.
"use strict";
require("../browser_test.js");
const fs = require("node:fs");

test("hovered sums end in the numbers that C++ computed, and mark where they come from", async () => {
	const page = await open("ffn", "#step=24");
	await page.hover(td("dB", 19));
	near(lastNumber(await page.sum()), printed("ffn")[0], 1e-5, 2e-6);
	for (const card of ["dY", "A"]) await page.has(`[data-card=${card}] td.marked`, 3);
	match(await page.address(), /cell=w1.grad%5B2%2C3%5D/);
	await page.click(td("dB", 19));
	await page.hover(td("A", 0));
	await page.sum(/^dB\[2, 3\]/, "a click holds");
	await page.presses("Escape");
	await page.has("td.marked", 0);
	await page.hover(td("A", 1));
	await page.sum(/^A\[0, 1\] = /, "what was let go holds no more");
});

test("the keyboard alone leads from a leaf's gradient back to the loss", async () => {
	const page = await open("ffn", "#step=26");
	const way = [await page.text("#title")];
	await page.focus("#cards .card:last-child td[data-i='0']");
	while (!way.at(-1).startsWith("Backward 1 ")) {
		if (!(await page.count("#why .follow"))) await page.focus(td("dY", 0));
		await page.presses("Enter");
		way.push(await page.text("#title"));
		ok(way.length < 20, way.join(", "));
	}
	ok(way.length > 2);
});

test("arrows, Home and End stop at the edge, and Tab finds one place", async () => {
	const page = await open("ffn", "#step=1");
	await page.focus(td("Y", 0));
	for (const [key, to] of table(
		"ArrowLeft 0; ArrowUp 0; End 7; ArrowRight 7; ArrowDown 15; ArrowDown 23; ArrowDown 23; ArrowLeft 22; Home 16; ArrowUp 8; ArrowRight 9",
	)) {
		await page.presses(key);
		await page.has(td("Y", to) + ":focus", 1, `${key} to ${to}`);
		await page.sum(new RegExp(`^Y\\[${Math.floor(to / 8)}, ${to % 8}\\] = `));
		await page.has("[data-card=Y] td[tabindex='0']", 1);
		await page.has(td("Y", to) + "[tabindex='0']", 1);
	}
	const last = (await page.count("#graph [role=button]")) - 1;
	await page.focus("#graph [role=button] >> nth=0");
	for (const [key, to] of table(
		`ArrowUp 0; ArrowDown 1; ArrowRight 2; ArrowLeft 1; End ${last}; ArrowDown ${last}; ArrowUp ${last - 1}; Home 0`,
	)) {
		await page.presses(key);
		const here = await page.$$eval("#graph [role=button]", all => all.indexOf(document.activeElement));
		equal(here, to, key);
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
	ok(notes.includes(`${4 * 10 * 512} terms; these 5 make ${share} % (by size)`), notes);
	ok(sizes.length < product(shape));
});

test("inside of a notebook's cell it works, without an address", async () => {
	const page = await (await launched()).newPage(),
		problems = [];
	page.on("pageerror", error => problems.push(error.message));
	const how = "sandbox='allow-scripts allow-modals' style='width: 900px; height: 700px'";
	await page.setContent(`<iframe ${how}></iframe>`);
	await page.$eval("iframe", (frame, html) => (frame.srcdoc = html), read("ffn.html"));
	const inside = selector => page.frameLocator("iframe").locator(selector);
	await inside("html[data-ready]").waitFor();
	await inside("#from-first").click();
	await inside("#next").click();
	match(await inside("#title").textContent(), /#2 add/);
	await inside(td("Y", 3)).hover();
	match(await inside("#why .sum").textContent(), /^Y\[0, 3\] = /);
	deepEqual(problems, []);
	await page.close();
});

test("three languages, by the browser, by the address and by hand", async () => {
	for (const [locale, asked, word] of table(
		"ko-KR # 순전파; zh-CN # 前向; fr-FR # Forward; zh-CN ?lang=ko 순전파; ko-KR ?lang=fr 순전파; zh-CN ?lang=ko#lang=en Forward",
	)) {
		const page = await open("ffn", asked, { locale });
		await page.click("#from-first");
		await page.says("#title", new RegExp("^" + word));
		await page.click(td("Y", 3));
		await page.selectOption("#language", "zh");
		await page.says("#title", /^前向/);
		await page.sum(/^Y\[0, 3\] = /, "the cell is still held");
	}
});

test("a thousand ops: under 3 MB and 2 seconds", async () => {
	ok(fs.statSync(pages + "/thousand.html").size < 3e6);
	const page = await open("thousand"),
		ready = await page.evaluate(() => performance.now());
	console.log(`      ready after ${Math.round(ready)} ms`);
	ok(ready < 2000 * (process.env.CI ? 3 : 1), `${ready} ms`);
	await page.presses("End");
	await page.says("#title", /w\.grad/);
});

test("names are text", async () => {
	const page = await open("hostile", "#step=1");
	ok((await page.text("#cards")).includes("</script><img src=x onerror=alert(1)>"));
	await page.has("img", 0);
	ok(await page.fits());
});
