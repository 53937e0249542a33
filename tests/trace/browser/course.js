// The course: from its index through every page and back.
"use strict";
require("../browser_test.js");
const fs = require("node:fs");

const course = JSON.parse(idIn(read("index.html"), "pages"));
// A step of a lesson leads to what it speaks of, and of each question one answer is right. Returns how many of
// them change a number.
const readStep = async (page, what) => {
	for (const link of await page.locator("#lesson .link").all()) {
		await page.click("#home");
		await link.click();
		ok((await page.isVisible("#step")) || (await page.isVisible("#path")), `${what}: ${await link.textContent()}`);
	}
	let changed = 0;
	for (const question of await page.locator("#lesson .question").all()) {
		let right = 0;
		for (const button of await question.locator(".ways button").all()) {
			await button.click();
			if (await page.count("#lesson .try")) {
				await page.click("#lesson .try");
				await page.waitForSelector("#lesson :is(.right, .wrong)");
			}
			changed += await question.locator(".was").count();
			right += await question.locator(".answer .right").count();
		}
		equal(right, 1, what);
	}
	return changed;
};
test("every page of the course is there, small, and of a lesson with a goal in three languages", async () => {
	equal([...new Set(course.pages.map(({ lesson }) => lesson))].join(""), "123456789");
	for (const { name, goal } of course.pages) {
		ok(fs.statSync(`${pages}/${name}.html`).size < 1e6, name);
		match([goal.en, goal.ko, goal.zh].join("|"), /^Goal: .*\|목표: .*\|目标：/, name);
	}
	const others = course.others.map(({ name, bytes }) => [name, bytes > 1e5 && bytes < 1e7]);
	deepEqual(others, hasEngine ? [["playground", true]] : []);
	for (const language of ["en", "ko", "zh"]) {
		const { cells } = JSON.parse(read(`course.${language}.ipynb`)),
			code = cells.filter(({ cell_type }) => cell_type === "code");
		equal(code.length, 1 + course.pages.length);
	}
});

// Of the last eight ops Y above and dY below: each up to 4 x 4 numbers, the weaker the smaller.
test("a lesson's picture has the first numbers of its tape's tensors and gradients", () => {
	for (const { name, picture } of course.pages) {
		const { ops, values, backward, arrays } = tapeIn(read(`${name}.html`)),
			last = ops.slice(-8),
			known = [];
		const rect = (look, ...all) => known.push([look, ...all.map(x => +x.toPrecision(6))].join(" "));
		for (const [i, { out }] of last.entries())
			for (const [way, top, array] of [
				["forward", 2, values[out].value],
				["backward", 38, backward.find(({ value }) => value === out)?.dY ?? null],
			]) {
				if (array === null) continue;
				const left = (240 / last.length) * (i + 0.5) - 12,
					all = floats(arrays[array]),
					columns = arrays[array].shape.at(-1) ?? 1,
					[down, across] = [all.length / columns, columns].map(n => Math.min(4, n)),
					[w, h] = [20 / across, 20 / down],
					most = Math.max(...all.filter(Number.isFinite).map(Math.abs));
				rect(way, left, top, 24, 24, 4);
				for (const r of span(down))
					for (const c of span(across)) {
						const x = all[r * columns + c],
							look = Number.isFinite(x) ? (x > 0 ? "p" : x < 0 ? "n" : "zero") : "nan",
							place = [left + 2 + c * w, top + 2 + r * h, w - 0.5, h - 0.5];
						rect(look, ...place, look.length > 1 ? 1 : 0.3 + (0.7 * Math.abs(x)) / most);
					}
			}
		const drawn = [...picture.matchAll(/<rect (.*?) ?\/>/g)].map(([, all]) => all.replace(/\w+=/g, ""));
		deepEqual(drawn, known, name);
	}
});

// Every page by the links of the one before, read to its end.
test("one goes through the course, and each lesson leads to what it speaks of", async () => {
	const context = await (await launched()).newContext({ locale: "ko-KR" }),
		page = asTape(await context.newPage()),
		problems = [];
	page.on("pageerror", error => problems.push(error.message));
	await page.goto(`${site}/index.html#done=adam`), await page.has("#course .done", 1);
	await page.goto("about:blank"), await page.goto(`${site}/index.html`);
	await page.has("#course .done", 0, "another's marks do not stay");
	await page.goto("about:blank");
	page.on("requestfailed", request => problems.push(request.url())); // the frame's, if one leaves early
	await page.goto(`${site}/index.html`);
	await page.click("#course h2 a >> nth=0");
	for (const [i, { name, title }] of course.pages.entries()) {
		await page.waitForURL(new RegExp(`/${name}\\.html#`));
		await page.is("ready");
		const alive = await page.count("#engine");
		if (alive) await page.is("live");
		equal(await page.title(), title.ko);
		await page.click("#lesson-start");
		await page.says("#lesson .note", title.ko);
		const steps = +(await page.text("#lesson nav span")).split("/")[1];
		let changed = 0;
		for (let step = 1; step <= steps; ++step) {
			await page.has("#lesson .lead", +(step === 1), "the goal");
			changed += await readStep(page, `${name} ${step}`);
			if (step < steps) await page.click("#lesson-next");
		}
		ok(changed || !alive, `${name}: nothing is changed`);
		ok(steps >= 5 && (await page.isDisabled("#lesson-next")));
		await page.click(`#lesson a[href^="${course.pages[i + 1]?.name ?? "index"}.html"]`);
	}
	await page.waitForURL(/\/index\.html/);
	await page.has("#course .done", course.pages.length);
	equal(await page.inputValue("#language"), "ko");
	await page.selectOption("#language", "en");
	await page.waitForFunction(() => document.title.includes("lessons"));
	await page.has("#course .done", course.pages.length, "the address keeps them");
	await page.goto("about:blank"), await page.goto(`${site}/index.html#lang=en`);
	await page.has("#course .done", course.pages.length, "and so does the browser");
	for (const [i, of] of course.pages.entries()) {
		const { name, lesson, title, minutes, exercises } = of,
			card = page.locator("#course article").nth(i),
			said = (await card.textContent()).replace(/\s+/g, " ");
		for (const text of [title.en, `Lesson ${lesson} · about ${minutes} min`, ...exercises])
			ok(said.includes(text), text);
		const end = await card.locator("a").nth(1).getAttribute("href");
		ok(end.startsWith(`${name}.html#lesson=99&`), end);
	}
	await page.has("#more p", course.others.length + 1);
	ok(await page.fits());
	await page.frameLocator("#live").locator("#start").waitFor();
	deepEqual(problems, []);
	await context.close();
});

test("a page says its lesson, goal and minutes, and rows have the lesson's words", async () => {
	const page = await open("matmul", "", { locale: "ko-KR" });
	await page.says("#start", /3강\(모두 9강\).*40분.*행렬 곱.*목표: /s);
	match(await page.title(), /^행렬 곱/);
	const other = await open("attention", "#lesson=2", { locale: "ko-KR" }),
		heads = await other.texts("#cards .result th");
	equal(heads.slice(0, 5).join(), "0 그,1 고양이가,2 자리에,3 앉았다,0 그");
});
