// A first visit to the page: the first screen, real sizes, ways around.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { ran, script } = require("../scripts.js");
const number = text => Number(text.replaceAll("−", "-"));

module.exports = ({
	open,
	live,
	shut,
	atSteps,
	text,
	sum,
	pages,
	browser,
	address,
	site,
	fits,
}) => {
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

	return {
		async "the first screen says what a rise of one number does, and why, at the real size"() {
			const page = await open("large");
			const [, size, times] = (await text(page, "#start")).match(
				/The loss is −?0\.\d+\.Raise w\d\[\d+, \d+\] alone by 0\.01, and the loss (?:rises|falls) by about (\S+) \((\S+) times as much\)\.Why/,
			);
			assert.ok(Math.abs(number(size) / number(times) - 0.01) < 1e-3, `${size}, ${times}`);
			assert.equal(number((await text(page, "#ask")).match(/^Why −?(\S+)\?$/)[1]), number(times));
			await page.click("#ask");
			const said = await sum(page),
				[, heaviest, rest, all] = said.match(
					/^dB\[\d+, \d+\] = (.*) \+ \(the other 35 terms: together (\S+)\) = (\S+)$/,
				);
			const products = heaviest
				.split(" + ")
				.map(one => one.split("·").reduce((a, b) => a * number(b.replace(/[()]/g, "")), 1));
			assert.ok(
				products.length === 5 &&
					Math.abs(products.reduce((a, b) => a + b) + number(rest) - number(all)) <
						1e-3 * Math.abs(number(all)),
				said,
			);
			assert.match(await text(page, "#why"), /40 terms; these 5 make [\d.]+ % \(by size\)\./);
			await page.goto(`${site}/large.html#step=1&cell=Y[0,3,5]`);
			assert.match(await text(page, "#why"), /512 terms; these 5 make [\d.]+ %/);
			assert.equal(await page.locator("td.marked").count(), 10);
			await shut(page);
		},

		async "live: the first screen has one number with a slider, its curve, a sentence and few buttons"() {
			for (const name of ["live", "live_notebook"])
				for (const width of [390, 1280, 1440, 2560]) {
					const page = await live(name, "", {
						viewport: { width, height: { 390: 844, 2560: 1440 }[width] ?? 720 },
						hasTouch: width < 500,
						isMobile: width < 500,
					});
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
					const [, way, slope] = (await text(page, "#start")).match(
						/alone by 0\.01, and the loss (rises|falls) by about \S+ \((\S+) times as much/,
					);
					const { x1, y1, x2, y2 } = await page.evaluate(() =>
						Object.fromEntries(
							["x1", "y1", "x2", "y2"].map(name => [
								name,
								+document.querySelector("#curve line.tangent").getAttribute(name),
							]),
						),
					);
					assert.equal(
						way === "rises",
						(y2 - y1) / (x2 - x1) < 0,
						"the tangent leads the same way",
					);
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
					await shut(page);
				}
		},

		async "the cell asked for is answered together with what it comes from and the tape, whatever the window's size"() {
			const engine = fs.readFileSync(`${pages}/live.html`, "utf8").includes('id="engine"');
			for (const name of engine ? ["asked", "live", "live_wide"] : ["asked"])
				for (const [width, height] of [
					[1280, 720],
					[1024, 700],
					[390, 844],
				]) {
					const page = await open(name, "", {
							viewport: { width, height },
							hasTouch: width < 500,
							isMobile: width < 500,
							reducedMotion: "reduce",
						}),
						at = `${name}, ${width}`;
					if (name === "asked")
						assert.match(await text(page, "#start"), /Raise w1\[300, 1000\] alone/);
					else await page.waitForFunction(() => document.documentElement.dataset.live);
					await page.click("#ask");
					await page.screenshot({ path: `${pages}/${name}-${width}.png` });
					for (const selector of ["#why .sum", "td.looked", "td.marked"]) {
						assert.ok((await page.locator(selector).count()) > 0, `${at}: no ${selector}`);
						assert.ok(await seen(page, selector), `${at}: ${selector}`);
					}
					assert.ok((await page.isVisible("#graph")) && (await page.isVisible("#search")), at);
					assert.ok(await fits(page));
					if (name === "asked") {
						assert.match(await sum(page), /^dB\[300, 1000\] = /);
						for (const key of ["A", "dY"])
							assert.equal(
								await page.locator(`[data-card=${key}] td.marked`).count(),
								5,
								`${at}: ${key}`,
							);
					} else if (width < 500) {
						await page.tap("#why .to-bench");
						assert.ok(
							(await seen(page, "#touch-slider")) && (await seen(page, "#outcome")),
							"the number and the loss on one screen",
						);
					}
					await shut(page);
				}
		},

		async "the answer never covers the cell that was asked"() {
			for (const [width, height] of [
				[1280, 420],
				[390, 600],
			]) {
				const page = await open("ffn", "#step=1", { viewport: { width, height } });
				const covered = await atSteps(page, [...Array(26).keys()], () =>
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
				await shut(page);
			}
		},

		async "chips, boxes, groups and the search lead to a value, a gradient, an op"() {
			const page = await open("ffn", "#step=1");
			const part = label => page.locator(`#graph [role=button][aria-label^='${label}']`).first();
			await part("w2.grad").click();
			assert.match(await text(page, "#title"), /Backward .*w2\.grad$/);
			await part("#3 clamp").focus();
			await page.keyboard.press("Enter");
			assert.match(await text(page, "#title"), /#3 clamp/);
			await page.keyboard.press("ArrowDown");
			await page.keyboard.press("Enter");
			assert.doesNotMatch(await text(page, "#title"), /#3 clamp/);
			await page.fill("#search", "w1.grad");
			assert.match(await text(page, "#title"), /w1\.grad$/);
			await page.fill("#search", "w1.grad[2, 3]");
			assert.match(await sum(page), /^dB\[2, 3\] = /);
			await page.fill("#search", "#5 mul");
			await page.click("#turn");
			await page.click("#turn");
			assert.match(
				await text(page, "#title"),
				/#5 mul/,
				"to backward is to this op's gradient, and back",
			);
			await shut(page);
		},

		async "back, forward, a reload and another language keep the step and the cell"() {
			const page = await open("ffn", "#step=2");
			await page.click("#next");
			await page.click("[data-card=Y] td[data-i='3']");
			await page.click("#next");
			await page.goBack();
			await page.waitForFunction(() =>
				document.getElementById("title").textContent.includes("#3 clamp"),
			);
			assert.match(await sum(page), /^Y\[0, 3\] = /);
			await page.reload();
			await page.waitForFunction(() => document.documentElement.dataset.ready);
			assert.match(await sum(page), /^Y\[0, 3\] = /);
			await page.selectOption("#language", "ko");
			assert.match(await text(page, "#title"), /순전파 3/);
			assert.match(await sum(page), /^Y\[0, 3\] = /);
			assert.match(address(page), /lang=ko/);
			await page.goForward();
			await shut(page);
		},

		async "an address finds its cell whatever characters a name has"() {
			const html = fs.readFileSync(pages + "/ffn.html", "utf8");
			assert.ok(html.includes('"name":"w1"'));
			fs.writeFileSync(
				pages + "/named.html",
				html.replaceAll('"name":"w1"', '"name":"w&step=2%20+#1"'),
			);
			const page = await open("named", "#step=1");
			await page.click("[data-card=B] td[data-i='19']");
			const said = await sum(page);
			assert.match(said, /^B\[2, 3\] = /);
			await page.reload();
			await page.waitForFunction(() => document.documentElement.dataset.ready);
			assert.match(await text(page, "#title"), /^Forward 1 /);
			assert.equal(await sum(page), said);
			await page.evaluate(() => {
				location.hash = "#step=7";
			});
			await page.waitForFunction(() => document.getElementById("slider").value === "6");
			await page.evaluate(
				cell => {
					location.hash = "#step=1&cell=" + cell;
				},
				encodeURIComponent("w&step=2%20+#1[2,3]").replace("%2B", "+"),
			);
			await page.waitForFunction(() => document.getElementById("slider").value === "0");
			assert.equal(await sum(page), said, "a plus is one, however it is written");
			await shut(page);
		},

		async "zero sizes, single numbers and six dimensions are numbers and gaps"() {
			const page = await open("shapes", "#step=1");
			assert.ok((await page.locator("tr.block").count()) > 0);
			assert.match(await text(page, "#cards"), /0,0,0,0,1/);
			const said = [];
			for (let step = 1; step <= 5; ++step) {
				await page.goto(`${site}/shapes.html#step=${step}`);
				said.push(await text(page, "#cards"));
			}
			assert.match(said.join(), /no numbers/);
			await page.goto(`${site}/shapes.html#step=1`);
			const { height } = await page.evaluate(() => {
				return document.querySelector("#cards td[data-i]").getBoundingClientRect();
			});
			assert.ok(height >= 20);
			await shut(page);
		},

		async "without JavaScript, and cut off, the page says so in one sentence"() {
			const off = await (await browser().newContext({ javaScriptEnabled: false })).newPage();
			await off.goto(`${site}/ffn.html`);
			assert.equal(
				(await off.innerText("body")).trim(),
				"This page draws with JavaScript, which is switched off here.",
			);
			await off.context().close();
			const whole = fs.readFileSync(pages + "/ffn.html", "utf8");
			fs.writeFileSync(pages + "/cut.html", whole.slice(0, whole.length - 3000));
			const page = await open("hostile");
			await page.goto(`${site}/cut.html`).catch(() => {});
			assert.ok(await page.isVisible("#broken"));
			await page.context().close();
		},

		async "by touch a number is held and let go, and buttons are 44 pixels high"() {
			const page = await open("ffn", "#step=24", {
				viewport: { width: 390, height: 844 },
				hasTouch: true,
				isMobile: true,
			});
			await page.tap("[data-card=dB] td[data-i='19']");
			assert.match(await sum(page), /^dB\[2, 3\]/);
			const small = await page.evaluate(() =>
				[...document.querySelectorAll("header button, header select, #why button")]
					.filter(one => one.offsetParent && one.getBoundingClientRect().height < 44)
					.map(one => one.id + one.className),
			);
			assert.deepEqual(small, []);
			await page.tap("#why .let-go");
			assert.equal(await page.locator("td.marked").count(), 0);
			assert.notEqual(
				await page.evaluate(() => getComputedStyle(document.getElementById("why")).position),
				"sticky",
				"the hint covers nothing",
			);
			await shut(page);
		},
	};
};
