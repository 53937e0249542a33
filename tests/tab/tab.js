// The page of demos/run tab in a browser: node tab.js FOLDER [PART OF A TEST'S NAME]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
require("../trace/browser_test.js");
const { cell, write, ran, done, saved } = require("./cells.js");
require("./actions.js");

const exercises = path.join(__dirname, "../../demos/exercise");
const solution = name => {
	const text = fs.readFileSync(exercises + "/torch/exercises.py", "utf8");
	const part = text.split(/^# == /m).find(part => part.startsWith(name + ": "));
	return (
		"import math\nimport torch\nimport torch.nn.functional as F\n" +
		part.slice(part.indexOf("\n")).replace(/^ *#[<>].*\n/gm, "")
	);
};

test("the notebook runs whole, as a file and from a server, and shows its tape", async () => {
	const { at, close } = await served();
	for (const where of [{}, { at }]) {
		const page = await open("tab", "", where);
		await page.says("#state", /^Ready: .* \d+\.\d s/);
		await page.click("#all");
		await done(page);
		await page.has(".error", 0);
		const all = await page.innerText("#cells");
		match(all, /In\[2\]:8/);
		doesNotMatch(all, /not live/);
		match(all, /w1 torch\.Size\(\[2, 8\]\)/);
		ok(+all.match(/^0 (\d\.\d+)$/m)[1] > 100 * +all.match(/^100 (\d\.\d+)$/m)[1], "it learns");
		const last = await page.count("#cells > section");
		await ran(page, last, "loss.trace()");
		const frame = await (await page.waitForSelector("iframe")).contentFrame();
		await frame.waitForFunction(() => document.documentElement.dataset.live);
		match(await frame.innerText("#start"), /the loss (rises|falls) by about/);
		await frame.click("#from-first"), await frame.click("#next");
		match(await frame.textContent("#title"), /^Forward 2 of /);
		await page.rests(), await page.rests(); // it writes no address
		ok(fs.statSync((await saved(page, "#save"))[1]).size < 1e5, "without the page");
		await page.shut();
	}
	close();
});

test("in a chosen language all is said, tapes too, as on a page that is opened in it; it is kept", async () => {
	for (const book of ["1", "mul_backward"]) {
		const said = async (lang, other = lang) => {
			const page = await open("tab", `#book=${book}&lang=${lang}`);
			await page.click("#all"), await done(page);
			if (book === "1") {
				const frame = await (await page.waitForSelector("iframe")).contentFrame();
				await frame.waitForFunction(() => document.documentElement.dataset.live);
				match(
					await frame.innerText("#start"),
					{ ko: /w만 0\.01 키우면 손실은 약 0\.02만큼/, en: /^Raise w alone/m }[lang],
				);
				if (lang === "en") await page.says("#book option:checked", "Lesson 1: One number · A chain of two");
			} else await page.click("#exercise button:nth-of-type(2)");
			if (other !== lang) await page.selectOption("#language", other);
			const all = await page.$$eval("body :not(script, iframe)", all =>
				all.map(one => [one.ariaLabel, one.title, one.firstElementChild ? "" : one.textContent].join()),
			);
			await page.goto(page.url().split("#")[0]);
			return [all, await page.inputValue("#language")];
		};
		const [[all], [shown, kept]] = [await said("ko"), await said("en", "ko")];
		deepEqual(shown, all), equal(kept, "ko");
	}
});

test("what this Python lacks is said; deep recursion, used-up memory and long output end no work", async () => {
	const page = await open("tab", "#book=empty");
	for (const [code, said] of [
		["%matplotlib inline", "% and ! at the start of a line are Jupyter's"],
		["import numpy as np", "This tab has torch and most of Python's own modules, not numpy."],
		["input('Who? ')", "a cell of this tab cannot wait for an answer"],
		["import torch\ntorch.ones(2).numpy()", "Numpy is not available"],
	])
		ok((await ran(page, 1, code)).includes(said), code);
	for (const deep of [
		"class M(torch.nn.Module):\n  def forward(self, x): return self(x)\nM()(1)",
		"class F(torch.autograd.Function):\n  @staticmethod\n  def forward(ctx, x): return F.apply(x)\n  @staticmethod\n  def backward(ctx, d): return d\nF.apply(torch.ones(1, requires_grad=True))",
		"def f(n): return f(n + 1)\nf(0)",
	])
		match(await ran(page, 1, "import torch\n" + deep), /RecursionError/);
	match(await ran(page, 1, "kept = []\nwhile True: kept.append(torch.zeros(2**26))"), /out of memory|MemoryError/);
	for (const n of [1e6, 1e6 + 1, 1e6]) {
		const all = (await ran(page, 1, `print('a' + '가' * ${n - 1}, end='')`)).replace(/\n…\s*$/, "…");
		ok(all === "a" + "가".repeat(n - 1) + (n > 1e6 ? "…" : ""), `${n}: ${all.length}`);
	}
	await page.shut();
});

test("work stays through a reload and in another tab; Jupyter's file has a notebook of its own", async () => {
	const page = await open("tab", "#book=1");
	await page.to("book=empty");
	await ran(page, 1, "print(6 * 7)");
	const [name, file] = await saved(page, "#save");
	const { nbformat, metadata } = JSON.parse(fs.readFileSync(file, "utf8"));
	deepEqual([name, nbformat, metadata.kernelspec.name], ["empty.ipynb", 4, "stepgrad"]);
	await page.rests(), await page.rests();
	const other = await page.context().newPage();
	await other.goto(page.url());
	match(await other.innerText("#cells"), /6 \* 7/);
	await write(other, 1, "import math");
	await page.waitForSelector(cell(1) + " .cm-content:has-text('import math')");
	await other.close();
	const cells = [
		{ cell_type: "markdown", source: ["# one\n", "two"] },
		{ cell_type: "code", source: "3\n4", outputs: [] },
	];
	fs.writeFileSync(pages + "/mine (1).ipynb", JSON.stringify({ cells }));
	await page.setInputFiles("#file", pages + "/mine (1).ipynb");
	await page.waitForFunction(() => document.getElementById("book").value === "mine");
	await page.reloaded();
	await page.says("#book option[value=mine]", "mine");
	equal(await page.innerHTML(cell(1) + " .output"), "<h1>one</h1>\n<p>two</p>\n");
	await page.says(cell(2) + " .cm-content", "34");
	await page.has("#cells > section", 2);
	fs.writeFileSync(pages + "/none.ipynb", "{}");
	await page.setInputFiles("#file", pages + "/none.ipynb");
	await page.waitForSelector("#state:has-text('none.ipynb is no notebook')");
	await page.says("#book option:checked", "mine");
});

test("names are completed and explained by Python, from the keyboard", async () => {
	const page = await open("tab", "#book=empty");
	await ran(page, 1, "import torch\nx = torch.ones(2)");
	for (const [key, text, name, info] of table(
		"Control+Space torch.optim.Ada AdamW lr; Tab torch.optim.Ada AdamW lr; Tab di dict dict",
	)) {
		await write(page, 1, text);
		await page.keyboard.press(key);
		await page.waitForSelector(`.cm-tooltip-autocomplete li:has-text('${name}')`);
		ok((await page.texts(".cm-tooltip-autocomplete li")).includes(name), name);
		await page.waitForSelector(`.cm-completionInfo:has-text('${info}')`);
		await page.keyboard.press("Escape");
	}
	for (const [text, said] of [
		["x", /^Tensor: tensor\(\[1\., 1\.\]\)$/],
		["torch.optim.SGD(", /^SGD\(params, lr/],
	]) {
		await write(page, 1, text);
		await page.keyboard.press("Shift+Tab");
		await page.waitForSelector(".note");
		await page.says(".note", said);
	}
	await page.keyboard.press("Escape");
	await page.keyboard.press("Escape");
	equal(await page.evaluate(() => document.activeElement.dataset.label), "run");
});

test("two exercises are solved in Korean on a phone, and handed in", async () => {
	const page = await open("tab", "#book=mul_backward&lang=ko", onPhone);
	const button = n => `#exercise button:nth-of-type(${n})`;
	const words = fs.readFileSync(exercises + "/words.ko.md", "utf8").split("## mul_backward\n")[1];
	for (const text of words.split("\n").slice(1, 3)) {
		await page.click(button(2));
		ok((await page.text("#exercise")).includes(text), text);
	}
	await write(page, 1, "1");
	await page.click(button(1));
	await page.waitForSelector(".verdict pre:has-text('my_mul')"); // which is not there
	await page.click("#original");
	await page.click(button(1));
	await page.waitForSelector(".verdict pre:text('mul_backward: 아직 아닙니다')");
	const check = async says => {
		await page.click(button(1));
		await done(page);
		match(await page.text(".verdict"), says);
	};
	// A verdict that comes when another exercise is on show is not its own.
	await write(page, 1, "def my_mul(*_):\n    while True: pass");
	await page.click(button(1));
	await page.waitForFunction(() => document.querySelector(".count").textContent === "[3]");
	await page.to("book=relu_backward&lang=ko");
	await page.says(".verdict", "");
	const answers = {}; // without texts
	for (const [i, name] of ["mul_backward", "relu_backward"].entries()) {
		await page.to("book=" + name + "&lang=ko");
		await page.is("ready");
		await page.has("#exercise p", 2); // no hint of the one before
		const [imports, functions] = solution(name)
			.match(/^((?:import.*\n)*)([^]*)/)
			.slice(1)
			.map(part => part.trim());
		for (const [n, text, kind] of [
			[1, imports, "addText"],
			[2, "No Python: a text!", "addCode"],
			[3, functions, "addCode"],
			[4, "1 / 0"],
		]) {
			await write(page, n, text);
			if (kind) await page.click(`${cell(n)} [data-label=${kind}]`);
		}
		answers[name] = imports + "\n\n" + functions;
		await check(/^$/);
		await page.click(cell(4) + " [data-label=remove]");
		for (let twice = 0; twice < 2; ++twice) {
			await check(RegExp(`^맞았습니다${name}: `));
			await page.says("#exercise > p:last-child", `연습 문제 19개 가운데 ${i + 1}개를 풀었습니다`);
		}
	}
	await page.click(button(3));
	await page.waitForSelector(".verdict pre:has-text('return dY * (X > 0)')");
	ok(await page.fits());
	page.removeAllListeners("dialog");
	const offered = [];
	page.on("dialog", dialog => (offered.push(dialog.defaultValue()), dialog.accept("김/유나")));
	await saved(page, "#hand");
	const [name, file] = await saved(page, "#hand");
	deepEqual(offered, ["", "김/유나"]);
	equal(name, "김_유나.json");
	deepEqual(JSON.parse(fs.readFileSync(file, "utf8")), { answers });
	await page.reloaded();
	await page.says("#book option:checked", /✓$/);
});

test("the site's index has each lesson and exercise at one click, also when its server has gone", async () => {
	const { at, close } = await served();
	const page = asTape(await (await (await launched()).newContext()).newPage());
	await page.goto(at + "/#lang=ko");
	await page.waitForFunction(() => document.documentElement.dataset.kept, null, {
		timeout: 60_000,
	});
	close();
	await page.goto(at + "/one_number.html#lang=ko");
	await page.is("ready");
	await page.goto(at + "/index.html#lang=ko");
	await page.waitForSelector("a[href*='book=mul_backward']");
	const books = await page.$$eval("a[href^=tab]", links => links.map(({ href }) => href.match(/book=(\w+)/)?.[1]));
	const all = fs.readFileSync(exercises + "/torch/exercises.py", "utf8").match(/(?<=^# == )\w+/gm);
	for (const book of [..."123456789", "ffn", "empty", ...all]) ok(books.includes(book), book);
	await page.goto(at + "/chain.html#lesson=99&lang=ko");
	await page.click("#lesson a[href^='tab.html#book=mul_backward']");
	await page.is("ready");
	match(await ran(page, 1, solution("mul_backward") + "\nmy_mul(torch.ones(1), 3 * torch.ones(1))"), /tensor\(\[3\.\]/);
	await page.context().close();
});

test("axe-core finds nothing, in both schemes and on a phone, in each language", async () => {
	for (const [hash, options] of [
		["#lang=en&book=none", { colorScheme: "light" }],
		["#lang=zh&book=2", { colorScheme: "dark" }],
		["#lang=ko&book=attention", onPhone],
	]) {
		const page = await open("tab", hash, { ...options, bypassCSP: true });
		await page.click("#all");
		await done(page);
		await page.has(".error", 0, hash);
		await page.addScriptTag({ path: modules + "/axe-core/axe.min.js" });
		const { violations } = await page.evaluate(() => axe.run({ iframes: false }));
		deepEqual(
			violations.map(one => one.id + ": " + one.nodes[0].html),
			[],
			hash,
		);
		ok(await page.fits());
		await page.shut();
	}
});
