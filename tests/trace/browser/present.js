// A page on a presenter's screen, and on paper.
"use strict";
const assert = require("node:assert/strict");
const { test, open, live, pages, site, write } = require("../browser_test.js");

test("the first screen is printed as it stands", async () => {
	const page = await open("ffn");
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	await page.emulateMedia({ media: "print" });
	assert.ok((await page.innerText("#handout")).length > 100);
});

test("a presenter shows one product a screen, and goes on by a presenter's keys", async () => {
	const page = await live("feed_forward", "#lesson=5");
	await page.click("#present");
	assert.ok(!(await page.isVisible("#left")));
	assert.equal(
		await page.evaluate(
			() => [...document.querySelectorAll("#cards .card")].filter(card => card.offsetParent).length,
		),
		3,
	);
	const size = await page.evaluate(() =>
		parseFloat(getComputedStyle(document.querySelector("#why .sum")).fontSize),
	);
	assert.ok(size >= 20);
	await page.screenshot({ path: `${pages}/present.png` });
	await page.evaluate(() => document.activeElement.blur());
	await page.keyboard.press("PageDown");
	await page.says("#lesson h2", /Change w1/);
	await page.keyboard.press("PageUp");
	await page.says("#lesson h2", /w1/);
	await page.keyboard.press("b");
	assert.ok(!(await page.isVisible("#step")));
	await page.keyboard.press("b");
	await page.keyboard.press("Escape");
	assert.ok(await page.isVisible("#left"));
});

test("paper has the sum that is held, a step a page", async () => {
	const page = await open("ffn", "#step=24&cell=w1.grad[2,3]", { colorScheme: "dark" });
	await page.click("#pin");
	await page.goto(`${site}/ffn.html#step=9`);
	await page.click("#pin");
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	await page.emulateMedia({ media: "print" });
	await page.has("#handout > *", 2);
	assert.ok((await page.isVisible("#handout")) && !(await page.isVisible("main")));
	await page.says("#handout > :first-child .printed-title", /^Forward 9 /);
	await page.says("#handout > :last-child .printed-why", /dB\[2, 3\] = /);
	const pdf = await page.pdf({ preferCSSPageSize: true });
	write("handout.pdf", pdf);
	await page.screenshot({ path: pages + "/print.png" });
	const [r] = await page.evaluate(() =>
		getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number),
	);
	assert.ok(r > 200, "light");
});
