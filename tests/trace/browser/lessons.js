// Lessons beside the page.
"use strict";
require("../browser_test.js");

const predict = (page, said) => page.click(`#lesson .ways button:text-is('${said}')`);
const verdicts = "#lesson :is(.right, .wrong)";
const tryIt = async page => {
	await page.click("#lesson .try");
	await page.waitForSelector(verdicts);
};
// A page with another lesson.
const written = (name, lesson, how, opened = open) => {
	const html = read(`${name}.html`);
	write("written.html", withTape(html, { ...tapeIn(html), lesson }));
	return opened("written", "#lesson=1", how);
};

test("the number that a lesson asks for is covered, with its sum, until an option is pressed", async () => {
	const page = await open("matmul", "#lesson=2", { locale: "en-US" });
	await page.says("#cards .covered", "?");
	await page.says("#why", "Answer the lesson's question first.");
	await page.click("#cards .covered");
	await page.says("#why", "Answer the lesson's question first.");
	await predict(page, "9");
	await page.has("#cards .covered", 0);
	await page.says("#why", /21/);
	await page.click("#lesson-next"), await page.click("#lesson-back");
	await page.has("#cards .covered", 0, "an answered question covers nothing");
	const other = await open("nan", "#lesson=1");
	await other.has("#cards .covered", 2, "with an equal number beside it");
	await other.sees("#outcome", false);
});

test("where the loss goes with a number is not said before an option is pressed", async () => {
	for (const [name, at, held] of [
		["tour", 4, "5.75"],
		["matmul", 5, "0"],
		["feed_forward", 6, "0.0395"],
	]) {
		const page = await open(name, "#lesson=" + at, { locale: "en-US" });
		await page.has("#why .meaning", 0, name);
		await page.says("#why .sum", new RegExp(held.replace(".", "[.]") + "\\d*$"));
		if (hasEngine) await page.sees("#curve", false);
		const others = page.locator("#cards .chosen td[data-i]:not(.looked)");
		await others.first().click(), await page.says("#why .meaning", /loss/, "another number");
		await page.to("#lesson=" + (at - 1)), await page.to("#lesson=" + at);
		await page.click("#lesson .ways button");
		await page.says("#why .meaning", /loss/);
		if (hasEngine) await page.sees("#curve", true);
	}
});

test("a lesson asks and decides alike in three languages, and says the number that it sets", async () => {
	const scripts = "words texts lesson".split(" ").map(script).join("\n"),
		parse = await ran(scripts + "; return parseLesson;");
	const links = text => text.match(/\]\(<?[^)>]*/g),
		numbers = text => (text.match(/(?<!\w)[−+]?\d+(\.\d+)?/g) ?? []).sort(),
		figures = text => [...new Set(numbers(text))].filter(x => !/^[−+]?[01]$/.test(x)), // these may be words
		begin = ({ text, mark }) => [mark, ...numbers(text)];
	for (const { name } of JSON.parse(idIn(read("index.html"), "pages")).pages) {
		const [en, ...others] = ["en", "ko", "zh"].map(language =>
			parse(tapeIn(read(`${name}.html`)).lesson[language]).steps.map(({ heading, parts }) => [
				[links(heading), figures(heading)],
				...parts.map(({ question, options, touch, equals, code, text, answer }, i) => {
					if (!question) return code ?? [links(text), figures(text)];
					const [, set] = touch?.match(/\] ([\d.]+)$/) ?? [],
						said = parts.slice(0, i + 1).map(one => one.question ?? one.text ?? one.code.join());
					if (set) ok(numbers(said.join(" ")).includes(set), `${name} ${language}: ${touch}`);
					return [numbers(question), options.map(begin), touch, equals, figures(answer.join(" "))];
				}),
			]),
		);
		for (const other of others) deepEqual(other, en, name);
	}
});

test("live: a number of the page decides; a lesson has a goal, code and links", async () => {
	const en =
		"# L\n\nGoal: see.\nrows: a b\n```\n## y = w * x;\n```\n\n## One\n```cpp\n? x = 1;\n```\n? w's gradient?\n! x[] 2.5\n= w.grad[]\n- [=] 2\n- [=] 2.5, as x is\n- [=] 25\n[On](next.html) [All](index.html)\n";
	const page = await written("one_number", { en }, {}, live);
	await page.says("#lesson .lead", "Goal: see.");
	deepEqual(await page.texts("#lesson pre"), ["## y = w * x;", "? x = 1;"]);
	const to = await page.getAttribute("#lesson a", "href");
	equal(to, "next.html#lang=en", "not read before it is answered");
	for (const option of ["2", "2.5, as x is", "25"]) {
		await predict(page, option), await tryIt(page);
		await page.has("#lesson .right", +/x/.test(option), option);
	}
});

test("a teacher's own lesson has an address, and the gradient's sign answers", async () => {
	const page = await open("own_lesson");
	await page.click("#lesson-start");
	await page.says("#lesson", /Mine.*Look <here>/s);
	await page.sum(/^Y\[0, 1\] = /);
	await page.click("#lesson-next");
	for (const [option, verdict] of table("Up .right; Down .wrong")) {
		await predict(page, option);
		await page.has("#lesson " + verdict, 1, option);
	}
	await page.says("#lesson .answer", /Twice as much/);
	await page.to("#lesson=3");
	await page.says("#lesson h2", /Third/);
	await page.click("#lesson-close");
	await page.sees("#lesson", false);
	await page.click("#lesson-open"), await page.reloaded();
	await page.says("#lesson h2", /Third/, "opened again, and by its address");
	await page.fill("#search", "#2 sum");
	for (const [go, step] of table("-1 0; 1 1; again 1")) {
		await (go === "again" ? page.reloaded() : page.to(go));
		await page.says("#lesson h2", /Third/);
		equal(await page.inputValue("#slider"), String(step));
	}
});

