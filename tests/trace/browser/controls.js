// Every button, key and place to point at, and where it leads; of ffn 11 ops and 15 gradients.
"use strict";
const assert = require("node:assert/strict");
const { test, open, td } = require("../browser_test.js");

const stepNow = async page => Number(await page.inputValue("#slider")) + 1;
const inAddress = async page => Number((await page.address()).match(/step=(\d+)/)?.[1]);
const atStart = page => page.isVisible("#start");

test("each button and key leads to its step, which the slider and the address say, too", async () => {
	const page = await open("ffn", "#step=5");
	const leads = async (step, what) => {
		assert.deepEqual([await stepNow(page), await inAddress(page)], [step, step], what);
		await page.says(
			"#title",
			step <= 11
				? new RegExp(`^Forward ${step} of 11 `)
				: new RegExp(`^Backward ${step - 11} of 15 `),
			what,
		);
	};
	for (const [what, step] of [
		["#next", 6],
		["#back", 5],
		["#first", 1],
		["#next", 2],
	])
		await page.click(what), await leads(step, what);
	await page.evaluate(() => document.activeElement.blur());
	for (const [key, step] of [
		["ArrowRight", 3],
		["PageDown", 4],
		["ArrowLeft", 3],
		["PageUp", 2],
		["End", 26],
		["PageDown", 26],
		["Home", 1],
		["ArrowLeft", 1],
	])
		await page.keyboard.press(key), await leads(step, key);
	await page.keyboard.press("Control+ArrowRight");
	await page.keyboard.press("Alt+End");
	await leads(1, "keys of the browser's own");
	await page.focus("#slider");
	await page.toStep(19);
	await leads(20, "the slider");
	assert.equal(await page.getAttribute("#slider", "max"), "25");
	await page.click("#more summary");
	for (const place of [
		"#search",
		"#cards td[data-i]",
		"#graph [role=button]",
		"#source",
		"#language",
	]) {
		await page.focus(place), await page.keyboard.press("PageDown");
		assert.equal(await stepNow(page), 20, `${place} has keys of its own`);
	}
});

test("the name of the page leads to the first screen, from where one way leads to the first step, the other to the question's", async () => {
	const page = await open("ffn", "#step=5");
	for (const [way, step] of [
		["#from-first", 1],
		["#ask", 17],
	]) {
		await page.click("#home");
		assert.ok(await atStart(page));
		assert.doesNotMatch(await page.address(), /step/);
		await page.click(way);
		assert.ok(!(await atStart(page)));
		assert.equal(await stepNow(page), step, way);
	}
	await page.to("#path=0.0");
	await page.rests();
	await page.click("#home");
	assert.ok((await atStart(page)) && !(await page.isVisible("#path")));
	await page.to(-1);
	assert.ok(await page.isVisible("#path"));
});

test("a burst of changes is shown at once, and its address is written once, when the page has come to rest", async () => {
	const page = await open("ffn", "#step=1");
	await page.evaluate(() => {
		self.writes = 0; // of which WebKit refuses more than 100 in 10 s
		for (const name of ["pushState", "replaceState"]) {
			const write = history[name].bind(history);
			history[name] = (...how) => (++self.writes, write(...how));
		}
	});
	await page.atSteps([...Array(200).keys()].map(k => k % 20).concat(16), () => {});
	await page.says("#title", /^Backward 6 of 15 /);
	assert.equal(await page.evaluate(() => self.writes), 0);
	assert.equal(await inAddress(page), 17);
	assert.equal(await page.evaluate(() => self.writes), 1);
});

test("Escape shuts what was opened last, one after the other", async () => {
	const page = await open("ffn", "#step=24&cell=w1.grad[2,3]");
	await page.click("#present-page");
	await page.click("#why .to-loss");
	const open_ = () =>
		page.evaluate(() => [
			!document.getElementById("path").hidden,
			document.body.classList.contains("present"),
		]);
	assert.deepEqual(await open_(), [true, true]);
	await page.keyboard.press("Escape");
	assert.deepEqual(await open_(), [false, true]);
	await page.keyboard.press("Escape");
	assert.deepEqual(await open_(), [false, false]);
	assert.equal(await page.getAttribute("#present-page", "aria-pressed"), "false");
	await page.click(td("dB", 19));
	await page.keyboard.press("Escape");
	await page.has("#cards td.marked", 0);
});

