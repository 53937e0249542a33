// A page on a presenter's screen, and on paper.
"use strict";
const assert = require("node:assert/strict");
const { test, open, live, td, pages } = require("../browser_test.js");

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
	await page.keyboard.press("Escape");
	assert.ok((await page.isVisible("#left")) && (await page.isVisible("#step")), "all of it");
	await page.click("#present"), await page.click("#lesson-close");
	assert.ok(await page.isVisible("#left"));
	assert.equal(await page.getAttribute("#present-page", "aria-pressed"), "false");
});

test("the page stands after printing as it stood before, and each step that is kept is on paper", async () => {
	const page = await open("ffn", "#step=9");
	await page.click("#pin");
	await page.to("#step=24&cell=w1.grad[2,3]");
	await page.click("#pin");
	const stands = () =>
		page.evaluate(() => [
			location.hash,
			...["#start", "#path", "#title", "#why .sum"].map(
				one => document.querySelector(one)?.innerText,
			),
		]);
	for (const place of ["", "&path=1.19", "home"]) {
		if (place === "home") await page.click("#home");
		else await page.to("#step=24&cell=w1.grad[2,3]" + place);
		await page.rests();
		const before = await stands();
		await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
		if (!place) await page.hover(td("A", 0)); // it is still held
		assert.deepEqual(await stands(), before);
		const printed = await page.locator("#handout .printed-title").allTextContents();
		assert.deepEqual(
			printed.map(title => title.slice(0, 11)),
			["Forward 9 o", "Backward 13"],
			place,
		);
	}
});
