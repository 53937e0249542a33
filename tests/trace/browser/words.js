// The words of a page: terms that explain themselves, and Korean.
"use strict";
const assert = require("node:assert/strict");
const { script, ran } = require("../scripts.js");
const { test, open } = require("../browser_test.js");

test("words that one may not know explain themselves on touch", async () => {
	const page = await open("ffn");
	await page.click("#start .term:has-text('loss')");
	await page.says("#tip", /how wrong/);
	await page.keyboard.press("Escape");
	assert.ok(!(await page.isVisible("#tip")));
	await page.click("#from-first");
	await page.says("#live", /each row of x times each column of w1, summed/);
});

test("the languages say the same: with the same names and figures, what was before what is, all before its part, and no opposite", async () => {
	const { WORDS, OPS, TERMS, particles } = await ran(
			"words texts ops texts_live".split(" ").map(script).join("\n") +
				"; return { WORDS, OPS, TERMS, particles };",
		),
		names = text => (text.match(/\{\w+/g) ?? []).map(name => name.slice(1)),
		figures = text => text.replace(/\{\w+/g, "").match(/\d[\d.]*\b/g) ?? [],
		set = list => [...new Set(list)].sort();
	for (const row of [WORDS, OPS, TERMS].flatMap(Object.values)) assert.equal(row.length, 3);
	for (const [en, ...others] of Object.values(OPS))
		for (const text of others) assert.deepEqual(names(text), names(en), text);
	for (const row of Object.values(WORDS))
		row.forEach((text, k) => {
			const all = names(text);
			assert.deepEqual(
				[set(all), set(figures(text))],
				[set(names(row[0])), set(figures(row[0]))],
				text,
			);
			for (const two of `was is/from to/a b/p r/g m${k ? "/n k/of k/all n/all part" : ""}`.split(
				"/",
			)) {
				const [a, b] = two.split(" ");
				if (all.includes(a) && all.includes(b)) assert.ok(all.indexOf(a) < all.indexOf(b), text);
			}
		});
	for (const [, ko] of [WORDS, OPS, TERMS].flatMap(Object.values))
		for (const text of [ko].flat())
			assert.doesNotMatch(particles(text.replace(/\{\w+\}/g, "w")), /\(\S\/\S\)|\(으\)|경사|구배/);
	for (const line of `rises 커 增; falls 작 减; forward 순 前; backward 역 反; turn 역 反; turnBack 순 前; negative 음 负
		positive 양 正; right 맞 对; notSo 아 不; passes 통 通; cutOff 막 截; keptCell 남 留; droppedCell 버 丢`.split(
		/[;\n]/,
	)) {
		const [key, ko, zh] = line.trim().split(" ");
		assert.ok(WORDS[key][1].includes(ko) && WORDS[key][2].includes(zh), key);
	}
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
