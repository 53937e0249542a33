// A first visit to the page: the first screen, real sizes, ways around.
"use strict";
const assert = require("node:assert/strict");
const {
	test,
	hasEngine,
	open,
	live,
	sized,
	onPhone,
	td,
	number,
	near,
	pages,
	site,
	browser,
	read,
	write,
} = require("../browser_test.js");

// Whether all of an element is on the screen, and nothing lies over its middle.
const seen = (page, selector) =>
	page.evaluate(selector => {
		const all = [...document.querySelectorAll(selector)];
		const shows = one => {
			const { left, right, top, bottom } = one.getBoundingClientRect(),
				x = (left + right) / 2,
				y = (top + bottom) / 2;
			const over = document.elementFromPoint(x, y);
			return (
				x >= 0 &&
				x <= innerWidth &&
				top >= 0 &&
				bottom <= innerHeight &&
				(one.contains(over) || over?.contains(one))
			);
		};
		return all.length > 0 && all.every(shows);
	}, selector);

test("the first screen says what a rise of one number does, and why, at the real size", async () => {
	const page = await open("large");
	const [, size, times] = (await page.text("#start")).match(
		/The loss is −?0\.\d+\.Raise w\d\[\d+, \d+\] alone by 0\.01, and the loss (?:rises|falls) by about (\S+) \((\S+) times as much\)\. ∂loss.* to lower the loss\.Why/,
	);
	near(number(size) / number(times), 0.01, 0, 1e-3);
	assert.equal(number((await page.text("#ask")).match(/^Why −?(\S+)\?$/)[1]), number(times));
	await page.click("#ask");
	await page.says("#why", /40 terms; these 5 make [\d.]+ % \(by size\)\./);
	await page.to("#step=1&cell=Y[0,3,5]");
	await page.says("#why", /512 terms; these 5 make [\d.]+ %/);
	await page.has("td.marked", 10);
});

