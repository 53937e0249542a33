// From a number to the loss: a product of slopes.
"use strict";
require("../browser_test.js");
const fs = require("node:fs");

test("the path of a number is a product of slopes", async () => {
	const page = await open("ffn", "#step=24&cell=w1.grad[2,3]");
	await page.click("#why .to-loss");
	const factor = text => number(text.slice(2)),
		slopes = (await page.texts("#path .slope")).map(factor);
	near(
		lastNumber(await page.text("#path .sum")),
		slopes.reduce((a, b) => a * b, 1),
		2e-3,
	);
	const soFar = (await page.texts("#path .product")).slice(1).map(factor);
	soFar.forEach((product, k) => near(product, (soFar[k - 1] ?? 1) * slopes[k], 2e-3));
	await page.says("#path", /w1\[2, 3\].*#1 matmul.*#11 mean.*the loss/s);
	await page.reloaded();
	await page.selectOption("#language", "ko"), await page.selectOption("#language", "en");
	await page.sees("#path"); // an address has it, and so has each language
	await page.rests();
	await page.click("#path .factor >> nth=2");
	await page.sees("#path", false);
	await page.says("#title", /Backward/);
	await page.to(-1);
	await page.sees("#path", true, "and back leads to it");
});

test("a path is on the tape, and its play moves the numbers and brings the gradient back", async () => {
	const page = await open("ffn", "#step=24&cell=w1.grad[2,3]", { reducedMotion: "reduce" }); // each press is a still
	await page.click("#why .to-loss");
	const slopes = (await page.texts("#path .slope")).map(one => number(one.slice(2))),
		drawn = (await page.texts(".way-drawn text")).map(number),
		play = async () => (await page.click("#path .play-way"), page.text("#path [role=status]"));
	equal(drawn.length, slopes.length);
	drawn.forEach((slope, k) => near(slope, slopes[k], 0.005, 0));
	let rise = 0.01;
	for (const slope of slopes) near(number((await play()).match(/by (\S+)\.$/)[1]), (rise *= slope), 1e-2);
	for (let k = slopes.length; k > 0; --k) match(await play(), /^The gradient comes back: at .* it is [−\d.e]+\.$/);
	equal(await play(), "", "its end");
	const [file] = await Promise.all([
		page.waitForEvent("download"),
		page.evaluate(() => document.getElementById("save-svg").click()),
	]);
	match(fs.readFileSync(await file.path(), "utf8"), /^<svg .*matmul/s);
});

test("a path is weighed by what backward() began with", async () => {
	for (const [name, value, expected, began] of table("empty t pathAll 1; held x pathOnly 1; given t pathShare 2")) {
		const page = await pageOf(tapeIn(read(`claims-${name}.html`))),
			v = page.values.findIndex(one => one.name === value),
			found = page.pathFrom(v, 1),
			judged = page.verdictOf(found, v, 1);
		deepEqual([judged.verdict, judged.began], [expected, began], name);
		near(
			judged.whole,
			found.path.reduce((product, { slope }) => product * slope, began),
			1e-5,
			0,
			name,
		);
	}
});

test("of several parts a path takes the largest, of two that tie the first, and weighs the sum of all", async () => {
	let [three, ties] = [0, 0];
	for (const name of "ffn live claims-many claims-twice claims-ties claims-equal".split(" ")) {
		const page = await pageOf(tapeIn(read(name + ".html")));
		page.values.forEach(({ name: called, shape }, v) => {
			for (const i of span(Math.min(product(shape), 50))) {
				const parts = page.partsOf(v),
					sizes = parts.map(({ part }) => Math.abs(page.numbers(part)?.at(i))),
					largest = sizes.indexOf(Math.max(...sizes)),
					found = page.largestTerm(v, i),
					of = `${name}: ${called}, number ${i} of value ${v}`;
				if (!parts.length || sizes.some(isNaN) || !found.add) continue;
				equal(parts.indexOf(found.add), largest, of);
				three += parts.length > 2;
				ties += sizes.filter(size => size === sizes[largest]).length > 1;
				near(page.verdictOf(page.pathFrom(v, i), v, i).g, page.slopeAt(v, i), 1e-5, 1e-6, of);
				page.tape.ask = [v, i]; // which leads to the last of two that tie
				equal(page.askedNumber().to[0], page.ops.length + parts[sizes.lastIndexOf(sizes[largest])].at, of);
			}
		});
	}
	ok(three > 5 && ties > 9, `${three} of three parts, ${ties} that tie`);
});
