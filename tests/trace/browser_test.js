// A browser at the pages that browser_pages.py, or ../tab/tab_pages.py, has written in FOLDER, for the tests in browser/:
// node browser/SUBJECT.js FOLDER [PART OF A TEST'S NAME]
// FIREFOX=/usr/bin/firefox-esr in the environment: in that browser, without a phone's viewport.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const [, , folder, only = ""] = process.argv;
const prepared = path.join(folder, "browser.json");
if (!fs.existsSync(prepared)) {
	console.log("skipped: browser_pages.py has prepared nothing, and says why");
	process.exit(77);
}
const { browser: executablePath, values } = JSON.parse(fs.readFileSync(prepared, "utf8"));
const [pages, modules] = [path.join(folder, "pages"), path.join(folder, "node_modules")];
const read = file => fs.readFileSync(path.join(pages, file), "utf8");
const write = (file, text) => fs.writeFileSync(path.join(pages, file), text);
const hasEngine = fs.existsSync(pages + "/live.html") && read("live.html").includes('id="engine"');
const site = pathToFileURL(pages).href;
const { chromium, firefox } = require(modules + "/playwright-core"),
	{ FIREFOX } = process.env;
const own = ["arrays", "reference", "scripts"].map(name => require(`./${name}.js`));

// The numbers that C++ printed after this word: "ffn", w1.grad[2, 3].
const printed = word =>
	table(values)
		.find(([first]) => first === word)
		.slice(1);
// Rows of a text, such as "End 26; Home 1", or "a b | 2": their words, as numbers where they are some.
const table = text =>
	text
		.trim()
		.split(/\s*[;\n]\s*/)
		.map(row => row.split(/ \| /.test(row) ? / \| / : " ").map(x => (x && !isNaN(x) ? +x : x)));
// x is `known`, but for this share of it and this much.
const near = (x, known, share = 1e-3, much = 1e-6, said = "") =>
	assert.ok(x === known || Math.abs(x - known) <= share * Math.abs(known) + much, `${x} is not ${known}. ${said}`);
const number = text => Number(text.replaceAll("−", "-").match(/-?[\d.]+(e-?\d+)?/)[0]);
const lastNumber = text => number(text.split("= ").at(-1));
// The selector of a cell, such as B's 5th number.
const td = (card, i) => `[data-card="${card}"] td[data-i="${i}"]`;
const sized = (width, height) => ({
	viewport: { width, height },
	hasTouch: width < 500,
	isMobile: width < 500 && !FIREFOX,
});
const onPhone = sized(390, 844);

// A browser's page with words of its own for what a tape's page has.
const asTape = page =>
	Object.assign(page, {
		is: state => page.waitForFunction(state => document.documentElement.dataset[state], state),
		reloaded: async (state = "ready") => {
			await page.rests();
			await page.reload();
			await page.is(state);
		},
		shut: async () => {
			opened.delete(page);
			await page.context().close();
			assert.deepEqual(page.problems, []);
		},
		text: selector => page.textContent(selector),
		texts: selector => page.locator(selector).allTextContents(),
		count: selector => page.locator(selector).count(),
		sees: async (selector, is = true, what) => assert.equal(await page.isVisible(selector), is, what ?? selector),
		presses: async keys => {
			for (const key of keys.split(" ")) await page.keyboard.press(key);
		},
		says: async (selector, text, what) =>
			assert[text instanceof RegExp ? "match" : "equal"](await page.text(selector), text, what),
		has: async (selector, n, what) => assert.equal(await page.count(selector), n, what ?? selector),
		sum: async (like = /^/, what) => {
			const sum = await page.text("#why .sum");
			assert.match(sum, like, what);
			return sum;
		},
		tape: async () => JSON.parse(await page.text("#tape")),
		// Its own address is written when it has come to rest: by its timer of 150 ms, before this later one.
		rests: () => page.evaluate(() => new Promise(done => setTimeout(done, 160))),
		// Another address of the same page, or as many back; and the page has answered it.
		to: async where => {
			await page.rests();
			await page.evaluate(
				where =>
					new Promise(done => {
						const before = location.href;
						addEventListener("hashchange", () => done(), { once: true });
						if (typeof where === "number") history.go(where);
						else if (((location.hash = where), location.href === before)) done();
					}),
				where,
			);
		},
		// The address after the file's name, since folders may have any name.
		address: async () => {
			await page.rests();
			return new URL(page.url()).search + new URL(page.url()).hash;
		},
		// Whether the page is as wide as its window.
		fits: () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1),
		// The results of `read` in the page at each of these steps.
		atSteps: (steps, read) =>
			page.evaluate(`${JSON.stringify(steps)}.map((step) => {
  const slider = document.getElementById("slider");
  slider.value = step, slider.dispatchEvent(new Event("input"));
  return (${read})(step);
})`),
		toStep: s => page.atSteps([s], () => {}),

		frames: () => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))),
		// The change has been computed, all steps were taken, and what they gave is on the screen.
		settled: async () => {
			await page.frames();
			await page.waitForFunction(
				() =>
					document.getElementById("outcome").textContent !== "computing …" && !document.querySelector("#sgd:disabled"),
			);
		},
		clicked: async buttons => {
			for (const button of buttons.split(" ")) await page.click(button), await page.settled();
		},
		set: async x => (await page.fill("#touch-number", x), await page.settled()),
		// Within one frame.
		typed: async (...texts) => {
			await page.evaluate(texts => {
				const box = document.getElementById("touch-number");
				for (const text of texts) (box.value = text), box.dispatchEvent(new Event("input"));
			}, texts);
			await page.settled();
		},
		loss: async () => number((await page.text("#outcome")).replace(/.*(is|loss) /, "")),
		// By how much the loss would move at the slope, and by how much it moved.
		moves: async (where = "#compared") => {
			const said = (await page.text(where)).match(/move by (\S+); it moved by (\S+?)\.( |$)/);
			return said.slice(1, 3).map(number);
		},
		// "How exact is this?", opened; and the slope that backward computed, and the one measured.
		slopes: async () => {
			await page.$eval("#exact", details => (details.open = true));
			await page.waitForFunction(() => !document.getElementById("slopes").textContent.includes("still computing"));
			return page.text("#slopes");
		},
		bothSlopes: async () => (await page.slopes()).match(/[−\d.e]+(?=[,.] |\.$)/g).map(number),
		// Numbers among an element's attributes.
		figures: (selector, ...names) => Promise.all(names.map(async name => +(await page.getAttribute(selector, name)))),
		// A line's points, [[x, y], ...]; the curve's, when all are there.
		pointsOf: async line => {
			const points = (await page.getAttribute(line, "points")).split(" ");
			return points.map(point => point.split(",").map(Number));
		},
		curve: async () => {
			await page.waitForFunction(() => !/till computing/.test(document.getElementById("curve").textContent));
			return page.pointsOf("#curve polyline");
		},
	});

