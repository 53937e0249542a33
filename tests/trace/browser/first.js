// A first visit to the page: the first screen, real sizes, ways around.
"use strict";
require("../browser_test.js");

// All of an element is on the screen, and nothing lies over its middle.
const assertSeen = async (page, selectors, what) => {
	for (const selector of selectors.split(",")) {
		const seen = await page.$$eval(selector, all =>
			all.map(one => {
				const { left, right, top, bottom } = one.getBoundingClientRect(),
					x = (left + right) / 2,
					over = document.elementFromPoint(x, (top + bottom) / 2);
				return (
					x >= 0 && x <= innerWidth && top >= 0 && bottom <= innerHeight && (one.contains(over) || over?.contains(one))
				);
			}),
		);
		ok(seen.length && seen.every(Boolean), `${what}: ${selector}`);
	}
};

test("a constant that was asked for has no gradient, which the first screen says", async () => {
	const page = await open("live_numbers");
	await page.says("#start .lead", "kept[7] requires no gradient: backward computes none for it.");
	await page.says("#ask", "kept[7] = 1");
	await page.click("#ask");
	await page.says("#title", /#\d+ where/);
	await page.sum(/^\w+\[7\] = 1$/);
	await page.goto(`${site}/claims-many.html`);
	await page.says("#start h2", "12 numbers come out.");
});

test("live: the first screen has one number, its curve, a sentence and few buttons", async () => {
	for (const [name, width, height] of table("live 390 844; live 1280 720; live_notebook 1280 720; live 2560 1440")) {
		const page = await live(name, "", sized(width, height));
		await page.curve();
		const controls = await page.$$eval("button, input, select, summary, [role=button], td", all =>
			all.filter(one => one.checkVisibility()).map(one => one.id || one.textContent),
		);
		equal(controls.sort().join(" "), "ask from-first home language lesson-start loss search touch-number touch-slider");
		await assertSeen(page, "#search,#touch-slider,#curve svg,#start .lead,#ask", `${name} ${width}`);
		const [, way, slope] = (await page.text("#start")).match(
			/alone by 0\.01, and the loss (rises|falls) by about \S+ \((\S+) times as much/,
		);
		const [x1, y1, x2, y2] = await page.figures("#curve line.tangent", "x1", "y1", "x2", "y2");
		equal(way === "rises", (y2 - y1) / (x2 - x1) < 0, "the tangent leads the same way");
		ok(number(slope) > 0);
		const zoom = await page.$eval("main", main => getComputedStyle(main).zoom);
		equal(zoom, width === 2560 ? "1.4" : "1");
		await page.shut();
	}
});

test("the answer, what it comes from and the tape are on one screen", async () => {
	for (const name of hasEngine ? ["asked", "live", "live_wide"] : ["asked"])
		for (const [width, height] of table("1280 720; 1024 700; 390 844")) {
			const page = await open(name, "", { ...sized(width, height), reducedMotion: "reduce" }),
				at = `${name}, ${width}`;
			if (name !== "asked") await page.is("live");
			await page.says("#start", /The loss is .*Raise \w+\[.*\] alone by .* to lower the loss\.Why/);
			await page.click("#ask");
			await assertSeen(page, "#why .sum,td.looked,td.marked", at);
			await page.sees("#graph"), await page.sees("#search");
			ok(await page.fits());
			if (name === "asked") {
				await page.sum(/^dB\[300, 1000\] = /);
				await page.says("#why", /40 terms; these 5 make [\d.]+ % \(by size\)\./);
				for (const key of ["A", "dY"]) await page.has(`[data-card=${key}] td.marked`, 5, at);
			} else if (width < 500) {
				await page.tap("#why .to-bench"); // the number and the loss on one screen
				await assertSeen(page, "#touch-slider,#outcome", at);
			}
			await page.shut();
		}
});

test("the answer never covers the cell that was asked", async () => {
	for (const [width, height] of table("1280 420; 390 600")) {
		const page = await open("ffn", "#step=1", { viewport: { width, height } });
		const covered = await page.atSteps(span(26), () =>
			[...document.querySelectorAll("#cards [data-card]")]
				.map(card => `[data-card="${card.dataset.card}"] td[data-i]`)
				.filter(cells => {
					const cell = () => [...document.querySelectorAll(cells)].at(-1);
					cell()?.focus({ preventScroll: true });
					const { top } = document.getElementById("why").getBoundingClientRect();
					return cell() && cell().getBoundingClientRect().bottom > top;
				}),
		);
		deepEqual(covered.flat(), [], `${width} × ${height}`);
	}
});

test("beside a lesson the tape is 240 pixels wide or more, and nothing lies over it", async () => {
	for (const width of [821, 900, 1024, 1100, 1101]) {
		const page = await open("matmul", "#lesson=2", sized(width, 720));
		const [tape, step, side] = await page.$$eval("#graph, #right, #side", all =>
			all.map(one => one.getBoundingClientRect().toJSON()),
		);
		ok(tape.width >= 240 && tape.height >= 100, `${width}`);
		ok(side.top >= tape.bottom || side.left >= step.right, `${width}`);
		ok(step.left >= tape.right && (await page.fits()), `${width}`);
	}
});

test("an address finds its cell whatever characters a name has", async () => {
	const html = read("ffn.html");
	ok(html.includes('"name":"w1"'));
	write("named.html", html.replaceAll('"name":"w1"', '"name":"w&step=2%20+#1"'));
	const page = await open("named", "#step=1");
	await page.click(td("B", 19));
	const said = await page.sum(/^B\[2, 3\] = /);
	await page.reloaded();
	await page.says("#title", /^Forward 1 /);
	equal(await page.sum(), said);
	await page.to("#step=7");
	const cell = encodeURIComponent("w&step=2%20+#1[2,3]").replace("%2B", "+");
	await page.to("#step=1&cell=" + cell);
	equal(await page.sum(), said, "a plus is one, however it is written");
});

test("without JavaScript, and cut off, the page says so in one sentence", async () => {
	const off = await (await (await launched()).newContext({ javaScriptEnabled: false })).newPage();
	await off.goto(`${site}/ffn.html`);
	const said = (await off.innerText("body")).trim();
	equal(said, "This page draws with JavaScript, which is switched off here.");
	await off.context().close();
	write("cut.html", read("ffn.html").slice(0, -3000));
	const page = await open("hostile");
	await page.goto(`${site}/cut.html`).catch(() => {});
	await page.sees("#broken");
	page.problems = []; // of the script that was cut
});

test("by touch a number is held and let go, and buttons are 44 pixels high", async () => {
	const page = await open("ffn", "#step=24", onPhone);
	await page.tap(td("dB", 19));
	await page.sum(/^dB\[2, 3\]/);
	const small = await page.$$eval("header button, header select, #why button", all =>
		all.filter(one => one.offsetParent && one.getBoundingClientRect().height < 44).map(one => one.id + one.className),
	);
	deepEqual(small, []);
	await page.tap("#why .let-go");
	await page.has("td.marked", 0);
	const position = await page.$eval("#why", why => getComputedStyle(why).position);
	notEqual(position, "sticky", "the hint covers nothing");
});
