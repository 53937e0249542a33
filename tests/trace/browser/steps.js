// Steps, cells, their texts, printing and screen readers.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");

module.exports = ({
	open,
	shut,
	text,
	sum,
	close,
	lastNumber,
	expected,
	pages,
	fits,
	browser,
	address,
	site,
}) => ({
	async "gradients to come are hatched, and the search leads to an op and to a value's first use"() {
		const page = await open("ffn", "#step=12");
		const hatched = () => page.locator("#graph rect[fill='url(#hatch)']").count();
		const first = await hatched();
		assert.ok(first > 5, "gradients to come are hatched");
		await page.click("#back");
		assert.equal((await hatched()) - first, 2, "the loss's gradient, and what mean gives mul");
		assert.ok((await page.locator("#source .line.current").count()) >= 1);
		await page.fill("#search", "mul");
		assert.match(await text(page, "#title"), /#5 mul/);
		await page.fill("#search", "w2");
		assert.match(await text(page, "#title"), /#7 matmul/);
		await shut(page);
	},

	async "hovered sums end in the numbers that C++ computed, and mark where they come from"() {
		const page = await open("ffn", "#step=24");
		await page.hover("[data-card=dB] td[data-i='19']");
		assert.ok(close(lastNumber(await sum(page)), expected[0]), await sum(page));
		assert.equal(await page.locator("[data-card=dY] td.marked").count(), 3);
		assert.equal(await page.locator("[data-card=A] td.marked").count(), 3);
		assert.match(address(page), /cell=w1.grad%5B2%2C3%5D/);
		assert.equal(
			await text(page, "#why .names"),
			"dB[2, 3] = A[0, 2]·dY[0, 3] + A[1, 2]·dY[1, 3] + A[2, 2]·dY[2, 3]",
		);
		await page.click("[data-card=dB] td[data-i='19']");
		await page.hover("[data-card=A] td[data-i='0']");
		assert.match(await sum(page), /^dB\[2, 3\]/, "a click holds");
		await page.keyboard.press("Escape");
		assert.equal(await page.locator("td.marked").count(), 0);
		await shut(page);
	},

	async "the address names a step and a cell; what a pass before left is added up"() {
		let page = await open("ffn", "#step=26&cell=b2.grad[1]");
		const titles = [];
		for (let step = 12; step <= 26; ++step) {
			await page.goto(`${site}/ffn.html#step=${step}&cell=b2.grad[1]`);
			if ((await text(page, "#title")).includes("b2.grad")) titles.push([step, await sum(page)]);
		}
		assert.equal(titles.length, 1);
		assert.match(titles[0][1], /= 1 \+ .* = /);
		assert.ok(close(lastNumber(titles[0][1]), expected[1]), titles[0][1]);
		await page.goto(`${site}/asked.html#step=2&cell=b1[1234]`);
		assert.match(await sum(page), /^B\[1234\] = /);
		page.problems = page.problems.filter(problem => !problem.includes("asked.html"));
		await shut(page);
		page = await open("ffn", "#step=24&cell=x.grad[1,2]");
		assert.ok(close(lastNumber(await sum(page)), expected[2]), await sum(page));
		assert.match(await sum(page), /\+|−/);
		await page.click("summary:has-text('Check me')");
		const found = (await text(page, "#why details p")).match(/2h = (\S+):/)[1];
		assert.ok(
			Math.abs(Number(found.replaceAll("−", "-")) - expected[2]) <
				2e-2 * Math.abs(expected[2]) + 2e-3,
			found,
		);
		await shut(page);
	},

	async "a link that the mouse follows leads to a number that is held, however often"() {
		const page = await open("ffn", "#step=26");
		await page.hover("[data-card=dY] td[data-i='2']");
		await page.click("[data-card=dY] td[data-i='2']");
		for (let i = 0; i < 3; ++i) {
			const link = page.locator("#why .follow");
			if (!(await link.count()))
				await page.evaluate(() =>
					document.querySelector("[data-card=dY] td.marked, [data-card=dY] td[data-i]").click(),
				);
			const { x, y } = await link.boundingBox();
			await page.mouse.move(x + 5, y + 5);
			await link.click();
			const cell = () => page.evaluate(() => location.hash.match(/cell=(.*)/)?.[1]),
				at = await cell();
			await page.mouse.move(x + 9, y - 60, { steps: 8 });
			assert.ok(at);
			assert.equal(await cell(), at);
		}
		await shut(page);
	},

	async "a mask in blocks is as light as it has zeros"() {
		const page = await open("large", "#step=4");
		const reds = await page.evaluate(() => {
			const canvas = document.querySelector("#cards .card:last-child canvas"),
				{ data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
			return new Set(Array.from({ length: data.length / 4 }, (_, i) => data[4 * i + 1])).size;
		});
		assert.ok(reds > 10, reds);
		await shut(page);
	},

	async "the keyboard alone moves in a matrix"() {
		const page = await open("ffn", "#step=1");
		await page.focus("[data-card=Y] td[data-i='0']");
		for (const key of ["ArrowRight", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
		assert.match(await sum(page), /^Y\[2, 1\] = /);
		assert.equal(await page.evaluate(() => document.activeElement.dataset.i), "17");
		await page.goto(`${site}/ffn.html#step=26`);
		await page.waitForFunction(() => document.getElementById("slider").value === "25");
		const way = [await text(page, "#title")];
		await page.focus("#cards .card:last-child td[data-i='0']");
		while (!(await text(page, "#title")).startsWith("Backward 1 ")) {
			// from a leaf's gradient back to the loss
			if (!(await page.locator("#why .follow").count()))
				await page.focus("[data-card=dY] td[data-i='0']");
			await page.keyboard.press("Enter");
			way.push(await text(page, "#title"));
			assert.ok(way.length < 20, way.join(", "));
		}
		assert.ok(way.length > 2);
		await shut(page);
	},

	async "in a matrix and in the tape's picture arrows, Home and End stop at the edge, and Tab finds one place"() {
		const page = await open("ffn", "#step=1");
		await page.focus("[data-card=Y] td[data-i='0']");
		let at = 0;
		for (const [key, to] of [
			["ArrowLeft", 0],
			["ArrowUp", 0],
			["End", 7],
			["ArrowRight", 7],
			["ArrowDown", 15],
			["ArrowDown", 23],
			["ArrowDown", 23],
			["ArrowLeft", 22],
			["Home", 16],
			["ArrowUp", 8],
			["ArrowRight", 9],
		]) {
			await page.keyboard.press(key);
			assert.equal(
				await page.evaluate(() => document.activeElement.dataset.i),
				String(to),
				`${key} at ${at}`,
			);
			assert.match(await sum(page), new RegExp(`^Y\\[${Math.floor(to / 8)}, ${to % 8}\\] = `));
			assert.deepEqual(
				await page
					.locator("[data-card=Y] td[tabindex='0']")
					.evaluateAll(all => all.map(td => td.dataset.i)),
				[String(to)],
			);
			at = to;
		}
		const places = await page.locator("#graph [role=button]").count(),
			here = () =>
				page.evaluate(() =>
					[...document.querySelectorAll("#graph [role=button]")].indexOf(document.activeElement),
				);
		await page.locator("#graph [role=button]").first().focus();
		for (const [key, to] of [
			["ArrowUp", 0],
			["ArrowDown", 1],
			["ArrowRight", 2],
			["ArrowLeft", 1],
			["End", places - 1],
			["ArrowDown", places - 1],
			["ArrowUp", places - 2],
			["Home", 0],
		]) {
			await page.keyboard.press(key);
			assert.equal(await here(), to, key);
			assert.equal(await page.locator("#graph [tabindex='0']").count(), 1);
		}
		assert.match(await text(page, "#title"), /^Forward 1 of/, "they go to no other step");
		await page.evaluate(() => document.activeElement.blur());
		for (const [first, last] of [
			[true, false],
			[false, true],
			[false, false],
		]) {
			await page.keyboard.press(first ? "Home" : "End");
			if (!first && !last) await page.keyboard.press("ArrowLeft");
			assert.deepEqual(
				[
					await page.isDisabled("#back"),
					await page.isDisabled("#first"),
					await page.isDisabled("#next"),
				],
				[first, first, last],
			);
		}
		await shut(page);
	},

	async "of a sum whose numbers are not all on the page, the share of the heaviest is one of all"() {
		const page = await open("large", "#step=9"),
			tape = JSON.parse(await text(page, "#tape")),
			op = tape.ops[8],
			value = tape.values[op.in[0]];
		assert.equal(op.op, "mean");
		const { crops, stats } = tape.arrays[value.value],
			known = new Map(),
			columns = value.shape.at(-1);
		const places = ranges =>
			ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i));
		for (const crop of crops) {
			const numbers = new Float32Array(new Uint8Array(Buffer.from(crop.v, "base64")).buffer),
				across = places(crop.columns);
			places(crop.rows).forEach((r, i) =>
				across.forEach((c, j) =>
					known.set(r * columns + c, Math.abs(numbers[i * across.length + j])),
				),
			);
		}
		const all = stats.size * value.shape.reduce((a, b) => a * b, 1),
			heaviest = [...known.values()]
				.sort((a, b) => b - a)
				.slice(0, 5)
				.reduce((a, b) => a + b, 0);
		await page
			.locator("[data-card=Y] td[data-i='0']")
			.dispatchEvent("pointerover", { bubbles: true, screenX: 1 });
		const [, terms, share] = (await page.locator("#why .note").allTextContents())
			.join()
			.match(/(\d+) terms; these 5 make (\S+) % \(by size\)/);
		assert.equal(Number(terms), 4 * 10 * 512);
		assert.equal(Number(share), +((100 * heaviest) / all).toPrecision(2));
		assert.ok(known.size < Number(terms));
		await shut(page);
	},

	async "a checkpoint and a fused op say what is not shown, and memory is drawn with and without"() {
		const page = await open("parts", "#step=1&cell=Y[1,2]");
		assert.match(await text(page, "#why .note"), /packed form/);
		assert.equal(await page.locator("[data-card=H]").count(), 0);
		assert.equal(await page.locator("#cost svg").count(), 2);
		const [ran, plain] = await page.locator("#cost .stats").allTextContents();
		assert.match(ran, /with checkpoints/);
		assert.match(plain, /without checkpoints: at most \S+ B/);
		await page.goto(`${site}/parts.html#step=2&cell=Y[0,0]`);
		assert.match(await text(page, "#why .note"), /f ran again/);
		for (let step = 4; step <= 6 && !(await text(page, "#title")).includes("fused"); ++step)
			await page.goto(`${site}/parts.html#step=${step}`);
		await page.hover("[data-card='db₂'] td[data-i='1']");
		assert.match(await sum(page), /^db₂\[1\] = \S+ [+−] \S+ [+−] \S+ = /);
		await shut(page);
	},

	async "inside of a notebook's cell it works, without an address"() {
		const context = await browser().newContext(),
			page = await context.newPage(),
			problems = [];
		page.on("pageerror", error => problems.push(error.message));
		await page.setContent(
			"<iframe sandbox='allow-scripts allow-modals' style='width: 900px; height: 700px'></iframe>",
		);
		await page.evaluate(
			html => {
				document.querySelector("iframe").srcdoc = html;
			},
			fs.readFileSync(pages + "/ffn.html", "utf8"),
		);
		const inside = page.frameLocator("iframe");
		await inside.locator("html[data-ready]").waitFor();
		await inside.locator("#from-first").click();
		await inside.locator("#next").click();
		assert.match(await inside.locator("#title").textContent(), /#2 add/);
		await inside.locator("[data-card=Y] td[data-i='3']").hover();
		assert.match(await inside.locator("#why .sum").textContent(), /^Y\[0, 3\] = /);
		assert.deepEqual(problems, []);
		await context.close();
	},

	async "three languages, by the browser, by the address and by hand"() {
		for (const [locale, asked, word] of [
			["ko-KR", "", "순전파"],
			["zh-CN", "", "前向"],
			["fr-FR", "", "Forward"],
			["zh-CN", "?lang=ko", "순전파"],
			["ko-KR", "?lang=fr", "순전파"],
			["zh-CN", "?lang=ko#lang=en", "Forward"],
		]) {
			const page = await open("ffn", asked, { locale });
			await page.click("#from-first");
			assert.ok((await text(page, "#title")).startsWith(word));
			await page.selectOption("#language", "zh");
			assert.ok((await text(page, "#title")).startsWith("前向"));
			await shut(page);
		}
	},

	async "a thousand ops: under 3 MB and 2 seconds"() {
		assert.ok(fs.statSync(pages + "/thousand.html").size < 3e6);
		const page = await open("thousand");
		const ready = await page.evaluate(() => performance.now());
		console.log(
			`      ready after ${Math.round(ready)} ms, ${fs.statSync(pages + "/thousand.html").size} bytes`,
		);
		assert.ok(ready < 2000 * (process.env.CI ? 3 : 1), `${ready} ms`);
		await page.keyboard.press("End");
		assert.match(await text(page, "#title"), /w\.grad/);
		assert.ok((await page.locator("#graph .head").count()) >= 20);
		await shut(page);
	},

	async "the notebook's sizes are pictures of what stands out, and say so"() {
		const page = await open("large", "#step=1");
		assert.ok((await page.locator("#cards canvas").count()) >= 3);
		assert.match(await text(page, "[data-card=B]"), /\[512, 2048\].*stands out most/s);
		await page.hover("[data-card=B] canvas");
		assert.match(await sum(page), /^B\[\d+\.\.\d+, \d+\.\.\d+\], largest = /);
		assert.match(await text(page, "#why .note"), /1024 numbers/);
		await page.goto(`${site}/large.html#step=5&cell=A[2,3,100]`);
		assert.match(await sum(page), /^A\[2, 2\.\.3, 64\.\.127\], largest = /);
		await shut(page);
	},

	async "names and NaN are text"() {
		const page = await open("hostile", "#step=1");
		assert.ok((await text(page, "#cards")).includes("</script><img src=x onerror=alert(1)>"));
		assert.equal(await page.locator("img").count(), 0);
		for (let i = 0; i < 2; ++i) await page.keyboard.press("ArrowRight");
		assert.ok((await text(page, "#cards")).includes("NaN"));
		assert.ok(await fits(page));
		await shut(page);
	},
});
