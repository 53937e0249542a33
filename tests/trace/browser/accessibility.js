// What axe-core finds on recorded and on live pages, in both schemes and on a phone; screenshots.
"use strict";
const assert = require("node:assert/strict");
const { test, modules, open, live, onPhone, pages } = require("../browser_test.js");

const violations = async page => {
	await page.addScriptTag({ path: modules + "/axe-core/axe.min.js" });
	const found = await page.evaluate(() => axe.run());
	return found.violations.map(one => one.id + ": " + one.nodes[0].html.slice(0, 160));
};
const look = async (opened, states) => {
	for (const [name, hash, act, only] of states)
		for (const [how, options] of [
			["light", { colorScheme: "light" }],
			["dark", { colorScheme: "dark" }],
			["phone", onPhone],
		].filter(([how]) => !only || how === only)) {
			const page = await opened(name, hash, {
				...options,
				bypassCSP: true,
				reducedMotion: "reduce",
			});
			await act?.(page);
			await page.screenshot({ path: `${pages}/${name}${hash.replace(/\W+/g, "-")}-${how}.png` });
			assert.deepEqual(await violations(page), [], `${name}${hash} ${how}`);
			assert.ok(await page.fits(), `${name}${hash} ${how}`);
			await page.shut();
		}
};

test("axe-core finds nothing on the first screen, a sum, a path, a lesson and a large tensor", async () => {
	await look(open, [
		["ffn", "", null, "phone"],
		["ffn", "#step=24&cell=w1.grad[2,3]"],
		["ffn", "#step=24&path=1.19", null, "light"],
		["feed_forward", "#lesson=2", null, "dark"],
		["large", "#step=20&cell=w1.grad[2,3]", null, "dark"],
	]);
});

test("live: axe-core finds nothing on the first screen, after a change and in the playground", async () => {
	await look(live, [
		["live", ""],
		[
			"live",
			"#step=1&cell=w1[2,3]",
			async page => {
				await page.set("1.5");
				await page.clicked("#sgd");
			},
		],
		["playground", "#model=attention"],
	]);
});
