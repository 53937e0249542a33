// Lessons beside the page, and the present view.
"use strict";
const assert = require("node:assert/strict");
const { script, ran, tapeIn, withTape, idIn } = require("../scripts.js");
const {
	test,
	open,
	onPhone,
	td,
	number,
	pages,
	live,
	near,
	read,
	write,
} = require("../browser_test.js");

const course = JSON.parse(idIn(read("index.html"), "pages"));
// With its engine, if it has one.
const alive = async (...which) => {
	const page = await open(...which);
	if (await page.count("#engine")) await page.is("live");
	return page;
};
const predict = (page, said) => page.click(`#lesson .ways button:text-is('${said}')`);
const verdicts = page => page.count("#lesson :is(.right, .wrong)");
const tryIt = async page => {
	await page.click("#lesson .try");
	await page.waitForSelector("#lesson :is(.right, .wrong)");
};
// What the loss was, and is.
const losses = async page =>
	(await page.text("#lesson .was"))
		.match(/was (\S+), is (\S+)/)
		.slice(1)
		.map(number);
// A page with another lesson.
const written = (name, lesson, ...how) => {
	const html = read(`${name}.html`);
	write("written.html", withTape(html, { ...tapeIn(html), lesson }));
	return alive("written", ...how);
};

test("each lesson leads to what it speaks of", async () => {
	for (const { name } of course.pages) {
		const page = await alive(name, "", { viewport: { width: 1400, height: 900 } });
		await page.click("#lesson-start");
		const total = Number((await page.text("#lesson nav span")).split("/")[1]);
		assert.ok(total >= 5);
		let changed = 0;
		for (let at = 1; at <= total; ++at) {
			await page.has("#lesson .lead", +(at === 1), "the goal");
			for (const link of await page.locator("#lesson .link").all()) {
				await page.click("#home");
				await link.click();
				assert.ok(
					(await page.isVisible("#step")) || (await page.isVisible("#path")),
					`${name} ${at}: ${await link.textContent()}`,
				);
			}
			for (const question of await page.locator("#lesson .question").all()) {
				let right = 0;
				for (const button of await question.locator(".ways button").all()) {
					await button.click();
					if (await page.count("#lesson .try")) await tryIt(page);
					changed += await question.locator(".was").count();
					right += await question.locator(".answer .right").count();
				}
				assert.equal(right, 1, `${name} ${at}: one answer is right`);
			}
			if (at < total) await page.click("#lesson-next");
		}
		if (await page.count("#engine")) assert.ok(changed >= 1, `${name}: nothing is changed`);
		await page.screenshot({ path: `${pages}/lesson-${name}.png` });
		await page.shut();
	}
});

test("the number that a lesson asks for is covered, with its sum, until an option is pressed", async () => {
	const page = await open("matmul", "#lesson=2", { locale: "en-US" });
	assert.equal(await page.text("#cards .covered"), "?");
	await page.says("#why", "Answer the lesson's question first.");
	await page.click("#cards .covered");
	await page.says("#why", "Answer the lesson's question first.");
	await predict(page, "9");
	await page.has("#cards .covered", 0);
	await page.says("#why", /21/);
	await page.click("#lesson-next"), await page.click("#lesson-back");
	await page.has("#cards .covered", 0, "an answered question covers nothing");
	await page.shut();
});

test("a page's first screen and title say which lesson it is, its goal and its minutes", async () => {
	const page = await open("matmul", "", { locale: "ko-KR" });
	await page.says("#start", /수업 3 \/ 9.*40분.*행렬 곱.*목표: /s);
	assert.match(await page.title(), /^행렬 곱/);
	await page.shut();
});

test("a lesson asks and decides alike in three languages, and says the number that it sets", async () => {
	const scripts = "words texts lesson".split(" ").map(script).join("\n"),
		parse = await ran(scripts + "; return parseLesson;");
	const links = text => text.match(/\]\(<?[^)>]*/g),
		numbers = text => (text.match(/(?<!\w)[−+]?\d+(\.\d+)?/g) ?? []).sort(),
		begin = ({ text, mark }) => [mark, ...numbers(text)];
	for (const { name } of course.pages) {
		const [en, ...others] = ["en", "ko", "zh"].map(language =>
			parse(tapeIn(read(`${name}.html`)).lesson[language]).steps.map(({ heading, parts }) => [
				links(heading),
				...parts.map(({ question, options, touch, equals, code, text }, i) => {
					if (!question) return code ?? links(text);
					const [, set] = touch?.match(/\] ([\d.]+)$/) ?? [],
						said = parts
							.slice(0, i + 1)
							.map(part => part.question ?? part.text ?? part.code.join());
					if (set)
						assert.ok(numbers(said.join(" ")).includes(set), `${name} ${language}: ${touch}`);
					return [numbers(question), options.map(begin), touch, equals];
				}),
			]),
		);
		for (const other of others) assert.deepEqual(other, en, name);
	}
});

