// A browser at the pages that browser_pages.py has written, by the tests of browser/SUBJECT.js:
// node browser_test.js FOLDER SUBJECT [PART OF A TEST'S NAME]
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const [, , folder, subject, only = ""] = process.argv;
const prepared = path.join(folder, "browser.json");
if (!fs.existsSync(prepared)) {
	console.log("skipped: browser_pages.py has prepared nothing, and says why");
	process.exit(77);
}
const { browser: executablePath, values } = JSON.parse(fs.readFileSync(prepared, "utf8"));
const [pages, modules] = [path.join(folder, "pages"), path.join(folder, "node_modules")];
const site = pathToFileURL(pages).href;
const { chromium } = require(modules + "/playwright-core");

// The values that C++ printed: ffn w1.grad[2, 3] b2.grad[1] x.grad[1, 2]
const expected = values.split("\n")[0].split(" ").slice(1).map(Number);
const close = (text, number) =>
	Math.abs(Number(text.replaceAll("−", "-")) - number) <= 2e-6 + 1e-5 * Math.abs(number);
const lastNumber = text => text.trim().split("= ").at(-1).trim();

let browser;
async function open(name, hash = "", options = {}) {
	const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
	const page = await context.newPage();
	page.problems = [];
	page.on("pageerror", error => page.problems.push(error.message));
	page.on("console", message => message.type() === "error" && page.problems.push(message.text()));
	page.on(
		"request",
		request =>
			request.url().startsWith("blob:") ||
			(request.url().startsWith("file:") &&
				request
					.url()
					.split(/[#?]/)[0]
					.endsWith(name + ".html")) ||
			page.problems.push("request " + request.url()),
	);
	page.on("dialog", dialog => {
		page.problems.push("dialog");
		dialog.dismiss();
	});
	await page.goto(`${site}/${name}.html${hash}`);
	await page.waitForFunction(() => document.documentElement.dataset.ready);
	return page;
}
async function live(name, hash, options) {
	// with its engine at work
	const page = await open(name, hash, options);
	await page.waitForFunction(() => document.documentElement.dataset.live);
	return page;
}
// The change has been computed, and is on the screen.
async function settled(page) {
	await page.evaluate(
		() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))),
	);
	await page.waitForFunction(
		() => document.getElementById("outcome").textContent !== "computing …",
	);
}
async function shut(page) {
	assert.deepEqual(page.problems, []);
	await page.context().close();
}
const text = (page, selector) => page.textContent(selector);
// "How exact is this?", opened.
const slopes = async page => {
	await page.$eval("#exact", details => (details.open = true));
	await page.waitForFunction(
		() => !document.getElementById("slopes").textContent.includes("still computing"),
	);
	return text(page, "#slopes");
};
const sum = page => text(page, "#why .sum");
const number = text => Number(text.replaceAll("−", "-").match(/-?[\d.]+(e-?\d+)?/)[0]);
const lossNow = async page => number((await text(page, "#outcome")).replace(/.*(is|loss) /, ""));
const set = async (page, x) => {
	await page.fill("#touch-number", x);
	await settled(page);
};
const tapeOf = async page => JSON.parse(await text(page, "#tape"));
// The results of `read` in the page at each of these steps.
const atSteps = (page, steps, read) =>
	page.evaluate(`${JSON.stringify(steps)}.map((step) => {
  const slider = document.getElementById("slider");
  slider.value = step, slider.dispatchEvent(new Event("input"));
  return (${read})(step);
})`);
const toStep = (page, s) => atSteps(page, [s], () => {});
// The page's address after its file's name, since folders may have any name.
const address = page => new URL(page.url()).search + new URL(page.url()).hash;

// axe-core's findings, and whether the page is as wide as its window.
async function violations(page) {
	await page.addScriptTag({ path: modules + "/axe-core/axe.min.js" });
	const found = await page.evaluate(() => axe.run());
	return found.violations.map(one => one.id + ": " + one.nodes[0].html.slice(0, 160));
}
const fits = page => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1);

const tools = {
	violations,
	fits,
	open,
	live,
	settled,
	shut,
	text,
	slopes,
	sum,
	number,
	lossNow,
	set,
	tapeOf,
	atSteps,
	toStep,
	address,
	close,
	lastNumber,
	expected,
	values,
	pages,
	site,
	browser: () => browser,
};
const tests = require(`./browser/${subject}.js`)(tools);

(async () => {
	browser = await chromium.launch({
		executablePath,
		args: [
			"--no-sandbox",
			"--disable-gpu",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
		],
	});
	console.log(
		`Node ${process.version}, playwright-core ${require(modules + "/playwright-core/package.json").version}, Chromium ${browser.version()}`,
	);
	const engine = fs.readFileSync(path.join(pages, "live.html"), "utf8").includes('id="engine"');
	let failed = 0;
	for (const [name, run] of Object.entries(tests).filter(([name]) => name.includes(only))) {
		if (name.startsWith("live: ") && !engine) {
			console.log(
				"skipped: " +
					name +
					": there is no engine, install emscripten and build the target 'engine'",
			);
			continue;
		}
		const began = Date.now();
		try {
			await run();
			console.log(`ok    ${name} (${Date.now() - began} ms)`);
		} catch (error) {
			++failed;
			console.log("FAIL  " + name + "\n" + error.stack.slice(0, 1500));
		}
	}
	await browser.close();
	process.exit(failed ? 1 : 0);
})();
