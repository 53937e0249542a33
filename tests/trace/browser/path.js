// From a number to the loss: a product of slopes.
"use strict";
const assert = require("node:assert/strict");
const number = text => Number(text.replaceAll("−", "-"));

module.exports = ({ open, shut, tapeOf, text, close, lastNumber, expected }) => ({
	async "the path of a number is a product of slopes, whose ways add up to its gradient"() {
		const page = await open("ffn", "#step=24&cell=w1.grad[2,3]");
		await page.click("#why .to-loss");
		const products = await page.locator("#path .slope").allTextContents(),
			line = await text(page, "#path .sum");
		const product = products.map(one => number(one.slice(2))).reduce((a, b) => a * b, 1);
		assert.ok(
			Math.abs(product - number(lastNumber(line))) <= 2e-3 * Math.abs(product),
			`${product}: ${line}`,
		);
		assert.match(await text(page, "#path"), /w1\[2, 3\].*#1 matmul.*#11 mean.*the loss/s);
		const share = (await text(page, "#path")).match(
			/This path gives (\S+) of the gradient (\S+)\. /,
		);
		assert.ok(
			share
				? close(share[2], expected[0]) || Math.abs(number(share[2]) / expected[0] - 1) < 1e-3
				: true,
		);
		await page.reload();
		await page.waitForFunction(() => document.documentElement.dataset.ready);
		assert.ok(await page.isVisible("#path"), "an address has it");
		await page.locator("#path .factor").nth(2).click();
		assert.ok(!(await page.isVisible("#path")));
		assert.match(await text(page, "#title"), /Backward/);
		await page.goBack();
		assert.ok(await page.isVisible("#path"), "and back leads to it");
		await shut(page);
	},

	async "a path ends in what backward() began with, which weighs its way"() {
		const page = await open("claims-given", "#step=1"),
			{ values } = await tapeOf(page),
			t = values.findIndex(({ name }) => name === "t");
		await page.evaluate(hash => {
			location.hash = hash;
		}, `#path=${t}.1`);
		await page.locator('#path h3:has-text("t")').waitFor();
		const [factors, product] = (await text(page, "#path .sum")).split(" = "),
			[slope, began] = factors.split("·").map(number);
		assert.ok(
			slope !== 0 &&
				began !== 1 &&
				Math.abs(number(product) - slope * began) < 2e-3 * Math.abs(slope * began),
			`${factors} = ${product}`,
		);
		assert.ok(
			Math.abs(
				number((await text(page, "#path")).match(/This path gives (\S+) of/)[1]) - slope * began,
			) <
				2e-3 * Math.abs(slope * began),
		);
		await shut(page);
	},

	async "a path is the only one where nothing else goes to the loss, also where what goes there adds 0"() {
		for (const [name, value, i, only] of [
			["claims-empty", "t", 1, false],
			["claims-held", "x", 1, true],
			["claims-given", "t", 1, false],
		]) {
			const page = await open(name, "#step=1"),
				{ values } = await tapeOf(page);
			await page.evaluate(
				hash => {
					location.hash = hash;
				},
				`#path=${values.findIndex(one => one.name === value)}.${i}`,
			);
			await page.locator(`#path h3:has-text("${value}")`).waitFor();
			assert.equal((await text(page, "#path")).includes("there is only one path"), only, name);
			await shut(page);
		}
	},
});
