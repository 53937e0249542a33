// From a number to the loss: a product of slopes.
"use strict";
const assert = require("node:assert/strict");
const { pageOf, tapeIn } = require("../scripts.js");
const { test, open, number, near, lastNumber, expected, read } = require("../browser_test.js");

test("the path of a number is a product of slopes, whose ways add up to its gradient", async () => {
	const page = await open("ffn", "#step=24&cell=w1.grad[2,3]");
	await page.click("#why .to-loss");
	const products = await page.locator("#path .slope").allTextContents(),
		line = await page.text("#path .sum");
	const product = products.map(one => number(one.slice(2))).reduce((a, b) => a * b, 1);
	near(lastNumber(line), product, 2e-3);
	const soFar = (await page.locator("#path .product").allTextContents()).slice(1);
	soFar.reduce((before, text, k) => {
		near(number(text.slice(2)), before * number(products[k].slice(2)), 2e-3);
		return number(text.slice(2));
	}, 1);
	await page.says("#path", /w1\[2, 3\].*#1 matmul.*#11 mean.*the loss/s);
	const share = (await page.text("#path")).match(/This path gives (\S+) of the gradient (\S+)\. /);
	if (share) near(number(share[2]), expected[0]);
	await page.reloaded();
	await page.selectOption("#language", "ko"), await page.selectOption("#language", "en");
	assert.ok(await page.isVisible("#path"), "an address has it, and so has each language");
	await page.rests();
	await page.locator("#path .factor").nth(2).click();
	assert.ok(!(await page.isVisible("#path")));
	await page.says("#title", /Backward/);
	await page.to(-1);
	assert.ok(await page.isVisible("#path"), "and back leads to it");
});

test("a path is on the tape, an arrow a slope, and its play moves the numbers and brings the gradient back", async () => {
	const page = await open("ffn", "#step=24&cell=w1.grad[2,3]");
	await page.emulateMedia({ reducedMotion: "reduce" }); // each press is a still
	await page.click("#why .to-loss");
	const slopes = (await page.locator("#path .slope").allTextContents()).map(one => one.slice(2)),
		said = () => page.text("#path [role=status]"),
		drawn = await page.locator(".way-drawn text").allTextContents();
	assert.deepEqual(
		drawn.map(number).map(x => x.toFixed(2)),
		slopes.map(one => number(one).toFixed(2)),
	);
	let rise = 0.01;
	for (const slope of slopes) {
		await page.click("#path .play-way");
		near(lastNumber("= " + (await said()).match(/by (\S+)\.$/)[1]), (rise *= number(slope)), 1e-2);
	}
	await page.click("#path .play-way");
	await page.says("#path [role=status]", /^The gradient comes back: at .* it is [−\d.e]+\.$/);
	const [file] = await Promise.all([
		page.waitForEvent("download"),
		page.evaluate(() => document.getElementById("save-svg").click()),
	]);
	assert.match(require("node:fs").readFileSync(await file.path(), "utf8"), /^<svg .*matmul/s);
});

test("a path is weighed by what backward() began with, and the only one where nothing else goes to the loss or adds 0", async () => {
	for (const [name, value, i, expected] of [
		["claims-empty", "t", 1, "pathAll"],
		["claims-held", "x", 1, "pathOnly"],
		["claims-given", "t", 1, "pathShare"],
	]) {
		const page = await pageOf(tapeIn(read(`${name}.html`))),
			v = page.values.findIndex(one => one.name === value),
			found = page.pathFrom(v, i),
			{ began, whole, verdict } = page.verdictOf(found, v, i);
		assert.equal(verdict, expected, name);
		assert.equal(began, name === "claims-given" ? 2 : 1);
		near(
			whole,
			found.path.reduce((product, { slope }) => product * slope, began),
			1e-5,
			0,
			name,
		);
	}
});