test("live: a number of the page decides, and a lesson has a goal, code and links to other pages", async () => {
	const page = await written(
		"one_number",
		{
			en: "# L\n\nGoal: see.\nrows: a b\n```\n## y = w * x;\n```\n\n## One\n```cpp\n? x = 1;\n```\n? w's gradient?\n! x[] 2.5\n= w.grad[]\n- [=] 2\n- [=] 2.5, as x is\n- [=] 25\n[On](next.html) [All](index.html)\n",
		},
		"#lesson=1",
	);
	await page.says("#lesson .lead", "Goal: see.");
	assert.deepEqual(await page.locator("#lesson pre").allTextContents(), [
		"## y = w * x;",
		"? x = 1;",
	]);
	assert.equal(
		await page.getAttribute("#lesson a", "href"),
		"next.html#lang=en",
		"not read before it is answered",
	);
	for (const [option, right] of [
		["2", 0],
		["2.5, as x is", 1],
		["25", 0],
	]) {
		await predict(page, option), await tryIt(page);
		await page.has("#lesson .right", right, option);
	}
});

test("a teacher's own lesson stands beside the page, and its address opens it", async () => {
	const page = await open("own_lesson");
	await page.click("#lesson-start");
	await page.says("#lesson", /Mine.*Look <here>/s);
	assert.match(await page.sum(), /^Y\[0, 1\] = /);
	await page.to("#lesson=3");
	await page.says("#lesson h2", /Third/);
	await page.click("#lesson-close");
	assert.ok(!(await page.isVisible("#lesson")));
	await page.click("#lesson-open"), await page.reloaded();
	await page.says("#lesson h2", /Third/, "opened again, and by its address");
	await page.fill("#search", "#2 sum");
	for (const [go, step] of [
		[() => page.to(-1), 1],
		[() => page.to(1), 2],
		[() => page.reloaded(), 2],
	]) {
		await go(), await page.says("#lesson h2", /Third/);
		assert.equal(await page.inputValue("#slider"), String(step - 1));
	}
});

test("live: a step of training neither answers a lesson's question nor is undone by the next step", async () => {
	const page = await live("one_number", "#lesson=4");
	await predict(page, "Up by 1");
	await page.clicked("#sgd");
	await page.has("#lesson :is(.was, .right, .wrong, .try)", 0, "one predicts anew");
	await predict(page, "Up by 1"), await tryIt(page);
	await page.clicked("#sgd");
	const trained = await page.loss();
	await page.click("#lesson-next");
	assert.equal(await page.loss(), trained);
});

// Of w·x, 3·2, a lesson asks for w = 3.5.
test("live: however a lesson is left, it puts back the number that it asked to change, and what the reader moved stays", async () => {
	const page = await live("one_number", "#lesson=4"),
		tries = async () => (await predict(page, "Up by 1"), await tryIt(page));
	const deeds = [
		[6, tries],
		[6, () => predict(page, "Up by 1").then(() => page.set("3.5"))], // the answer, by hand
		[8, () => page.set("4").then(tries)], // from where it was moved to before
		[8, () => predict(page, "Up by 1").then(() => page.set("4"))], // no answer
		[10, () => tries().then(() => page.set("5"))],
		[
			12,
			async () => {
				await tries(), await page.keyboard.press("Escape");
				await page.click(td("B", 0)), await page.set("4");
			},
		],
	];
	for (const leaves of [
		() => page.click("#lesson-next"),
		() => page.click("#lesson-back"),
		() => page.click("#lesson-close"),
		() => page.click("#lesson-open"),
		() => page.to("#lesson=1"),
		async () => {
			for (const language of ["ko", "en"]) await page.selectOption("#language", language);
		},
	])
		for (const [loss, deed] of deeds) {
			await page.to("#lesson=4");
			await page.click("#reset");
			await deed(), await leaves(), await page.settled();
			assert.equal(await page.loss(), loss, `${deed}, ${leaves}`);
			if (loss !== 12 || !/close|open/.test(leaves)) continue;
			await page.set("5"); // which begins at w = 3, x = 4
			assert.deepEqual(await page.moves(), [3, 3]);
		}
});

test("an option is right that begins with a number as the page shows it, in as many digits", async () => {
	const reads = await ran(script("data") + script("lesson") + "; return reads;", {
		values: [],
		ops: [],
		backward: [],
		arrays: [],
	});
	for (const [x, right, wrong] of [
		[0.254, "0.25, as x is", "0.26"],
		[-2, "−2", "2"],
		[0, "0", "0.1"],
		[NaN, "NaN everywhere", "0"],
		[Infinity, "∞", "−∞"],
		[-Infinity, "−∞", "∞"],
		[1.234e-7, "1.2e−7 or so", "1.3e−7"],
		[-1.234e-7, "−1.23e−7", "1.23e−7"],
		[3.4e38, "3.4e38", "3.4e37"],
	])
		assert.deepEqual([reads(right, x), reads(wrong, x)], [true, false], String(x));
});

