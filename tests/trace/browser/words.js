// The words of a page: terms that explain themselves, and Korean.
"use strict";
require("../browser_test.js");
const fs = require("node:fs");

test("words that one may not know explain themselves on touch", async () => {
	const page = await open("ffn");
	await page.click("#start .term:has-text('loss')");
	await page.says("#tip", /how wrong/);
	await page.presses("Escape");
	await page.sees("#tip", false);
	// A text of all terms, twice: each is a button the first time, and says what it means.
	const { terms, TERMS, use } = await ran(
		["words", "ops", "terms"].map(script).join("\n") +
			`const make = (kind, { onfocus }, text) => ({ text, onfocus }), $ = () => tip, innerWidth = 9, innerHeight = 9,
				rectOf = () => ({}), tip = { style: {} };
			return { TERMS, terms, use: (tag, one) => (language = tag, one?.onfocus({}), tip.textContent) };`,
	);
	for (const [k, language] of ["en", "ko", "zh"].entries()) {
		const rows = Object.values(TERMS).map(row => row[k].split(": "));
		use(language);
		const text = rows.map(([name]) => `. ${name} `).join(""),
			parts = terms(text.toUpperCase() + text),
			buttons = parts.filter(part => part.text);
		equal(parts.map(part => part.text ?? part).join(""), text.toUpperCase() + text);
		deepEqual(
			buttons.map(one => [one.text, use(language, one)]),
			rows.map(([name, ...means]) => [name.toUpperCase(), means.join(": ")]),
		);
	}
});

test("the languages say the same, with the same names and figures", async () => {
	const files = "words texts ops texts_live".split(" "),
		code = files.map(script).join("\n") + "; return { WORDS, OPS, TERMS, particles, word };",
		{ WORDS, OPS, TERMS, particles, word } = await ran(code),
		all = [WORDS, OPS, TERMS].flatMap(Object.values),
		names = text => (text.match(/\{\w+/g) ?? []).map(name => name.slice(1)),
		figures = text => text.replace(/\{\w+/g, "").match(/\d[\d.]*\b/g) ?? [],
		set = list => [...new Set(list)].sort(),
		said = text => [set(names(text)), set(figures(text))];
	for (const row of all) equal(row.length, 3);
	equal(code.match(/^\w+ \| /gm).length, [WORDS, OPS, TERMS].flatMap(Object.keys).length, "a key twice");
	for (const [en, ...others] of Object.values(OPS)) for (const text of others) deepEqual(names(text), names(en), text);
	for (const row of Object.values(WORDS))
		row.forEach((text, k) => {
			deepEqual(said(text), said(row[0]), text);
			const has = names(text),
				pairs = "was is; from to; a b; p r; g m" + (k ? "; n k; of k; all n; all part" : "");
			for (const [a, b] of table(pairs))
				if (has.includes(a) && has.includes(b)) ok(has.indexOf(a) < has.indexOf(b), text);
		});
	// {n|term|terms}
	for (const [key, [text]] of Object.entries(WORDS))
		for (const [, n, one, many] of text.matchAll(/\{(\w+)\|(.*?)\|(.*?)\}/g))
			for (const count of [0, 1, 2]) {
				const said = word(key, { [n]: count });
				ok(said.includes(count === 1 ? one : many) && !(count === 1 && said.includes(many)) && !/\|/.test(said), said);
			}
	for (const text of all.flatMap(([, ko]) => ko))
		doesNotMatch(particles(text.replace(/\{\w+\}/g, "w")), /\(\S\/\S\)|\(으\)|경사|구배/);
	const opposites = `rises 커 增; falls 작 减; forward 순 前; backward 역 反; turn 역 反; turnBack 순 前; negative 음 负
		positive 양 正; right 맞 对; notSo 아 不; passes 통 通; cutOff 잘 截; keptCell 남 留; droppedCell 버 丢`;
	for (const [key, ko, zh] of table(opposites)) ok(WORDS[key][1].includes(ko) && WORDS[key][2].includes(zh), key);
});

test("Korean particles follow how what is before them is read", async () => {
	const particles = await ran(script("words") + "; return particles;");
	const read = `가 | 를 | 로 | linear, clamp, softmax, W_Q, b, w2, 0.0172, 6.4e−5, 그래디언트
		이 | 을 | 으로 | target, clone, block, group, index_put, n, w1[3], 10, NaN
		이 | 을 | 로 | #7 matmul, scale, lr, w1.grad[8], −1, 손실`;
	for (const [subject, object, to, all] of table(read))
		for (const before of all.split(", ")) {
			const said = ["(이/가)", "(을/를)", "(으)로"].map(pair => particles(before + pair));
			deepEqual(
				said,
				[subject, object, to].map(one => before + one),
			);
		}
});

test("each text of the README's picture is a page's or gdb's", async () => {
	const bare = text => text.replace(/\s|&lt;/g, ""),
		kept = file => fs.readFileSync(`${__dirname}/../../../${file}`, "utf8");
	const textsOf = async (address, selectors) => {
		const page = await open("matmul", `#step=9&cell=W.grad[1,0]&lang=en${address}`);
		return page.evaluate(selectors => {
			const found = [];
			for (const element of document.querySelectorAll(selectors))
				for (const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT); walk.nextNode(); )
					found.push(walk.currentNode.data);
			return found;
		}, selectors);
	};
	// walk_through_test.py holds it true.
	const session = kept("demos/step/step.md").match(/^Breakpoint 3, .*matmul #1 [^]*?^\(gdb\) .*$/m)[0],
		pages = [await textsOf("", "#title, #formulas, #cards, #why"), await textsOf("&path=1.2", "#path")],
		said = ["", ...pages.flat(), ...session.split("\n"), ""].map(bare).join("|");
	// Texts of one look stand in the page's order, some on two lines.
	const looks = [...kept(".github/picture.svg").matchAll(/<g .*?>([^]*?)<\/g>/g)];
	ok(looks.length > 9);
	for (const [, texts] of looks) {
		let at = 0;
		for (const text of texts.match(/(?<=>)[^<>\n]+(?=<)/g).map(bare)) {
			const whole = said.indexOf(`|${text}|`, at),
				found = whole < 0 && /[^−+\d.]/.test(text) ? said.indexOf(text, at) : whole;
			ok(found >= 0, text);
			at = found + (whole < 0 ? text.length : text.length + 1);
		}
	}
});
