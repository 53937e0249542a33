// Training by hand in the page.
"use strict";
const assert = require("node:assert/strict");

module.exports = ({ live, settled, shut, text, number, lossNow, tapeOf, toStep, values }) => {
	// The losses that C++ had by nn::SGD: at first, after three steps, and after two without zero_grad(),
	// all under the first dropout mask.
	const trained = values
		.split("\n")
		.find(line => line.startsWith("training "))
		.split(" ")
		.slice(1)
		.map(Number);

	return {
		async "live: the losses of the steps taken by hand are drawn in their order, the largest above"() {
			const page = await live("live", "#step=1"),
				losses = [await lossNow(page)];
			for (let k = 0; k < 4; ++k)
				await page.click("#sgd"), await settled(page), losses.push(await lossNow(page));
			const points = (await page.getAttribute("#training polyline", "points"))
				.split(" ")
				.map(point => point.split(",").map(Number));
			const [least, most] = [Math.min(...losses), Math.max(...losses)];
			assert.equal(points.length, 5);
			points.forEach(([x, y], k) =>
				assert.ok(
					Math.abs(x - 70 * k) < 0.1 &&
						Math.abs(y - (74 - ((losses[k] - least) / (most - least)) * 68)) < 1,
					`${k}: ${[x, y]}, ${losses}`,
				),
			);
			await page.click("#sgd-10"), await settled(page);
			assert.equal((await page.getAttribute("#training polyline", "points")).split(" ").length, 15);
			assert.match(await text(page, "#training"), /14 steps: the loss went from/);
			await shut(page);
		},

		async "live: training by hand gives the losses of nn::SGD, also where zero_grad is forgotten"() {
			const page = await live("live", "#step=1");
			const same = async (expected, what) => {
				await settled(page);
				assert.ok(
					Math.abs((await lossNow(page)) / expected - 1) < 1e-3,
					`${what}: ${await text(page, "#outcome")}, ${expected}`,
				);
			};
			await same(trained[0], "at first");
			for (let k = 1; k < trained.length; ++k) {
				await page.click("#sgd");
				if (k <= 3) await page.click("#zero-grad");
				await same(trained[k], `step ${k}`);
			}
			assert.match(await text(page, "#passes"), /also holds earlier gradients/);
			assert.match(
				await text(page, "#training"),
				new RegExp(
					`5 steps: the loss went from ${trained[0].toPrecision(3)} to ${trained.at(-1).toPrecision(3)}\\.`,
				),
			);
			await page.fill("#search", "w1.grad");
			assert.ok(await page.locator("[data-card=earlier]").isVisible(), "what earlier passes left");
			await page.click("#eval");
			assert.equal(await page.getAttribute("#eval", "aria-pressed"), "true");
			await page.click("#reset");
			await same(trained[0], "reset");
			assert.match(await text(page, "#passes"), /this pass's only/);
			assert.deepEqual(
				[
					await page.getAttribute("#train", "aria-pressed"),
					await page.getAttribute("#eval", "aria-pressed"),
					await page.isEnabled("#redraw"),
				],
				["true", "false", true],
			);
			assert.equal(await page.locator("#training polyline").count(), 0, "no step has been taken");
			await page.click("#sgd"), await settled(page);
			assert.match(await text(page, "#training"), /1 steps?: the loss went from 1\.69/);
			await shut(page);
		},

		async "live: at the notebook's size steps are taken beside the page, which says how many are to go and stops"() {
			const page = await live("live_notebook", "#step=1"),
				went = async () =>
					(await text(page, "#training")).match(
						/(\d+) steps?: the loss went from (\S+) to (\S+?)\. /,
					);
			let workers = 0;
			page.on("worker", () => ++workers);
			await page.addInitScript(() => {
				const now = performance.now.bind(performance);
				performance.now = () => 10 * now(); // as on a slow machine
			});
			await page.reload();
			await page.waitForFunction(() => document.documentElement.dataset.live);
			await page.click("#sgd-10");
			await page.waitForFunction(() =>
				/^Stop: [1-8] to go$/.test(document.getElementById("sgd-10").textContent),
			);
			assert.ok(await page.isDisabled("#sgd"));
			assert.ok((await page.getAttribute("#training polyline", "points")).split(" ").length > 2);
			await page.click("#sgd-10");
			await page.waitForSelector("#sgd:enabled"), await settled(page);
			const [, steps, from, to] = await went();
			assert.ok(+steps >= 2 && +steps < 10, steps);
			assert.ok(Math.abs((await lossNow(page)) / number(to) - 1) < 5e-3, "one dropout mask");
			assert.deepEqual([workers, page.workers().length], [1, 0], "it has ended");
			await page.click("#reset");
			for (let k = 0; k < +steps; ++k)
				await page.click("#sgd"), await page.click("#zero-grad"), await settled(page);
			assert.deepEqual((await went()).slice(1), [steps, from, to], "as by the page's own engine");
			await shut(page);
		},

		async "live: eval() lets all numbers through dropout as they are, train() and another draw only some, and these larger"() {
			const page = await live("live", "#step=1"),
				{ ops } = await tapeOf(page);
			const numbersOf = async op => {
				await toStep(
					page,
					ops.findIndex(one => one.op === op),
				);
				return (await page.locator("[data-card=Y] td[data-i]").allTextContents()).map(x =>
					x === "0" ? 0 : number(x),
				);
			};
			const both = async () => {
				await settled(page);
				return [await numbersOf("clamp"), await numbersOf("div"), await numbersOf("dropout_mask")];
			};
			const seen = new Set();
			for (const button of ["#train", "#redraw", "#eval", "#train", "#redraw"]) {
				if (button !== "#redraw" || (await page.isEnabled(button))) await page.click(button);
				const [before, after, mask] = await both(),
					scale = button === "#eval" ? 1 : 1 / 0.75;
				before.forEach((x, i) => {
					const through = button === "#eval" || mask[i] !== 0;
					assert.ok(
						Math.abs(after[i] - (through ? x * scale : 0)) <= 0.01 * Math.abs(x) + 1e-6,
						`${button} ${i}: ${x}, ${after[i]}`,
					);
				});
				assert.equal(await page.isDisabled("#redraw"), button === "#eval");
				assert.equal(await page.getAttribute("#train", "aria-pressed"), String(button !== "#eval"));
				if (button !== "#eval")
					assert.ok(mask.includes(0) && mask.some(Boolean), button), seen.add(mask.join());
			}
			assert.ok(seen.size > 2, "each draw is another");
			await shut(page);
		},

		async "live: a step moves the leaves that are ticked, by the rate times their gradient"() {
			const page = await live("live", "#step=1"),
				moved = key => page.locator(`[data-card=${key}] td.moved`).count();
			const leaf = name => page.locator("#training .leaf", { hasText: name }).locator("input");
			await page.click("#training summary");
			await leaf("w1").uncheck();
			await page.click("#sgd");
			await settled(page);
			assert.equal(await moved("B"), 0, "w1 is not trained");
			await page.keyboard.press("ArrowRight");
			assert.ok((await moved("B")) > 0, "b1 is");
			await page.click("#reset");
			await page.fill("#search", "b2.grad");
			const g = number(
				await page
					.locator("[data-card=total] td[data-i='1'], [data-card^='d'] td[data-i='1']")
					.last()
					.textContent(),
			);
			await page.fill("#search", "b2");
			await page.click("[data-card=B] td[data-i='1']");
			const before = number(await page.inputValue("#touch-number"));
			await page.fill("#rate", "0.25");
			await page.click("#sgd");
			await settled(page);
			assert.ok(
				Math.abs(number(await page.inputValue("#touch-number")) - (before - 0.25 * g)) <
					0.006 * Math.abs(g),
				`${before} by ${g}`,
			);
			await shut(page);
		},
	};
};