test("live: the number of the page's question is changed as far as the loss can show", async () => {
	const page = await live("live_fine", "#lesson=4"); // 0.1 times 1e-4 is lost in 1000, 1 is as far as one goes
	await page.click("#lesson .ways button >> nth=0");
	await page.says("#lesson .try", "Now try it: t[0] = 2");
	await tryIt(page);
	const [from, to] = await losses(page);
	near(to - from, 1e-4, 0, 7e-5);
});

test("live: another change than the one asked for answers nothing; that one does, also by hand", async () => {
	for (const [name, step, others, right] of [
		["one_number", 4, [0.25, -0.5, 1], 0.5],
		["feed_forward", 6, [-0.05, -1], 0.05],
	]) {
		const page = await live(name, "#lesson=" + step),
			x = Number(await page.inputValue("#touch-number")),
			says = right < 0.5 ? ((await page.sum()).includes("= −") ? "falls" : "rises") : "Up by 1";
		await predict(page, says);
		for (const by of others) {
			await page.set(String(x + by));
			await page.has("#lesson :is(.right, .wrong, .was)", 0, `${name}: ${by}`);
			await page.has("#lesson .try", 1);
		}
		await page.set(String(x + right));
		await page.has("#lesson .right", 1);
		const [from, to] = await losses(page);
		assert.match(says, to > from ? /rises|Up/ : /falls/);
	}
});

test("where a hook has changed the gradient, neither a lesson nor the path judges by it", async () => {
	const page = await open("claims-hook", "#lesson=4");
	await page.click("#lesson .ways button >> nth=0");
	assert.equal(await verdicts(page), 0);
	await page.says("#lesson .answer", /^A hook has changed gradients/);
	await page.to("#lesson=3");
	await page.waitForSelector("#path:not([hidden])");
	await page.says("#path", /A hook has changed gradients on the path/);
});

test("on a phone a lesson stands where one looks, at each of its steps", async () => {
	const page = await open("ffn", "#lesson=1", onPhone);
	for (let step = 1; step < 4; ++step) {
		await page.waitForFunction(() => {
			const { top } = document.querySelector("#lesson h2").getBoundingClientRect();
			return top >= 0 && top < 500;
		});
		await page.evaluate(() => document.getElementById("lesson-next").click());
	}
});

test("a recorded page answers by the sign of the gradient at once", async () => {
	const page = await open("own_lesson", "#lesson=2");
	for (const [option, verdict] of [
		["Up", ".right"],
		["Down", ".wrong"],
	]) {
		await predict(page, option);
		assert.equal(await page.count("#lesson " + verdict), 1, option);
	}
	await page.says("#lesson .answer", /Twice as much/);
});

test("a lesson is in the reader's language, else in English, else in the first that there is", async () => {
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
		await page.says("#lesson h2", said, locale);
		await page.shut();
	}
});

test("another language is a lesson's, too: on the first screen, and beside a number that is held", async () => {
	const page = await open("matmul", "#lesson=3");
	const heading = () => page.text("#lesson h2"),
		before = await heading();
	await page.fill("#search", "w.grad[2, 0]"); // W's
	const said = await page.sum();
	assert.match(said, /= 21$/);
	await page.selectOption("#language", "ko");
	assert.notEqual(await heading(), before);
	assert.equal(await page.sum(), said);
	await page.click("#home");
	await page.selectOption("#language", "en");
	assert.equal(await heading(), before);
	assert.ok(await page.isVisible("#start"));
});

test("live: a question is judged by what the loss did once the number is changed, which the next step undoes", async () => {
	for (const [name, touch, right, to, moved] of [
		["one_number", "w[] -0.5", "Down", "w = 2.5", [6, 5]],
		["one_number", "w[] +0.5", "Up", "w = 3.5", [6, 7]],
		["one_number", "w[] 1", "Down", "w = 1", [6, 2]],
		["zero_grad", "w[0] +1", "Up", "w[0] = 2", [11, 14]],
		["dropout_and_relu", "x[0, 1] +1", "Stays", ""],
	]) {
		const asks = `? What now?\n- [+] Up\n- [-] Down\n- [0] Stays\n! ${touch}\n`,
			page = await written(name, { en: `# L\n\n## One\n${asks}\n## Two\nEnd.\n` }, "#lesson=1"),
			before = await page.text("#outcome");
		for (const option of ["Up", "Down", "Stays"]) {
			await page.click("#reset");
			await predict(page, option);
			assert.equal(await verdicts(page), 0, "first it is changed");
			assert.ok((await page.text("#lesson .try")).endsWith(to), touch);
			await tryIt(page);
			await page.has("#lesson .right", +(option === right), `${touch}: ${option}`);
			const [was, is] = await losses(page);
			assert.deepEqual([was, is], moved ?? [was, was]);
		}
		await page.click("#lesson-next");
		await page.says("#outcome", before);
		await page.shut();
	}
});
