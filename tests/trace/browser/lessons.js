// Lessons beside the page, and the present view.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { ran, script, tapeIn, withTape } = require("../scripts.js");

module.exports = ({ open, shut, text, sum, pages, site }) => {
	const course = JSON.parse(
		fs.readFileSync(`${pages}/index.html`, "utf8").match(/id="pages">(.*?)<\/script>/s)[1],
	);
	const number = text => Number(text.replaceAll("−", "-"));
	// With its engine, if it has one.
	const alive = async (...which) => {
		const page = await open(...which);
		if (await page.locator("#engine").count())
			await page.waitForFunction(() => document.documentElement.dataset.live);
		return page;
	};
	const choose = async (page, button) => {
		// and what a live page then asks to be changed
		await button.click();
		const tries = page.locator("#lesson .try");
		if (await tries.count())
			await tries.click(),
				await page.waitForFunction(() => !document.querySelector("#lesson .try"));
	};
	// A page with another lesson.
	const written = (name, lesson, ...how) => {
		const html = fs.readFileSync(`${pages}/${name}.html`, "utf8");
		fs.writeFileSync(`${pages}/written.html`, withTape(html, { ...tapeIn(html), lesson }));
		return alive("written", ...how);
	};
	return {
		async "each lesson leads to what it speaks of"() {
			for (const { name } of course.pages) {
				const page = await alive(name, "", { viewport: { width: 1400, height: 900 } });
				await page.click("#lesson-start");
				const total = Number((await text(page, "#lesson nav span")).split("/")[1]);
				assert.ok(total >= 5);
				let changed = 0;
				for (let at = 1; at <= total; ++at) {
					for (const link of await page.locator("#lesson .link").all()) {
						await page.evaluate(() => {
							document.getElementById("title").textContent = "";
							document.getElementById("path").hidden = true;
						});
						await link.click();
						assert.ok(
							(await text(page, "#title")) || (await page.isVisible("#path")),
							`${name} ${at}: ${await link.textContent()}`,
						);
					}
					for (const question of await page.locator("#lesson .question").all()) {
						const options = await question.locator(".ways button").count();
						const said = [];
						for (let i = 0; i < options; ++i) {
							await choose(page, question.locator(".ways button").nth(i));
							changed += await question.locator(".was").count();
							said.push(await question.locator(".answer .right").count());
						}
						assert.equal(
							said.reduce((a, b) => a + b, 0),
							1,
							`${name} ${at}: one answer is right`,
						);
					}
					if (at < total) await page.click("#lesson-next");
				}
				if (await page.locator("#engine").count())
					assert.ok(changed >= 1, `${name}: nothing is changed`);
				await page.screenshot({ path: `${pages}/lesson-${name}.png` });
				await shut(page);
			}
		},

		async "a lesson asks and decides alike in three languages"() {
			const parse = await ran(
				'const location = { hash: "" };' + script("lesson") + "; return parseLesson;",
			);
			const links = text => text.match(/\]\(<?[^)>]*/g),
				begin = ({ text, mark }) =>
					mark + (mark === "=" ? text.match(/^[−\d.∞NaN]*\d|^∞|^NaN/) : "");
			for (const { name } of course.pages) {
				const [en, ...others] = ["en", "ko", "zh"].map(language =>
					parse(
						tapeIn(fs.readFileSync(`${pages}/${name}.html`, "utf8")).lesson[language],
					).steps.map(({ heading, parts }) => [
						links(heading),
						...parts
							.slice(0, -1)
							.map(({ question, options, touch, equals, code }) =>
								question ? [options.map(begin), touch, equals] : code,
							),
					]),
				);
				for (const other of others) assert.deepEqual(other, en, name);
			}
		},

		async "the numbers that lessons speak of are those on the page"() {
			const on = async (name, target) => {
				const page = await open(name, "#step=1");
				await page.fill("#search", target);
				const said = await sum(page);
				await shut(page);
				return said;
			};
			assert.match(await on("one_number", "w.grad[]"), /= 2$/);
			assert.match(await on("one_number", "x.grad[]"), /= 3$/);
			assert.match(await on("zero_grad", "w.grad[0]"), /= 3$/);
			assert.match(await on("zero_grad", "sum w.grad[0]"), /3 \+ 3 = 6$/);
			assert.match(await on("dropout_and_relu", "x.grad[0, 1]"), /= 0$/);
		},

		async "live: a number of the page decides, and a lesson has a goal, code and links to other pages"() {
			const page = await written(
				"one_number",
				{
					en: "# L\n\nGoal: see.\nrows: a b\n```\n## y = w * x;\n```\n\n## One\n```cpp\n? x = 1;\n```\n? w's gradient?\n! x[] 2.5\n= w.grad[]\n- [=] 2\n- [=] 2.5, as x is\n- [=] 25\n[On](next.html) [All](index.html)\n",
				},
				"#lesson=1",
			);
			assert.equal(await text(page, "#lesson .lead"), "Goal: see.");
			assert.deepEqual(await page.locator("#lesson pre").allTextContents(), [
				"## y = w * x;",
				"? x = 1;",
			]);
			assert.equal(await page.getAttribute("#lesson a", "href"), "next.html#done=written&lang=en");
			for (const [option, right] of [
				["2", 0],
				["2.5, as x is", 1],
				["25", 0],
			]) {
				await choose(page, page.locator(`#lesson .ways button:text-is('${option}')`));
				assert.equal(await page.locator("#lesson .right").count(), right, option);
			}
			await shut(page);
		},

		async "a teacher's own lesson stands beside the page, and its address opens it"() {
			const page = await open("own_lesson");
			await page.click("#lesson-start");
			assert.match(await text(page, "#lesson"), /Mine.*Look <here>/s);
			assert.match(await sum(page), /^Y\[0, 1\] = /);
			await page.goto(`${site}/own_lesson.html#lesson=3`);
			assert.match(await text(page, "#lesson h2"), /Third/);
			await page.click("#lesson-close");
			assert.ok(!(await page.isVisible("#lesson")));
			await shut(page);
		},

		async "live: a lesson's number is changed once its way is predicted, and is put back by the next step"() {
			for (const [name, step, right, was, is] of [
				["one_number", 4, "Up by 1", 6, 7],
				["dropout_and_relu", 3, "It stays", null, null],
				["zero_grad", 4, "14", 11, 14],
			]) {
				const page = await alive(name, "#lesson=" + step),
					before = await text(page, "#outcome");
				await page.click(`#lesson .ways button:text-is('${right}')`);
				assert.equal(
					await page.locator("#lesson :is(.right, .wrong)").count(),
					0,
					"first it is changed",
				);
				await page.click("#lesson .try");
				await page.waitForSelector("#lesson .right");
				const said = await text(page, "#lesson .was");
				const [, from, to] = said.match(/was (\S+), is (\S+)/).map(number);
				was === null ? assert.equal(from, to, said) : assert.deepEqual([from, to], [was, is], said);
				await page.click("#lesson-next");
				assert.equal(await text(page, "#outcome"), before);
				await shut(page);
			}
		},

		async "live: a step of training neither answers a lesson's question nor is undone by the next step"() {
			const page = await alive("one_number", "#lesson=4"),
				loss = () => text(page, "#outcome").then(said => said.split(" ").at(-1));
			await page.click("#lesson .ways button:text-is('Up by 1')");
			await page.click("#sgd");
			assert.equal(
				await page.locator("#lesson :is(.was, .right, .wrong, .try)").count(),
				0,
				"one predicts anew",
			);
			await page.click("#lesson .ways button:text-is('Up by 1')");
			await page.click("#lesson .try");
			await page.waitForSelector("#lesson .right");
			await page.click("#sgd");
			const trained = await loss();
			await page.click("#lesson-next");
			assert.equal(await loss(), trained);
			await shut(page);
		},

		async "live: what a lesson has changed is put back though another number was changed since, and the next change begins there"() {
			const page = await alive("one_number", "#lesson=4"),
				loss = () => text(page, "#outcome").then(said => said.split(" ").at(-1));
			const tryIt = async () => {
				await page.click("#lesson .ways button:text-is('Up by 1')");
				await page.click("#lesson .try");
				await page.waitForSelector("#lesson .right");
				await page.keyboard.press("Escape");
				await page.click("[data-card=B] td[data-i='0']");
			};
			await tryIt();
			await page.click("#lesson-open"); // which closes it: w is 3 again
			assert.equal(await loss(), "6");
			await page.fill("#touch-number", "4");
			await page.waitForFunction(() =>
				document.getElementById("outcome").textContent.endsWith("12"),
			);
			assert.deepEqual(
				(await text(page, "#compared"))
					.match(/by (\S+); it moved by (\S+)/)
					.slice(1)
					.map(x => parseFloat(x)),
				[6, 6],
			);
			await page.fill("#touch-number", "2");
			await page.click("#lesson-open");
			await tryIt();
			await page.fill("#touch-number", "4");
			await page.click("#lesson-next");
			assert.equal(await loss(), "12");
			await shut(page);
		},

		async "live: a change by hand answers, too; and the sign of the gradient says which way"() {
			const page = await alive("feed_forward", "#lesson=6"),
				sign = (await sum(page)).includes("= −") ? "Down" : "Up";
			await page.click(`#lesson .ways button:text-is('${sign}')`);
			await page.fill(
				"#touch-number",
				String(Number(await page.inputValue("#touch-number")) + 0.05),
			);
			await page.waitForSelector("#lesson .right");
			const [, from, to] = (await text(page, "#lesson .was"))
				.match(/was (\S+), is (\S+)/)
				.map(number);
			assert.equal(to > from ? "Up" : "Down", sign);
			await shut(page);
		},

		async "live: the number of the page's question is changed as far as the loss can show"() {
			const page = await alive("live_fine", "#lesson=4"); // 0.1 times 1e-4 is lost in 1000, 1 is as far as one goes
			await page.click("#lesson .ways button >> nth=0");
			assert.equal(await text(page, "#lesson .try"), "Now try it: t[0] = 2");
			await page.click("#lesson .try");
			await page.waitForSelector("#lesson :is(.right, .wrong)");
			const [from, to] = (await text(page, "#lesson .was"))
				.match(/was (\S+), is (\S+)/)
				.slice(1)
				.map(number);
			assert.ok(Math.abs(to - from - 1e-4) < 7e-5, `${from}, ${to}`);
			await shut(page);
		},

		async "live: another change than the one asked for answers nothing"() {
			for (const [name, step, right, others] of [
				["one_number", 4, "Up by 1", ["3.25", "2.5", "4"]],
				["feed_forward", 6, null, null],
			]) {
				const page = await alive(name, "#lesson=" + step);
				await page.click(
					right ? `#lesson .ways button:text-is('${right}')` : "#lesson .ways button >> nth=0",
				);
				const x = Number(await page.inputValue("#touch-number"));
				for (const other of others ?? [x - 0.05, x - 1].map(String)) {
					const before = await text(page, "#outcome");
					await page.fill("#touch-number", other);
					await page.waitForFunction(
						before => document.getElementById("outcome").textContent !== before,
						before,
					);
					assert.equal(
						await page.locator("#lesson :is(.right, .wrong, .was)").count(),
						0,
						`${name}: ${other}`,
					);
					assert.equal(await page.locator("#lesson .try").count(), 1);
				}
				await page.click("#lesson .try");
				await page.waitForSelector("#lesson :is(.right, .wrong)");
				await shut(page);
			}
		},

		async "where a hook has changed the gradient, neither a lesson nor the path judges by it"() {
			const page = await open("claims-hook", "#lesson=4");
			await page.click("#lesson .ways button >> nth=0");
			assert.equal(await page.locator("#lesson :is(.right, .wrong)").count(), 0);
			assert.match(await text(page, "#lesson .answer"), /^A hook has changed gradients/);
			await page.goto(`${site}/claims-hook.html#lesson=3`);
			await page.waitForSelector("#path:not([hidden])");
			assert.match(
				await text(page, "#path"),
				/the products of slopes may not add up to the gradient/,
			);
			await shut(page);
		},

		async "on a phone a lesson stands where one looks, at each of its steps"() {
			const page = await open("ffn", "#lesson=1", {
				viewport: { width: 390, height: 844 },
				hasTouch: true,
				isMobile: true,
			});
			for (let step = 1; step < 4; ++step) {
				await page.waitForFunction(() => {
					const { top } = document.querySelector("#lesson h2").getBoundingClientRect();
					return top >= 0 && top < 500;
				});
				await page.evaluate(() => document.getElementById("lesson-next").click());
			}
			await shut(page);
		},

		async "the first screen is printed as it stands"() {
			const page = await open("ffn");
			await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
			await page.emulateMedia({ media: "print" });
			assert.ok((await page.innerText("#handout")).length > 100);
			await shut(page);
		},

		async "a recorded page answers by the sign of the gradient at once"() {
			const page = await open("own_lesson", "#lesson=2");
			for (const [option, verdict] of [
				["Up", ".right"],
				["Down", ".wrong"],
			]) {
				await page.click(`#lesson .ways button:text-is('${option}')`);
				assert.equal(await page.locator("#lesson " + verdict).count(), 1, option);
			}
			assert.match(await text(page, "#lesson .answer"), /Twice as much/);
			await shut(page);
		},

		async "a lesson is in the reader's language, else in English, else in the first that there is"() {
			for (const [given, locale, said] of [
				[{ en: "Hello", ko: "안녕", zh: "你好" }, "ko-KR", "안녕"],
				[{ zh: "你好", en: "Hello" }, "zh-CN", "你好"],
				[{ zh: "你好", en: "Hello" }, "ko-KR", "Hello"],
				[{ zh: "你好" }, "ko-KR", "你好"],
				[{ "": "Mine" }, "ko-KR", "Mine"],
			]) {
				const page = await written(
					"own_lesson",
					Object.fromEntries(
						Object.entries(given).map(([tag, word]) => [tag, `# L\n\n## ${word}\nText.\n`]),
					),
					"#lesson=1",
					{ locale },
				);
				assert.equal(await text(page, "#lesson h2"), said, locale);
				await shut(page);
			}
		},

		async "live: a question is judged by what the loss did, whether it was to rise, to fall or to stay"() {
			for (const [name, touch, right, to] of [
				["one_number", "w[] -0.5", "Down", "w = 2.5"],
				["one_number", "w[] +0.5", "Up", "w = 3.5"],
				["one_number", "w[] 1", "Down", "w = 1"],
				["dropout_and_relu", "x[0, 1] +1", "Stays", null],
			]) {
				const page = await written(
					name,
					{ en: `# L\n\n## One\n? What now?\n- [+] Up\n- [-] Down\n- [0] Stays\n! ${touch}\n` },
					"#lesson=1",
				);
				if (!(await page.locator("#engine").count())) return void (await shut(page));
				for (const option of ["Up", "Down", "Stays"]) {
					await page.click("#reset");
					await page.click(`#lesson .ways button:text-is('${option}')`);
					if (to) assert.ok((await text(page, "#lesson .try")).endsWith(to), touch);
					await page.click("#lesson .try");
					await page.waitForSelector("#lesson :is(.right, .wrong)");
					assert.equal(
						await page.locator("#lesson .right").count(),
						+(option === right),
						`${touch}: ${option}`,
					);
				}
				await shut(page);
			}
		},

		async "a presenter shows one product a screen, and goes on by a presenter's keys"() {
			const page = await alive("feed_forward", "#lesson=5");
			await page.click("#present");
			assert.ok(!(await page.isVisible("#left")));
			assert.equal(
				await page.evaluate(
					() =>
						[...document.querySelectorAll("#cards .card")].filter(card => card.offsetParent).length,
				),
				3,
			);
			const size = await page.evaluate(() =>
				parseFloat(getComputedStyle(document.querySelector("#why .sum")).fontSize),
			);
			assert.ok(size >= 20);
			await page.screenshot({ path: `${pages}/present.png` });
			await page.evaluate(() => document.activeElement.blur());
			await page.keyboard.press("PageDown");
			assert.match(await text(page, "#lesson h2"), /Change w1/);
			await page.keyboard.press("PageUp");
			assert.match(await text(page, "#lesson h2"), /w1/);
			await page.keyboard.press("b");
			assert.ok(!(await page.isVisible("#step")));
			await page.keyboard.press("b");
			await page.keyboard.press("Escape");
			assert.ok(await page.isVisible("#left"));
			await shut(page);
		},

		async "paper has the sum that is held, a step a page"() {
			const page = await open("ffn", "#step=24&cell=w1.grad[2,3]", { colorScheme: "dark" });
			await page.click("#pin");
			await page.goto(`${site}/ffn.html#step=9`);
			await page.click("#pin");
			await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
			await page.emulateMedia({ media: "print" });
			assert.equal(await page.locator("#handout > *").count(), 2);
			assert.ok((await page.isVisible("#handout")) && !(await page.isVisible("main")));
			assert.match(await text(page, "#handout > :first-child .printed-title"), /^Forward 9 /);
			assert.match(await text(page, "#handout > :last-child .printed-why"), /dB\[2, 3\] = /);
			const pdf = await page.pdf({ preferCSSPageSize: true });
			fs.writeFileSync(pages + "/handout.pdf", pdf);
			await page.screenshot({ path: pages + "/print.png" });
			const [r] = await page.evaluate(() =>
				getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number),
			);
			assert.ok(r > 200, "light");
			await page.context().close();
		},
	};
};
