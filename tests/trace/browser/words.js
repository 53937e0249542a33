// The words of a page: terms that explain themselves, and Korean.
"use strict";
const assert = require("node:assert/strict");
const { script, ran } = require("../scripts.js");
const { test, open, site } = require("../browser_test.js");

test("words that one may not know explain themselves on touch", async () => {
	const page = await open("ffn");
	await page.click("#start .term:has-text('loss')");
	await page.says("#tip", /how wrong/);
	await page.keyboard.press("Escape");
	assert.ok(!(await page.isVisible("#tip")));
	await page.click("#from-first");
	await page.says("#live", /each row of x times each column of w1, summed/);
});

test("Korean particles follow how what is before them is read", async () => {
	const particles = await ran(script("words") + "; return particles;");
	for (const [subject, object, to, read] of [
		["가", "를", "로", "linear; clamp; softmax; W_Q; b; w2; 0.0172; 6.4e−5; 그래디언트"],
		["이", "을", "으로", "target; clone; block; group; index_put; n; w1[2, 3]; 10; NaN"],
		["이", "을", "로", "#7 matmul; scale; lr; w1.grad[0, 8]; −1; 손실"],
	])
		for (const before of read.split("; ")) {
			const said = ["이/가", "을/를"].map(pair => particles(`${before}(${pair})`));
			assert.deepEqual(
				[...said, particles(before + "(으)로")],
				[subject, object, to].map(one => before + one),
			);
		}
});

test("no Korean particle stays unresolved, and a gradient has one word", async () => {
	const page = await open("ffn", "", { locale: "ko-KR" });
	await page.says("#start", /만 0\.01 키우면 손실은 약 [\d.]+만큼 (커집|작아집)니다/);
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
});
