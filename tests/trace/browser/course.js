// The course: from its index through every page and back, from the disk and from a web server.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const http = require("node:http");
const { idIn } = require("../scripts.js");
const { test, hasEngine, open, pages, site, browser, asTape, read } = require("../browser_test.js");

const course = JSON.parse(idIn(read("index.html"), "pages"));
const served = () =>
	new Promise(ready => {
		const server = http
			.createServer(({ url }, answer) => {
				const file = pages + url.split(/[?#]/)[0].replace(/\/$/, "/index.html"),
					type = file.endsWith(".js") ? "text/javascript" : "text/html";
				fs.existsSync(file)
					? answer.setHeader("Content-Type", type).end(fs.readFileSync(file))
					: answer.writeHead(404).end();
			})
			.listen(0, "127.0.0.1", () =>
				ready({ at: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }),
			);
	});
// Every page by the links of the one before, read to its end.
const walk = async (at, locale) => {
	const context = await browser().newContext({ locale }),
		page = asTape(await context.newPage()),
		problems = [];
	page.on("pageerror", error => problems.push(error.message));
	page.on("requestfailed", request => problems.push(request.url()));
	page.on("response", response => response.status() >= 400 && problems.push(response.url()));
	await page.goto(`${at}/index.html`);
	if (at !== site) await page.is("kept"); // all pages, for when there is no server
	await page.click("#course h2 a >> nth=0");
	for (const [i, { name, title }] of course.pages.entries()) {
		await page.waitForURL(new RegExp(`/${name}\\.html#`));
		await page.is("ready");
		assert.equal(await page.title(), title[locale.slice(0, 2)]);
		await page.click("#lesson-start");
		assert.equal(await page.textContent("#lesson .note"), title[locale.slice(0, 2)]);
		for (;;) {
			for (const question of await page.locator("#lesson .question").all())
				await question.locator(".ways button").first().click();
			if (!(await page.isEnabled("#lesson-next"))) break;
			await page.click("#lesson-next");
		}
		await page.click(`#lesson a[href^="${course.pages[i + 1]?.name ?? "index"}.html"]`);
	}
	await page.waitForURL(/\/index\.html/);
	await page.has("#course .done", course.pages.length);
	assert.equal(await page.inputValue("#language"), locale.slice(0, 2));
	await page.selectOption("#language", "en");
	await page.waitForFunction(() => document.title.includes("lessons"));
	await page.has("#course .done", course.pages.length, "the address keeps them");
	const cards = page.locator("#course article");
	for (const [i, { name, lesson, title, minutes, exercises, walk }] of course.pages.entries()) {
		const card = cards.nth(i),
			said = (await card.textContent()).replace(/\s+/g, " ");
		for (const text of [title.en, `Lesson ${lesson} · about ${minutes} min`, walk, ...exercises])
			assert.ok(said.includes(text), text);
		assert.match(
			await card.locator("a").nth(1).getAttribute("href"),
			new RegExp(`^${name}.html#lesson=99&`),
		);
		const forward = await card.locator("svg rect.forward").count();
		assert.ok(forward > 0 && (await card.locator("svg rect.backward").count()) <= forward, name);
	}
	await page.has("#more p", course.others.length + 1);
	assert.ok(await page.fits());
	await page.frameLocator("#live").locator("#start").waitFor();
	assert.deepEqual(problems, []);
	await context.close();
};

test("every page of the course is there, small, and of a lesson with a goal in three languages", async () => {
	assert.deepEqual(
		[...new Set(course.pages.map(({ lesson }) => lesson))],
		[1, 2, 3, 4, 5, 6, 7, 8, 9],
	);
	for (const { name, goal } of course.pages) {
		assert.ok(fs.statSync(`${pages}/${name}.html`).size < 1e6, name);
		for (const [language, word] of [
			["en", "Goal: "],
			["ko", "목표: "],
			["zh", "目标："],
		])
			assert.ok(goal[language].startsWith(word), name + " " + language);
	}
	assert.deepEqual(
		course.others.map(({ name, bytes }) => [name, bytes > 1e5 && bytes < 1e7]),
		hasEngine ? [["playground", true]] : [],
	);
	for (const language of ["en", "ko", "zh"]) {
		const { cells } = JSON.parse(read(`course.${language}.ipynb`));
		assert.equal(
			cells.filter(({ cell_type }) => cell_type === "code").length,
			1 + course.pages.length,
		);
	}
});

test("one goes through the course by its links, and the address keeps what was read: from the disk", async () => {
	await walk(site, "ko-KR");
});

test("one goes through the course by its links, and the address keeps what was read: from a web server", async () => {
	const { at, close } = await served();
	await walk(at, "zh-CN").finally(close);
});

test("an attention's rows and columns have the words of the lesson", async () => {
	const page = await open("attention", "#lesson=2", { locale: "ko-KR" });
	const heads = await page.locator("#cards .result th").allTextContents();
	assert.deepEqual(heads.slice(0, 5), ["0 그", "1 고양이가", "2 자리에", "3 앉았다", "0 그"]);
});
