// The words of a page: terms that explain themselves, and Korean.
"use strict";
const assert = require("node:assert/strict");
const { ran, script } = require("../scripts.js");

module.exports = ({ open, shut, text, site }) => ({
	async "words that one may not know explain themselves on touch"() {
		const page = await open("ffn");
		await page.click("#start .term:has-text('loss')");
		assert.match(await text(page, "#tip"), /how wrong/);
		await page.keyboard.press("Escape");
		assert.ok(!(await page.isVisible("#tip")));
		await page.click("#from-first");
		assert.match(await text(page, "#live"), /each row of x times each column of w1, summed/);
		await shut(page);
	},

	async "Korean particles follow how what is before them is read"() {
		const particles = await ran(script("words") + "; return particles;");
		for (const [before, subject, object, to] of [
			["linear", "가", "를", "로"],
			["target", "이", "을", "으로"],
			["#7 matmul", "이", "을", "로"],
			["clone", "이", "을", "으로"],
			["scale", "이", "을", "로"],
			["clamp", "가", "를", "로"],
			["softmax", "가", "를", "로"],
			["block", "이", "을", "으로"],
			["group", "이", "을", "으로"],
			["index_put", "이", "을", "으로"],
			["lr", "이", "을", "로"],
			["W_Q", "가", "를", "로"],
			["b", "가", "를", "로"],
			["n", "이", "을", "으로"],
			["w1[2, 3]", "이", "을", "으로"],
			["w1.grad[0, 8]", "이", "을", "로"],
			["w2", "가", "를", "로"],
			["0.0172", "가", "를", "로"],
			["−1", "이", "을", "로"],
			["6.4e−5", "가", "를", "로"],
			["10", "이", "을", "으로"],
			["NaN", "이", "을", "으로"],
			["손실", "이", "을", "로"],
			["그래디언트", "가", "를", "로"],
		]) {
			const said = ["이/가", "을/를"].map(pair => particles(`${before}(${pair})`));
			assert.deepEqual(
				[...said, particles(before + "(으)로")],
				[subject, object, to].map(one => before + one),
			);
		}
	},

	async "no Korean particle stays unresolved, and a gradient has one word"() {
		const page = await open("ffn", "", { locale: "ko-KR" });
		assert.match(
			await text(page, "#start"),
			/만 0\.01 키우면 손실은 약 [\d.]+만큼 (커집|작아집)니다/,
		);
		const shown = () => page.evaluate(() => document.body.innerText);
		for (let step = 1; step <= 26; ++step) {
			await page.goto(`${site}/ffn.html#step=${step}`);
			const cell = page.locator(".card.result td[data-i]").last();
			if (await cell.count()) await cell.click();
			assert.doesNotMatch(await shown(), /\((이\/가|은\/는|을\/를|와\/과|으)\)|경사|구배/);
		}
		const words = await ran(
			`const WORDS = {}, OPS = {}, TERMS = {}; ${script("ops_ko")} return TERMS.ko;`,
		);
		assert.equal(words.gradient[0], "그래디언트");
		await shut(page);
	},
});
