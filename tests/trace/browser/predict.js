// A user's predictions, and the page's answers.
"use strict";
const assert = require("node:assert/strict");

module.exports = ({ open, live, shut, text, sum }) => ({
	async "prediction covers results, judges signs, values and sources"() {
		const page = await open("ffn", "#step=1");
		await page.click("#predict");
		assert.equal(await page.locator("[data-card=Y] td.covered").count(), 24);
		const answer = async (i, choose) => {
			await page.click(`[data-card=Y] td[data-i='${i}']`);
			await choose();
			return {
				said: await page.locator("#why .right").count(),
				number: await text(page, `[data-card=Y] td[data-i='${i}']`),
			};
		};
		const first = await answer(0, () => page.click("#why button:has-text('positive')"));
		assert.equal(first.said === 1, first.number.startsWith("+"));
		await page.click("[data-card=Y] td[data-i='9']");
		await page.click("#why button:has-text('feed')");
		for (const k of [0, 1, 2, 3]) {
			await page.click(`[data-card=A] td[data-i='${4 + k}']`);
			await page.click(`[data-card=B] td[data-i='${8 * k + 1}']`);
		}
		await page.click("#why button");
		assert.equal(await page.locator("#why .right").count(), 1);
		await page.click("[data-card=Y] td[data-i='10']");
		await page.click("#why button:has-text('zero')");
		assert.match(await text(page, "#why .wrong"), new RegExp(` ${1 + first.said} of 3 so far\\.$`));
		assert.equal(await page.locator("td.marked").count(), 8, "where it comes from");
		assert.match(await sum(page), /^Y\[1, 2\] = /);
		await shut(page);
	},

	async "live: nothing beside a covered number tells it"() {
		const page = await live("live", "#step=1");
		await page.click("#predict");
		let asked = 0;
		for (let step = 1; step < 25; ++step) {
			const result = page.locator(".card.result td.covered").first();
			if (await result.count()) await result.click(), ++asked;
			assert.ok(!(await page.isVisible("#bench")), "the number's slider, its loss and its slope");
			assert.equal(await page.locator(".card.result .stats, #why :is(.sum, .meaning)").count(), 0);
			await page.click("#next");
		}
		assert.ok(asked > 10);
		await shut(page);
	},

	async "negative, zero and positive are right of such numbers alone, and sources only if they are all"() {
		const page = await open("ffn", "#step=3"),
			shown = await page.locator("[data-card=Y] td[data-i]").allTextContents();
		const below = await open("ffn", "#step=1"),
			negative = (await below.locator("[data-card=Y] td[data-i]").allTextContents()).findIndex(
				number => number.startsWith("−"),
			);
		const cells = [
			[page, "zero", shown.indexOf("0")],
			[page, "positive", shown.findIndex(number => number.startsWith("+"))],
			[below, "negative", negative],
		];
		for (const [at, sign, i] of cells) {
			assert.ok(i >= 0, sign);
			for (const said of ["negative", "zero", "positive"]) {
				await at.click("#predict");
				await at.click(`[data-card=Y] td[data-i='${i}']`);
				await at.click(`#why button:has-text('${said}')`);
				assert.equal(
					await at.locator("#why .right").count(),
					+(said === sign),
					`${sign}, said to be ${said}`,
				);
				assert.equal(
					await at.locator("#why .wrong").count(),
					+(said !== sign),
					`${sign}, said to be ${said}`,
				);
				await at.click("#predict");
			}
		}
		const feeds = [
			...[4, 5, 6, 7].map(i => `[data-card=A] td[data-i='${i}']`),
			...[1, 9, 17, 25].map(i => `[data-card=B] td[data-i='${i}']`),
		];
		for (const chosen of [
			feeds.slice(0, 4),
			feeds.slice(0, 7),
			feeds.slice(1),
			[...feeds, "[data-card=A] td[data-i='3']"],
		]) {
			await below.click("#predict");
			await below.click("[data-card=Y] td[data-i='9']");
			await below.click("#why button:has-text('feed')");
			for (const cell of chosen) await below.click(cell);
			await below.click("#why button");
			assert.equal(await below.locator("#why .wrong").count(), 1, chosen.join());
			await below.click("#predict");
		}
		await shut(page), await shut(below);
	},

	async "a cell is revealed at its own step alone, and a source that was chosen can be taken back"() {
		const page = await open("ffn", "#step=1"),
			covered = () => page.locator("[data-card=Y] td.covered").count();
		await page.click("#predict");
		await page.click("[data-card=Y] td[data-i='9']");
		await page.click("#why button:has-text('show')");
		assert.equal(await covered(), 23);
		await page.click("#next");
		assert.equal(await covered(), 24, "of the next op's numbers none was asked for");
		await page.click("#back");
		assert.equal(await covered(), 23);
		await page.click("[data-card=Y] td[data-i='10']");
		await page.click("#why button:has-text('feed')");
		for (const cell of [
			...[4, 5, 6, 7].map(i => `A] td[data-i='${i}']`),
			...[2, 10, 18, 26].map(i => `B] td[data-i='${i}']`),
			"A] td[data-i='0']",
			"A] td[data-i='0']",
		])
			await page.click("[data-card=" + cell);
		await page.click("#why button");
		assert.equal(await page.locator("#why .right").count(), 1);
		await shut(page);
	},

	async "a number that was predicted is right with either sign for minus, within its last digits"() {
		const page = await open("ffn", "#step=1");
		const shown = await page.locator("[data-card=Y] td[data-i]").allTextContents();
		const negative = shown.findIndex(number => number.startsWith("−"));
		const number = shown[negative].slice(1);
		assert.ok(negative >= 0 && Number(number) > 0.001, number);
		for (const [typed, right] of [
			["-" + number, 1],
			["−" + number, 1],
			[number, 0],
			["-" + 1.1 * number, 0],
			["", 0],
		]) {
			await page.click("#predict");
			await page.click(`[data-card=Y] td[data-i='${negative}']`);
			await page.fill("#why input", typed);
			await page.keyboard.press("Enter");
			assert.equal(await page.locator("#why .right").count(), right, typed);
			assert.equal(await page.locator("#why .wrong").count(), 1 - right, typed);
			await page.click("#predict");
		}
		await shut(page);
	},
});
