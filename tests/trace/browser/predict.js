// A user's predictions, and the page's answers.
"use strict";
require("../browser_test.js");

const toggle = page => page.click("#predict");
const guess = async (page, i, said) => {
	await page.click(td("Y", i));
	await page.click(`#why button:has-text('${said}')`);
};

test("prediction covers a step's results, judges signs, shows where they come from, and counts", async () => {
	const page = await open("ffn", "#step=1"),
		first = await page.text(td("Y", 0));
	const covered = n => page.has("[data-card=Y] td.covered", n);
	await toggle(page);
	await covered(24);
	await guess(page, 0, first.startsWith("+") ? "positive" : "negative");
	await page.has("#why .right", 1);
	await guess(page, 10, "zero");
	await page.says("#why .wrong", / 1 of 2 so far\.$/);
	await page.has("td.marked", 8, "where it comes from");
	await page.sum(/^Y\[1, 2\] = /);
	await guess(page, 5, "Show");
	await page.has("#why .wrong", 0, "what is only shown");
	await guess(page, 6, "zero");
	await page.says("#why .wrong", / 1 of 3 so far\.$/);
	await page.click("#next"), await covered(24);
	await page.click("#back"), await covered(20);
	await toggle(page), await toggle(page), await covered(24);
});

test("a prediction within 2 % is right, on either side and of either sign", async () => {
	const isRight = await ran(script("numbers") + script("predict") + "; return isRight;"),
		rows = `51 50 1; 49 50 1; 51.1 50 0; 48.9 50 0; -51 -50 1; -49 -50 1; -51.1 -50 0; -48.9 -50 0; 50 -50 0; 0 0 1
			1e-9 0 0; Infinity Infinity 1; 9 Infinity 0; NaN NaN 1; 5 NaN 0; NaN 5 0`;
	for (const [x, right, is] of table(rows)) equal(isRight(+x, +right), is > 0, `${x} for ${right}`);
});

test("live: nothing beside a covered number tells it", async () => {
	const page = await live("live", "#step=1");
	await toggle(page);
	let asked = 0;
	for (let step = 1; step < 25; ++step) {
		const result = page.locator(".card.result td.covered").first();
		if (await result.count()) await result.click(), ++asked;
		await page.sees("#bench", false); // the number's slider, its loss and its slope
		await page.has(".card.result .stats, #why :is(.sum, .meaning)", 0);
		const [picture] = await page.locator("#graph .current .thumb .edge").all();
		if (step < 12 && picture) equal(await picture.getAttribute("fill"), "url(#hatch)", "and the tape's picture");
		await page.click("#next");
	}
	ok(asked > 10);
});
