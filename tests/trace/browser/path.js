// From a number to the loss: a product of slopes.
"use strict";
const assert = require("node:assert/strict");
const { test, open, number, near, lastNumber, expected, site } = require("../browser_test.js");

test("the path of a number is a product of slopes, whose ways add up to its gradient", async () => {
	const page = await open("ffn", "#step=24&cell=w1.grad[2,3]");
	await page.click("#why .to-loss");
	const products = await page.locator("#path .slope").allTextContents(),
		line = await page.text("#path .sum");
	const product = products.map(one => number(one.slice(2))).reduce((a, b) => a * b, 1);
	near(lastNumber(line), product, 2e-3);
	await page.says("#path", /w1\[2, 3\].*#1 matmul.*#11 mean.*the loss/s);
	const share = (await page.text("#path")).match(/This path gives (\S+) of the gradient (\S+)\. /);
	if (share) near(number(share[2]), expected[0]);
	await page.reloaded();
	assert.ok(await page.isVisible("#path"), "an address has it");
	await page.locator("#path .factor").nth(2).click();
	assert.ok(!(await page.isVisible("#path")));
	await page.says("#title", /Backward/);
	await page.goBack();
	assert.ok(await page.isVisible("#path"), "and back leads to it");
});

// The page with the path of a value's i-th number.
async function pathOf(name, value, i) {
	const page = await open(name, "#step=1"),
		{ values } = await page.tape();
	await page.goto(`${site}/${name}.html#path=${values.findIndex(one => one.name === value)}.${i}`);
	await page.locator(`#path h3:has-text("${value}")`).waitFor();
	return page;
}

test("a path ends in what backward() began with, which weighs its way", async () => {
	const page = await pathOf("claims-given", "t", 1);
	const [factors, product] = (await page.text("#path .sum")).split(" = "),
		[slope, began] = factors.split("·").map(number);
	assert.ok(slope !== 0 && began !== 1, factors);
	near(number(product), slope * began, 2e-3);
	near(
		number((await page.text("#path")).match(/This path gives (\S+) of/)[1]),
		slope * began,
		2e-3,
	);
});

test("a path is the only one where nothing else goes to the loss, also where what goes there adds 0", async () => {
	for (const [name, value, i, only] of [
		["claims-empty", "t", 1, false],
		["claims-held", "x", 1, true],
		["claims-given", "t", 1, false],
	]) {
		const page = await pathOf(name, value, i);
		assert.equal((await page.text("#path")).includes("there is only one path"), only, name);
	}
});
