// A page on a presenter's screen, and on paper.
"use strict";
const assert = require("node:assert/strict");
const { test, open, live, pages } = require("../browser_test.js");

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
	await page.keyboard.press("Escape");
	assert.ok((await page.isVisible("#left")) && (await page.isVisible("#step")), "all of it");
	await page.click("#present"), await page.click("#lesson-close");
	assert.ok(await page.isVisible("#left"));
	assert.equal(await page.getAttribute("#present-page", "aria-pressed"), "false");
});

test("on paper there is what one looks at, without buttons and the tape", async () => {
	for (const [place, shown] of [
		["", "#start h2"],
		["#step=24&cell=w1.grad[2,3]", "#why .sum"],
		["#step=24&path=1.19", "#path .factor"],
	]) {
		const page = await open("ffn", place);
		await page.emulateMedia({ media: "print" });
		assert.ok(await page.locator(shown).first().isVisible(), place);
		for (const gone of ["header", "#left", "#lesson-start", "#cost"])
			assert.ok(!(await page.isVisible(gone)), `${place}: ${gone}`);
		await page.shut();
	}
});