// Of w·x, 3·2, a lesson asks for w = 3.5.
test("live: a lesson that is left puts back what it changed, and nothing else", async () => {
	const page = await live("one_number", "#lesson=4"),
		says = () => predict(page, "Up by 1"),
		tries = async () => (await says(), await tryIt(page));
	const deeds = [
		[6, tries],
		[6, () => says().then(() => page.set("3.5"))], // the answer, by hand
		[8, () => page.set("4").then(tries)], // from where it was moved to before
		[8, () => says().then(() => page.set("4"))], // no answer
		[10, () => tries().then(() => page.set("5"))],
		[5.445, () => tries().then(() => page.clicked("#sgd"))],
		[
			12,
			async () => {
				await tries(), await page.presses("Escape");
				await page.click(td("B", 0)), await page.set("4");
			},
		],
	];
	for (const leaves of "#lesson-next #lesson-back #lesson-close #lesson-open lesson=1 ko".split(" "))
		for (const [loss, deed] of deeds) {
			await page.to("#lesson=4");
			await page.click("#reset");
			await deed();
			if (leaves === "lesson=1") await page.to("#lesson=1");
			else if (leaves !== "ko") await page.click(leaves);
			else for (const one of [leaves, "en"]) await page.selectOption("#language", one);
			await page.settled();
			equal(await page.loss(), loss, `${deed}, ${leaves}`);
			if (loss !== 12 || !/close|open/.test(leaves)) continue;
			await page.set("5"); // which begins at w = 3, x = 4
			deepEqual(await page.moves(), [3, 3]);
		}
});

test("an option is right that begins with a number as the page shows it, in as many digits", async () => {
	const reads = await ran("numbers data lesson".split(" ").map(script).join("") + "; return reads;");
	for (const [x, right, wrong] of table(`0.254 | 0.25, as x is | 0.26
		-2 | −2 | 2
		0 | 0 | 0.1
		NaN | NaN everywhere | 0
		Infinity | ∞ | −∞
		-Infinity | −∞ | ∞
		-1.234e-7 | −1.23e−7 | 1.23e−7`))
		deepEqual(
			[right, wrong].map(one => reads(String(one), +x)),
			[true, false],
			String(x),
		);
});

test("live: after a lesson's change one option is right, and not one that was right before", async () => {
	const scripts = "words texts numbers data lesson".split(" ").map(script).join("\n"),
		{ parseLesson, reads } = await ran(scripts + "; return { parseLesson, reads };");
	for (const { name } of JSON.parse(idIn(read("index.html"), "pages")).pages) {
		const tape = tapeIn(read(`${name}.html`)),
			before = await pageOf(tape);
		for (const [at, { parts }] of parseLesson(tape.lesson.en).steps.entries())
			for (const { options, touch, equals } of parts.filter(({ touch, equals }) => touch && equals)) {
				const page = await live(name, `#lesson=${at + 1}`, { locale: "en-US" }),
					right = [];
				for (const { text } of options) {
					await page.click("#reset"), await predict(page, text), await tryIt(page);
					if (await page.count("#lesson .right")) right.push(text);
				}
				equal(right.length, 1, `${name}: ${touch}`);
				ok(!reads(right[0], before.numberAt(equals)), `${name}: ${right}`);
				await page.shut();
			}
	}
});

test("live: another change than the one asked for answers nothing; that one does, also by hand", async () => {
	for (const [name, step, right, ...others] of table("one_number 4 0.5 0.25 -0.5 1; feed_forward 6 0.05 -0.05 -1")) {
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
		const [from, to] = (await page.text("#lesson .was"))
			.match(/was (\S+), is (\S+)/)
			.slice(1)
			.map(number);
		match(says, to > from ? /rises|Up/ : /falls/);
	}
});

test("live: what the loss did judges an answer", async () => {
	for (const [name, touch, right] of table(`one_number | w[] -0.5 | Down
		dropout_and_relu | x[0, 1] +1 | Stays`)) {
		const en = `# L\n\n## One\n? What?\n- [+] Up\n- [-] Down\n- [0] Stays\n! ${touch}\n`,
			page = await written(name, { en }, {}, live);
		for (const option of ["Up", "Down", "Stays"]) {
			await page.click("#reset"), await predict(page, option), await tryIt(page);
			await page.has("#lesson .right", +(option === right), `${touch}: ${option}`);
		}
	}
});

test("where a hook has changed the gradient, neither a lesson nor the path judges by it", async () => {
	const page = await open("claims-hook", "#lesson=4");
	await page.click("#lesson .ways button >> nth=0");
	await page.has(verdicts, 0);
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

test("a lesson is in the reader's language, else in English, else in the first that there is", async () => {
	for (const [has, locale, said, other] of table(
		"en,ko,zh ko-KR ko zh; zh,en zh-CN zh en; zh,en ko-KR en zh; zh ko-KR zh zh",
	)) {
		const texts = has.split(",").map(tag => [tag, `# L\n\n## In ${tag}\nText.\n`]),
			page = await written("own_lesson", Object.fromEntries(texts), { locale });
		await page.says("#lesson h2", "In " + said, locale);
		await page.fill("#search", "x.grad[0, 1]");
		const sum = await page.sum();
		await page.selectOption("#language", other);
		await page.says("#lesson h2", "In " + other, "another language is the lesson's, too");
		equal(await page.sum(), sum, "beside a number that is held");
		await page.shut();
	}
});
