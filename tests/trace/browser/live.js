// The engine in the page: numbers that are changed.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { span } = require("../arrays.js");
const { tapeIn, withTape } = require("../scripts.js");

module.exports = ({
	open,
	live,
	settled,
	shut,
	text,
	slopes,
	sum,
	number,
	lossNow,
	set,
	tapeOf,
	atSteps,
	toStep,
	close,
	pages,
}) => {
	return {
		// But for the last bit of exp, erf and the like, which the page's C library has of its own.
		async "live: every op is recomputed"() {
			const cards = () => document.getElementById("cards").textContent;
			const [page, recorded] = [
				await live("live_examples", "#step=1"),
				await open("recorded_examples", "#step=1"),
			];
			const steps = span(await page.evaluate(() => +document.getElementById("slider").max + 1));
			const [computed, read] = [
				await atSteps(page, steps, cards),
				await atSteps(recorded, steps, cards),
			];
			for (const s of steps) assert.equal(computed[s], read[s], `step ${s + 1}`);
			await shut(page), await shut(recorded);
		},

		async "live: a number of a sum is dragged where it stands, and the sum stays and follows"() {
			const page = await live("live", "#step=1&cell=Y[0,2]"),
				before = await sum(page);
			const { x, y, width, height } = await page
				.locator("[data-card=B] td[data-i='10']")
				.boundingBox();
			await page.mouse.move(x + width / 2, y + height / 2);
			await page.mouse.down();
			await page.mouse.move(x + width / 2 + 60, y + height / 2, { steps: 6 });
			await page.mouse.up();
			await settled(page);
			const terms = (await sum(page)).match(/^Y\[0, 2\] = (.*) = (\S+)$/);
			assert.ok(terms && terms[0] !== before, `${before}: ${await sum(page)}`);
			assert.equal(await text(page, "#touch-name"), "w1[1, 2]");
			const value = terms[1]
				.replace(/[()]/g, "")
				.split(" + ")
				.map(one => one.split("·").reduce((a, b) => a * number(b), 1))
				.reduce((a, b) => a + b);
			assert.ok(Math.abs(value - number(terms[2])) < 1e-3, `${value}: ${terms[0]}`);
			assert.equal(await page.locator("td.looked").getAttribute("data-i"), "2", "and its cell");
			await shut(page);
		},

		async "live: a number that is typed changes what follows from it, and what was there before is said"() {
			const page = await live("live", "#step=1&cell=w1[2,3]");
			const [was, loss] = [number(await page.inputValue("#touch-number")), await lossNow(page)];
			assert.equal(await text(page, "#touch-name"), "w1[2, 3]");
			await set(page, "1.5");
			const [, from, to] = (await text(page, "#outcome")).match(/^loss was ([\d.]+), is ([\d.]+)$/);
			assert.ok(
				Math.abs(from / loss - 1) < 1e-3 && Math.abs(to / from - 1) > 1e-3,
				`${loss}: ${from}, ${to}`,
			);
			assert.notEqual(await lossNow(page), loss);
			const [, before] = (await text(page, "#why .was")).match(/^was (\S+), is 1\.5$/);
			assert.ok(close(before, was), `${before}, ${was}`);
			assert.equal(await page.locator("[data-card=B] td.moved").count(), 1);
			assert.equal(
				await page.locator("[data-card=Y] td.moved").count(),
				3,
				"the column of w1[2, 3]",
			);
			assert.equal(await page.locator("[data-card=A] td.moved").count(), 0);
			await page.hover("[data-card=B] td[data-i='3']");
			assert.match(await text(page, "#why .sum"), /^B\[2, 3\] = /, "it is still held");
			await page.click("#next");
			assert.equal(
				await page.locator("[data-card=A] td.moved").count(),
				3,
				"the same column, and what it was at this step",
			);
			await page.click("#back");
			await page.click("#turn");
			assert.ok((await page.locator("[data-card=dB] td.moved").count()) > 0);
			await page.hover('[data-card=dB] td[data-i="19"]');
			const [computed, measured] = (await slopes(page)).match(/[−\d.e]+(?=[,.] |\.$)/g).map(number);
			assert.ok(
				close(
					await page
						.locator("#why .sum")
						.textContent()
						.then(line => line.split("= ").at(-1)),
					computed,
				) ||
					Math.abs(computed / number((await text(page, "#why .sum")).split("= ").at(-1)) - 1) <
						1e-3,
			);
			assert.ok(
				Math.abs(measured - computed) < 0.002 * Math.abs(computed) + 1e-4,
				`${measured}, ${computed}`,
			);
			await set(page, String(was));
			assert.ok(Math.abs((await lossNow(page)) - loss) < 1e-5);
			await set(page, "1.5");
			await page.fill("#search", "#1 matmul");
			assert.equal(await page.locator("[data-card=B] td.moved").count(), 1);
			await page.fill("#rate", "0");
			await page.click("#sgd"), await settled(page);
			assert.equal(
				await page.locator("[data-card=B] td.moved").count(),
				0,
				"what was there before is what stood before the step",
			);
			await shut(page);
		},

		async "live: of a wide tensor the number that is held, and what it comes from, stay in sight when it is changed"() {
			const page = await live("live_wide", "#step=1"),
				shown = async () => [
					await page.locator("td.looked").count(),
					await page.locator("td.marked").count(),
				];
			await page.fill("#search", "w1.grad[50, 100]");
			const before = await shown();
			assert.ok(before[0] === 1 && before[1] > 4, before.join());
			await set(page, "0.5");
			assert.deepEqual(
				[await text(page, "#touch-name"), ...(await shown())],
				["w1[50, 100]", ...before],
			);
			await shut(page);
		},

		async "live: a number is dragged, typed over or moved by the slider; masks and constants, too"() {
			const page = await live("live", "#step=1");
			const td = page.locator('[data-card=B] td[data-i="5"]'),
				{ x, y } = await td.boundingBox(),
				before = await lossNow(page);
			await page.mouse.move(x + 10, y + 10);
			await page.mouse.down();
			await page.mouse.move(x + 90, y + 10, { steps: 4 });
			await page.mouse.up();
			await settled(page);
			assert.equal(await text(page, "#touch-name"), "w1[0, 5]");
			const dragged = await lossNow(page);
			assert.notEqual(dragged, before);
			await page.keyboard.press("Escape");
			await page.locator('[data-card=A] td[data-i="1"]').focus();
			await page.keyboard.type("2");
			assert.equal(await text(page, "#touch-name"), "x[0, 1]");
			assert.equal(await page.inputValue("#touch-number"), "2");
			await settled(page);
			assert.equal(await page.locator("[data-card=A] td.moved").count(), 1);
			assert.notEqual(await lossNow(page), dragged);
			await page.waitForFunction(
				() =>
					document.querySelector("#curve polyline").getAttribute("points").split(" ").length === 41,
			);
			await page.fill("#search", "dropout_mask");
			await page.click("[data-card=Y] td.s-p4");
			const slider = page.locator("#touch-slider"),
				kept = await lossNow(page);
			await slider.focus();
			await page.keyboard.press("Home");
			await settled(page);
			assert.equal(await page.inputValue("#touch-number"), "0");
			assert.match(await slopes(page), /requires no gradient/);
			await page.keyboard.press("End");
			await settled(page);
			assert.equal(await lossNow(page), kept);
			await shut(page);
		},

		async "live: the slider reaches twice as far as a number is large, at least 1, to either side; 200 pixels of the mouse are half of that"() {
			const page = await live("live", "#step=1"),
				td = (card, i) => page.locator(`[data-card=${card}] td[data-i="${i}"]`);
			const reach = () =>
				page.evaluate(() =>
					["min", "max", "value"].map(of => Number(document.getElementById("touch-slider")[of])),
				);
			const near = (a, b) =>
				a.every((x, k) => Math.abs(x - b[k]) <= 1e-5 * Math.max(1, Math.abs(b[k])));
			for (const x of [-3, 0.25, -0.25, 4]) {
				await td("B", 5).click(), await set(page, String(x));
				await td("B", 6).click(), await td("B", 5).click();
				const span = Math.max(1, 2 * Math.abs(x)),
					{ x: left, y } = await td("B", 5).boundingBox();
				let [low, high, at] = await reach();
				assert.ok(
					near([low, high], [x - span, x + span]) && Math.abs(at - x) <= span / 200,
					`${x}: ${[low, high, at]}`,
				);
				assert.equal(await page.getAttribute("#touch-slider", "aria-label"), "w1[0, 5]");
				assert.equal(number(await page.getAttribute("#touch-slider", "aria-valuetext")), x);
				await page.mouse.move(left + 10, y + 8), await page.mouse.down();
				await page.mouse.move(left + 12, y + 8), await settled(page);
				assert.equal(number(await page.inputValue("#touch-number")), x, "two pixels are no pull");
				await page.mouse.move(left + 60, y + 8, { steps: 3 }), await page.mouse.up();
				await settled(page);
				const pulled = number(await page.inputValue("#touch-number"));
				assert.ok(Math.abs(pulled - (x + (50 / 200) * span)) < 1e-4 * span, `${x}: ${pulled}`);
				await page.mouse.move(left + 100, y + 8), await settled(page);
				assert.equal(
					number(await page.inputValue("#touch-number")),
					pulled,
					"where it was let go it stays",
				);
				await set(page, "-70");
				assert.equal((await reach())[0], -70, "what is typed beyond its end moves the end");
				await page.keyboard.press("Escape");
			}
			await shut(page);
		},

		async "live: the curve has the losses that the numbers along it give, its dot and tangent are this number's"() {
			const page = await live("live", "#step=1&cell=w1[2,3]"),
				W = 280,
				name = "w1[2, 3]";
			const drawn = () =>
				page.evaluate(() => {
					const svg = document.querySelector("#curve svg"),
						of = (one, ...names) => names.map(name => Number(one.getAttribute(name)));
					return {
						points: svg
							.querySelector("polyline")
							.getAttribute("points")
							.split(" ")
							.map(point => point.split(",").map(Number)),
						dot: of(svg.querySelector("circle"), "cx", "cy"),
						tangent: of(svg.querySelector("line"), "x1", "y1", "x2", "y2"),
						below: [...document.querySelectorAll("#curve .below span")].map(one => one.textContent),
					};
				});
			for (const x of [1.25, -2]) {
				await set(page, String(x));
				await page.locator("[data-card=B] td[data-i='20']").click(),
					await page.locator("[data-card=B] td[data-i='19']").click();
				await page.waitForFunction(
					() =>
						document.querySelector("#curve polyline").getAttribute("points").split(" ").length ===
						41,
				);
				const span = 2 * Math.abs(x),
					{ points, dot, tangent, below } = await drawn(),
					losses = [];
				assert.doesNotMatch(await text(page, "#curve"), /[Ss]till computing/, "all of it is there");
				assert.ok(
					below[1] === name &&
						Math.abs(number(below[0]) - (x - span)) < 0.01 * span &&
						Math.abs(number(below[2]) - (x + span)) < 0.01 * span,
					below.join(),
				);
				for (const k of [0, 11, 20, 29, 40]) {
					await set(page, String(x - span + (span * k) / 20));
					losses.push([k, await lossNow(page)]);
				}
				await set(page, String(x));
				// Higher is more, straight: the scale is that between the two that are farthest apart.
				losses.sort(([, a], [, b]) => a - b);
				const [[low, least], [high, most]] = [losses[0], losses.at(-1)],
					pixels = (points[low][1] - points[high][1]) / (most - least),
					y = loss => points[low][1] - (loss - least) * pixels;
				assert.ok(
					pixels > 0 &&
						points.every(([, at]) => at >= 7.9 && at <= 102.1) &&
						Math.min(...points.map(([, at]) => at)) < 8.1 &&
						Math.max(...points.map(([, at]) => at)) > 101.9,
				);
				points.forEach(([at], k) => assert.ok(Math.abs(at - (W * k) / 40) < 0.06, `${k}: ${at}`));
				for (const [k, loss] of losses)
					assert.ok(
						Math.abs(points[k][1] - y(loss)) < 0.01 * Math.abs(pixels) * (most - least) + 0.2,
						`${k}: ${points[k]}, ${y(loss)}`,
					);
				assert.ok(
					Math.abs(dot[0] - W / 2) < 0.1 && Math.abs(dot[1] - y(await lossNow(page))) < 1,
					dot.join(),
				);
				const [x1, y1, x2, y2] = tangent,
					g = number((await slopes(page)).match(/backward (\S+),/)[1]);
				assert.ok(
					Math.abs((x1 + x2) / 2 - dot[0]) < 0.1 &&
						Math.abs((y1 + y2) / 2 - dot[1]) < 0.1 &&
						Math.abs(x2 - x1 - 0.4 * W) < 0.2,
					tangent.join(),
				);
				const rise = (g * pixels * 2 * span) / W;
				assert.ok(
					Math.abs((y1 - y2) / (x2 - x1) - rise) < 0.02 * Math.abs(rise) + 2e-3,
					`${(y1 - y2) / (x2 - x1)}, ${rise}`,
				);
			}
			await shut(page);
		},

		async "live: the difference that checks a gradient is the engine's, also after a change"() {
			const page = await live("live", "#step=1&cell=w1[2,3]");
			await set(page, "1.5");
			await page.click("#turn");
			for (const i of [19, 0, 25]) {
				await page.click(`[data-card=dB] td[data-i="${i}"]`);
				await page.click("#why summary");
				const said = await text(page, "#why details p"),
					[, d, g] = said.match(/2h = (\S+): .*just computed.* gradient is (\S+)\./).map(number);
				assert.ok(Math.abs(d - g) <= 0.02 * Math.abs(g) + 1e-3, said);
				assert.ok(close((await text(page, "#why .sum")).split("= ").at(-1), g), said);
			}
			await shut(page);
		},

		async "live: numbers that were recorded otherwise than the engine computes are counted, NaN as NaN, and how far they are said"() {
			const html = fs.readFileSync(`${pages}/live.html`, "utf8"),
				tape = tapeIn(html);
			const times = new Map(),
				differ = () => tape.values.reduce((n, { value }) => n + (times.get(value) ?? 0), 0); // equal tensors are one array
			const change = (of, k, to) => {
				// as other kernels would have recorded it
				const at = tape.values[of].value,
					array = tape.arrays[at],
					all = new Float32Array(new Uint8Array(Buffer.from(array.v, "base64")).buffer),
					largest = Math.max(...all.map(Math.abs));
				times.set(at, (times.get(at) ?? 0) + 1),
					(all[k] = to(all[k], largest)),
					(array.v = Buffer.from(all.buffer).toString("base64"));
			};
			const out = k => tape.ops[k].out,
				write = () => fs.writeFileSync(`${pages}/live_apart.html`, withTape(html, tape));
			change(out(0), 2, (x, largest) => x + largest / 1000),
				change(out(0), 5, (x, largest) => x - largest / 4000),
				change(out(1), 0, (x, largest) => x + largest / 5000);
			write();
			let page = await live("live_apart", "#step=1"),
				said = await text(page, "#apart");
			const all = tape.values.reduce(
				(sum, { value }) => sum + Buffer.from(tape.arrays[value].v, "base64").length / 4,
				0,
			);
			assert.match(said, new RegExp(`^${differ()} of ${all} recorded numbers differ`));
			assert.ok(Math.abs(number(said.match(/at most (\S+) of/)[1]) - 0.001) < 2e-4, said);
			assert.equal(await page.locator("td.moved").count(), 0, "what is shown is the engine's");
			await shut(page);
			change(out(2), 1, () => NaN), write();
			(page = await live("live_apart", "#step=1")), (said = await text(page, "#apart"));
			assert.match(said, new RegExp(`^${differ()} of .*at most NaN of`));
			await shut(page);
			for (const same of ["live", "live_wide"])
				assert.equal(await (page = await live(same, "#step=1")).locator("#apart").count(), 0, same),
					await shut(page);
		},

		async "live: the policy allows WebAssembly, and nothing else more"() {
			const policy = name =>
				fs
					.readFileSync(`${pages}/${name}.html`, "utf8")
					.match(/Security-Policy"\s+content="([^"]*)"/)[1];
			assert.equal(
				policy("ffn"),
				"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
			);
			for (const name of ["live", "playground"])
				assert.equal(policy(name), policy("ffn") + " 'wasm-unsafe-eval'; worker-src blob:");
		},

		async "live: what the engine refuses is said, and nothing changes"() {
			const page = await live("live_examples", "#step=1");
			const { ops } = await tapeOf(page);
			await toStep(
				page,
				ops.findIndex(({ op }) => op === "embedding"),
			);
			await page.click("[data-card=ids] td[data-i='0']");
			const before = await text(page, "#outcome");
			await set(page, "77");
			assert.match(await text(page, "#touch-problem"), /77/);
			assert.equal(await text(page, "#outcome"), before);
			await set(page, "2");
			assert.equal(await text(page, "#touch-problem"), "");
			const loss = await lossNow(page);
			await set(page, "77");
			await page.click("#sgd");
			await settled(page);
			assert.equal(await text(page, "#touch-problem"), "");
			assert.notEqual(await lossNow(page), loss, "a step after what was refused");
			const stands = await text(page, "[data-card=ids] td[data-i='0']");
			await page.evaluate(() => {
				// typed within one frame
				const box = document.getElementById("touch-number");
				for (const typed of ["7", "77", "777"]) {
					box.value = typed;
					box.dispatchEvent(new Event("input"));
				}
			});
			await settled(page);
			assert.match(await text(page, "#touch-problem"), /777/);
			assert.equal(
				await text(page, "[data-card=ids] td[data-i='0']"),
				stands,
				"what stood there before the first of them",
			);
			await page.click("#sgd");
			await settled(page);
			assert.equal(await text(page, "#touch-problem"), "", "nor does a later step meet them");
			await shut(page);
		},

		async "a tape that cannot be live says why, and is a page as ever"() {
			const page = await open("not_live", "#step=1");
			assert.match(
				await text(page, "#notice"),
				/not live: (#\d+ checkpoint cannot be recomputed|there is no engine)/,
			);
			assert.ok(!(await page.isVisible("#bench")));
			await shut(page);
		},
	};
};
