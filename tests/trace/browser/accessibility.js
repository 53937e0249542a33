// What axe-core finds on recorded and on live pages, in both schemes and on a phone; screenshots.
"use strict";
const assert = require("node:assert/strict");

module.exports = ({ open, live, set, settled, violations, fits, pages }) => {
	const look = async (opened, states) => {
		for (const [name, hash, act, only] of states)
			for (const [how, options] of [
				["light", { colorScheme: "light" }],
				["dark", { colorScheme: "dark" }],
				["phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
			].filter(([how]) => !only || how === only)) {
				const page = await opened(name, hash, {
					...options,
					bypassCSP: true,
					reducedMotion: "reduce",
				});
				await act?.(page);
				await page.screenshot({ path: `${pages}/${name}${hash.replace(/\W+/g, "-")}-${how}.png` });
				assert.deepEqual(await violations(page), [], `${name}${hash} ${how}`);
				assert.ok(await fits(page), `${name}${hash} ${how}`);
				await page.context().close();
			}
	};
	return {
		async "axe-core finds nothing on the first screen, a sum, a path, a lesson and a large tensor"() {
			await look(open, [
				["ffn", "", null, "phone"],
				["ffn", "#step=24&cell=w1.grad[2,3]"],
				["ffn", "#step=24&path=1.19", null, "light"],
				["feed_forward", "#lesson=2", null, "dark"],
				["large", "#step=20&cell=w1.grad[2,3]", null, "dark"],
			]);
		},

		async "live: axe-core finds nothing on the first screen, after a change and in the playground"() {
			await look(live, [
				["live", ""],
				[
					"live",
					"#step=1&cell=w1[2,3]",
					async page => {
						await set(page, "1.5");
						await page.click("#sgd");
						await settled(page);
					},
				],
				["playground", "#model=attention"],
			]);
		},
	};
};