test("play goes a step at a time, from the last one on from the first, and stops at the end", async () => {
	for (const [reducedMotion, pace] of [
		["no-preference", 1600],
		["reduce", 4000],
	]) {
		const page = await open("ffn", "", { reducedMotion });
		await page.evaluate(() => {
			(window.setInterval = (run, pace) => {
				(window.tick = run), (window.pace = pace);
				return 7;
			}),
				(window.clearInterval = timer => {
					if (timer === 7) window.tick = null;
				});
		});
		await page.keyboard.press("End");
		await page.click("#play");
		assert.deepEqual(
			[await stepNow(page), await page.evaluate(() => window.pace), await page.text("#play")],
			[1, pace, "❚❚"],
		);
		for (let step = 2; step < 26; ++step)
			await page.evaluate(() => window.tick()), assert.equal(await stepNow(page), step);
		assert.equal(await page.getAttribute("#play", "aria-pressed"), "true");
		await page.evaluate(() => window.tick());
		assert.deepEqual(
			[
				await stepNow(page),
				await page.evaluate(() => window.tick),
				await page.getAttribute("#play", "aria-pressed"),
				await page.text("#play"),
			],
			[26, null, "false", "▶"],
		);
		await page.click("#play"), await page.click("#home");
		assert.equal(
			await page.evaluate(() => window.tick),
			null,
			"nor does it go on from the first screen",
		);
	}
});

test("the search proposes each value, each leaf's gradient and each op", async () => {
	const page = await open("ffn", "#step=1"),
		names = await page.evaluate(() =>
			[...document.querySelectorAll("#names option")].map(one => one.value),
		);
	const tape = await page.tape(),
		leaves = tape.values.filter(({ op, wants }) => op < 0 && wants).map(({ name }) => name);
	for (const leaf of ["w1", "b1", "w2", "b2"])
		assert.ok(
			leaves.some(name => name.endsWith(leaf)),
			leaf,
		);
	for (const leaf of leaves)
		assert.ok(names.includes(leaf) && names.includes(leaf + ".grad"), leaf);
	tape.ops.forEach(({ op }, i) => assert.ok(names.includes(`#${i + 1} ${op}`), op));
	assert.equal(new Set(names).size, names.length);
	for (const [asked, title] of [
		["loss", /^Forward 11 of 11/],
		["#6 backward", /^Backward \d+ of 15 · #6 div/],
		["#11", /#11 mean/],
		["clamp", /#3 clamp/],
		["mul", /#5 mul/],
		["w2", /#7 matmul/],
		["w1.grad", /w1\.grad$/],
		["x.grad[1, 2]", /^Backward \d+ of 15 · #1 matmul/], // to the last part of two
		["nowhere", null],
	]) {
		await page.fill("#search", asked);
		title ? await page.says("#title", title, asked) : await page.says("#found", /Nothing/);
	}
});

test("in the drawing of memory one points at a step", async () => {
	const page = await open("ffn", "#step=3");
	assert.ok(!(await page.isVisible("#cost")) && !(await page.isVisible("#source")), "folded");
	await page.click("#more summary");
	const drawn = page.locator("#cost svg.memory").first();
	await drawn.scrollIntoViewIfNeeded();
	for (const step of [1, 26, 9]) {
		const { x, y, width, height } = await drawn.boundingBox();
		await page.mouse.click(x + ((step - 0.5) / 26) * width, y + height / 2);
		assert.equal(await stepNow(page), step);
		await drawn.scrollIntoViewIfNeeded();
	}
	await page.locator("#cost .keeper").first().click();
	await page.says("#title", /^Forward/, "and whoever keeps something leads to it");
});

test("what a page has not is said above it", async () => {
	for (const [name, said, backward] of [
		["long", /^Only the last 2000 ops are shown: 3 older ones were left out\.$/, 2000],
		["halfway", /^A backward pass is under way: 2 of its steps have run\.$/, 2],
		["ffn", /^$/, 15],
	]) {
		const page = await open(name, "#step=1"),
			tape = await page.tape();
		await page.says("#notice", said);
		assert.equal(await page.isVisible("#notice"), name !== "ffn");
		assert.equal(tape.backward.length, backward, name);
	}
});

test("print and dark mode: the page is printed, and a picture drawn again in other colours", async () => {
	const page = await open("large", "#step=2");
	await page.evaluate(() => {
		window.print = () => {
			window.printed = (window.printed ?? 0) + 1;
		};
	});
	await page.click("#print");
	assert.equal(await page.evaluate(() => window.printed), 1);
	const pixels = () =>
		page.evaluate(() => document.querySelector("[data-card=Y] canvas").toDataURL());
	const light = await pixels();
	await page.emulateMedia({ colorScheme: "dark" });
	await page.waitForFunction(
		light => document.querySelector("[data-card=Y] canvas").toDataURL() !== light,
		light,
	);
});