test("a constant that was asked for has no gradient, which the first screen says, and leads to it", async () => {
	const page = await open("live_numbers");
	await page.says("#start .lead", "kept[7] requires no gradient: backward computes none for it.");
	await page.says("#ask", "kept[7] = 1");
	await page.click("#ask");
	await page.says("#title", /#\d+ where/);
	assert.match(await page.sum(), /^\w+\[7\] = 1$/);
	await page.goto(`${site}/claims-many.html`);
	await page.says("#start h2", "12 numbers come out.");
});

test("live: the first screen has one number with a slider, its curve, a sentence and few buttons", async () => {
	for (const name of ["live", "live_notebook"])
		for (const width of [390, 1280, 1440, 2560]) {
			const page = await live(name, "", sized(width, { 390: 844, 2560: 1440 }[width] ?? 720));
			const controls = await page.evaluate(() =>
				[...document.querySelectorAll("button, input, select, summary, [role=button], td")]
					.filter(one => one.checkVisibility())
					.map(one => one.id || one.textContent),
			);
			assert.deepEqual(
				controls.sort(),
				"ask from-first home language lesson-start loss touch-number touch-slider".split(" "),
			);
			for (const one of ["#touch-slider", "#curve svg", "#start .lead", "#ask"])
				assert.ok(await seen(page, one), `${name} ${width}: ${one}`);
			const [, way, slope] = (await page.text("#start")).match(
				/alone by 0\.01, and the loss (rises|falls) by about \S+ \((\S+) times as much/,
			);
			const [x1, y1, x2, y2] = await page.figures("#curve line.tangent", "x1", "y1", "x2", "y2");
			assert.equal(way === "rises", (y2 - y1) / (x2 - x1) < 0, "the tangent leads the same way");
			assert.ok(number(slope) > 0);
			assert.equal(
				await page.evaluate(() => getComputedStyle(document.querySelector("main")).zoom),
				width === 2560 ? "1.4" : "1",
			);
			await page.screenshot({ path: `${pages}/first-${name}-${width}.png` });
			await page.click("#from-first");
			assert.ok(!(await page.isVisible("#slopes")));
			await page.click("#exact summary");
			assert.match(await page.innerText("#slopes"), /Slope: computed by backward/);
			await page.shut();
		}
});

test("the cell asked for is answered together with what it comes from and the tape, whatever the window's size", async () => {
	for (const name of hasEngine ? ["asked", "live", "live_wide"] : ["asked"])
		for (const [width, height] of [
			[1280, 720],
			[1024, 700],
			[390, 844],
		]) {
			const page = await open(name, "", { ...sized(width, height), reducedMotion: "reduce" }),
				at = `${name}, ${width}`;
			if (name === "asked") await page.says("#start", /Raise w1\[300, 1000\] alone/);
			else await page.is("live");
			await page.click("#ask");
			await page.screenshot({ path: `${pages}/${name}-${width}.png` });
			for (const selector of ["#why .sum", "td.looked", "td.marked"]) {
				assert.ok(await seen(page, selector), `${at}: ${selector}`);
			}
			assert.ok((await page.isVisible("#graph")) && (await page.isVisible("#search")), at);
			assert.ok(await page.fits());
			if (name === "asked") {
				assert.match(await page.sum(), /^dB\[300, 1000\] = /);
				for (const key of ["A", "dY"])
					await page.has(`[data-card=${key}] td.marked`, 5, `${at}: ${key}`);
			} else if (width < 500) {
				await page.tap("#why .to-bench");
				assert.ok(
					(await seen(page, "#touch-slider")) && (await seen(page, "#outcome")),
					"the number and the loss on one screen",
				);
			}
			await page.shut();
		}
});

test("the answer never covers the cell that was asked", async () => {
	for (const [width, height] of [
		[1280, 420],
		[390, 600],
	]) {
		const page = await open("ffn", "#step=1", { viewport: { width, height } });
		const covered = await page.atSteps([...Array(26).keys()], () =>
			[...document.querySelectorAll("#cards [data-card]")]
				.map(card => `[data-card="${card.dataset.card}"] td[data-i]`)
				.filter(cells => {
					const cell = () => [...document.querySelectorAll(cells)].at(-1);
					cell()?.focus({ preventScroll: true });
					const { top } = document.getElementById("why").getBoundingClientRect();
					return cell() && cell().getBoundingClientRect().bottom > top;
				}),
		);
		assert.deepEqual(covered.flat(), [], `${width} × ${height}`);
		await page.shut();
	}
});

test("chips and boxes lead to a value, a gradient, an op", async () => {
	const page = await open("ffn", "#step=1");
	const part = label => page.locator(`#graph [role=button][aria-label^='${label}']`).first();
	await part("w2.grad").click();
	await page.says("#title", /Backward .*w2\.grad$/);
	await part("#3 clamp").focus();
	await page.keyboard.press("Enter");
	await page.says("#title", /#3 clamp/);
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	assert.doesNotMatch(await page.text("#title"), /#3 clamp/);
});

test("back, forward, a reload and another language keep the step and the cell", async () => {
	const page = await open("ffn", "#step=2");
	await page.click("#next");
	await page.click(td("Y", 3));
	await page.rests();
	await page.click("#next");
	await page.to(-1);
	await page.says("#title", /#3 clamp/);
	assert.match(await page.sum(), /^Y\[0, 3\] = /);
	await page.reloaded();
	assert.match(await page.sum(), /^Y\[0, 3\] = /);
	await page.selectOption("#language", "ko");
	await page.says("#title", /순전파 3/);
	assert.match(await page.sum(), /^Y\[0, 3\] = /);
	assert.match(await page.address(), /lang=ko/);
	await page.goForward();
});

test("an address finds its cell whatever characters a name has", async () => {
	const html = read("ffn.html");
	assert.ok(html.includes('"name":"w1"'));
	write("named.html", html.replaceAll('"name":"w1"', '"name":"w&step=2%20+#1"'));
	const page = await open("named", "#step=1");
	await page.click(td("B", 19));
	const said = await page.sum();
	assert.match(said, /^B\[2, 3\] = /);
	await page.reloaded();
	await page.says("#title", /^Forward 1 /);
	assert.equal(await page.sum(), said);
	await page.to("#step=7");
	const cell = encodeURIComponent("w&step=2%20+#1[2,3]").replace("%2B", "+");
	await page.to("#step=1&cell=" + cell);
	assert.equal(await page.sum(), said, "a plus is one, however it is written");
});

test("without JavaScript, and cut off, the page says so in one sentence", async () => {
	const off = await (await browser().newContext({ javaScriptEnabled: false })).newPage();
	await off.goto(`${site}/ffn.html`);
	assert.equal(
		(await off.innerText("body")).trim(),
		"This page draws with JavaScript, which is switched off here.",
	);
	await off.context().close();
	const whole = read("ffn.html");
	write("cut.html", whole.slice(0, whole.length - 3000));
	const page = await open("hostile");
	await page.goto(`${site}/cut.html`).catch(() => {});
	assert.ok(await page.isVisible("#broken"));
	page.problems = []; // of the script that was cut
});

test("by touch a number is held and let go, and buttons are 44 pixels high", async () => {
	const page = await open("ffn", "#step=24", onPhone);
	await page.tap(td("dB", 19));
	assert.match(await page.sum(), /^dB\[2, 3\]/);
	const small = await page.evaluate(() =>
		[...document.querySelectorAll("header button, header select, #why button")]
			.filter(one => one.offsetParent && one.getBoundingClientRect().height < 44)
			.map(one => one.id + one.className),
	);
	assert.deepEqual(small, []);
	await page.tap("#why .let-go");
	await page.has("td.marked", 0);
	assert.notEqual(
		await page.evaluate(() => getComputedStyle(document.getElementById("why")).position),
		"sticky",
		"the hint covers nothing",
	);
});