// A page's problems are asked for when it is shut, at the end of its test at the latest.
let browser;
const launched = async () =>
	(browser ??= await (FIREFOX
		? firefox.launch({ channel: "moz-firefox", executablePath: FIREFOX })
		: chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] })));
const opened = new Set();
// at: where the pages are
async function open(name, hash = "", { at = site, ...options } = {}) {
	const context = await (await launched()).newContext({ viewport: { width: 1400, height: 900 }, ...options });
	const page = asTape(await context.newPage());
	opened.add(page);
	page.problems = [];
	page.on("pageerror", error => page.problems.push(error.message));
	page.on("console", message => message.type() === "error" && page.problems.push(message.text()));
	page.on("request", request => {
		const own = request.url().startsWith(at) && request.isNavigationRequest();
		if (!own && !request.url().startsWith("blob:")) page.problems.push("request " + request.url());
	});
	page.on("dialog", dialog => {
		page.problems.push("dialog");
		dialog.dismiss();
	});
	await page.goto(`${at}/${name}.html${hash}`);
	await page.is("ready").catch(error => assert.fail([error.message, ...page.problems].join("\n")));
	return page;
}
async function live(name, hash, options) {
	// with its engine at work
	const page = await open(name, hash, options);
	await page.is("live");
	return page;
}

// A server of the pages, {at: its address, close}.
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
				ready({
					at: `http://127.0.0.1:${server.address().port}`,
					close: () => (server.close(), server.closeAllConnections()),
				}),
			);
	});

// The tests of the file that was run, in their order.
const tests = new Map();
const test = (name, run) => tests.set(name, run);

// As in other test frameworks, what tests are made of is global.
const made = {
	test,
	open,
	modules,
	pages,
	onPhone,
	served,
	table,
	asTape,
	hasEngine,
	read,
	write,
	live,
	sized,
	td,
	number,
	near,
	lastNumber,
	printed,
	values,
	site,
	launched,
};
Object.assign(globalThis, assert, made, ...own);
setImmediate(async () => {
	console.log(`Node ${process.version}, ${FIREFOX ?? executablePath}`);
	let failed = 0;
	for (const [name, run] of [...tests].filter(([name]) => name.includes(only))) {
		if (name.startsWith("live: ") && !hasEngine) {
			console.log(`skipped: ${name}: there is no engine; install emscripten, build the target 'engine'`);
			continue;
		}
		const began = Date.now();
		try {
			await run();
			for (const page of opened) await page.shut();
			console.log(`ok    ${name} (${Date.now() - began} ms)`);
		} catch (error) {
			++failed;
			console.log("FAIL  " + name + "\n" + error.stack.slice(0, 1500));
			for (const page of opened) await page.context().close();
			opened.clear();
		}
	}
	await browser?.close();
	process.exit(failed ? 1 : 0);
});
