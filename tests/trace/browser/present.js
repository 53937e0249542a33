// A page on a presenter's screen, on paper, and for screen readers.
"use strict";
require("../browser_test.js");

test("a presenter shows one product a screen, and goes on by a presenter's keys", async () => {
	const page = await live("feed_forward", "#lesson=5");
	await page.click("#present");
	await page.sees("#left", false);
	await page.has("#cards .card:visible", 3);
	const size = await page.$eval("#why .sum", sum => parseFloat(getComputedStyle(sum).fontSize));
	ok(size >= 20);
	await page.evaluate(() => document.activeElement.blur());
	await page.presses("PageDown");
	await page.says("#lesson h2", /Change w1/);
	await page.presses("PageUp");
	await page.says("#lesson h2", /w1/);
	await page.presses("Escape");
	await page.sees("#left"), await page.sees("#step");
	await page.click("#present"), await page.click("#lesson-close");
	await page.sees("#left");
	equal(await page.getAttribute("#present-page", "aria-pressed"), "false");
});

test("on paper there is what one looks at, without buttons and the tape", async () => {
	for (const [place, shown] of [
		["", "#start h2"],
		["#step=24&cell=w1.grad[2,3]", "#why .sum"],
		["#step=24&path=1.19", "#path .factor >> nth=0"],
	]) {
		const page = await open("ffn", place);
		await page.emulateMedia({ media: "print" });
		await page.sees(shown);
		for (const gone of ["header", "#left", "#lesson-start", "#cost"]) await page.sees(gone, false, place);
	}
});

const schemes = { light: { colorScheme: "light" }, dark: { colorScheme: "dark" }, phone: onPhone };
test("axe-core finds nothing in either scheme or on a phone", async () => {
	for (const [name, hash, only] of [
		["ffn", "", "phone"],
		["ffn", "#step=24&cell=w1.grad[2,3]"],
		["ffn", "#step=24&path=1.19", "light"],
		["feed_forward", "#lesson=2", "dark"],
		["large", "#step=20&cell=w1.grad[2,3]", "dark"],
		["live", ""],
		["live", "#step=1&cell=w1[2,3]"],
		["playground", "#model=attention"],
	])
		for (const how of only ? [only] : Object.keys(schemes)) {
			const page = await open(name, hash, {
					...schemes[how],
					bypassCSP: true,
					reducedMotion: "reduce",
				}),
				what = `${name}${hash} ${how}`;
			if (await page.count("#engine")) await page.is("live");
			if (hash === "#step=1&cell=w1[2,3]") await page.set("1.5"), await page.clicked("#sgd");
			await page.addScriptTag({ path: modules + "/axe-core/axe.min.js" });
			const { violations } = await page.evaluate(() => axe.run());
			deepEqual(
				violations.map(one => one.id + ": " + one.nodes[0].html.slice(0, 160)),
				[],
				what,
			);
			ok(await page.fits(), what);
			await page.shut();
		}
});
