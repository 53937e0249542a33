// What the tab's tests do with cells, which they count from one.
"use strict";
const cell = n => `#cells > section:nth-child(${n})`;
const write = async (page, n, text) => {
	await page.click(cell(n) + " .cm-content");
	await page.keyboard.press("Control+A");
	await page.keyboard.insertText(text);
};
// What a cell shows after it has run this text.
const ran = async (page, n, text) => {
	await write(page, n, text);
	await page.keyboard.press("Control+Enter");
	await done(page);
	return page.innerText(cell(n) + " .output");
};
const done = page =>
	page.waitForFunction(
		() =>
			document.documentElement.dataset.ready &&
			document.getElementById("stop").disabled &&
			![...document.querySelectorAll(".count")].some(count => count.textContent === "[…]"),
		null,
		{ timeout: 60_000 },
	);
const saved = async (page, button) => {
	const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
	return [download.suggestedFilename(), await download.path()];
};
module.exports = { cell, write, ran, done, saved };
