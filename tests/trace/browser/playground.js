// The playground: models that the page builds itself.
"use strict";
require("../browser_test.js");

const models = ["ffn", "linear_ffn", "gelu", "glu", "attention", "block", "experts", "circle", "quadrants", "letters"];
const ofOwn = ["ffn", "linear_ffn"]; // that call neither exp nor erf: the page's C library has its own, whose last bit may be another

// What is named, and its gradient: compilers differ in which operand they compute first.
const named = ({ values, backward, arrays }) =>
	values.flatMap(({ name, shape, value }, i) => {
		const got = backward.find(step => step.op < 0 && step.value === i)?.adds[0].total,
			of = array => (array === undefined ? [] : floats(arrays[array]));
		return name ? [[name, shape, of(value), of(got)]] : [];
	});

test("live: the playground's models have the numbers that C++ computes with its SSE2 kernels", async () => {
	const engine = await engineOf(read("playground.html")),
		build = setup => {
			engine.give(setup), engine.ask("build");
			return named(JSON.parse(engine.said));
		};
	for (const model of models) {
		const here = build(`${model} 3 4 8 2 2 1 0.25 1`).sort(),
			there = named(JSON.parse(read(`playground-${model}.json`))).sort();
		if (ofOwn.includes(model)) deepEqual(here, there, model);
		there.forEach(([name, shape, ...all], k) => {
			const [other, size, ...computed] = here[k];
			deepEqual([other, size], [name, shape]);
			all.forEach((numbers, which) => {
				equal(computed[which].length, numbers.length);
				numbers.forEach((x, i) => near(computed[which][i], x, 1e-6, 1e-8, `${model}: ${name}`));
			});
		});
		ok(there.length >= 5 && here.length === there.length, model);
	}
	const refused =
		"ffn 0 4 8 2 2 1 0.25 1; ffn 13 4 8 2 2 1 0.25 1; ffn 3 4 8 2 2 1 1 1; block 3 4 8 3 2 1 0 1; rnn 3 4 8 2 2 1 0 1; ffn 3";
	for (const setup of refused.split("; ")) throws(() => build(setup), Error, setup);
});

test("live: what a model gives for other points is what plain loops have", async () => {
	const engine = await engineOf(read("playground.html"));
	engine.give("circle 3 4 5 2 2 1 0.25 1"), engine.ask("build");
	const { values, replay } = JSON.parse(engine.said),
		at = name => values.findIndex(value => value.name === name),
		numbers = name => engine.numbers(at(name), product(values[at(name)].shape));
	engine.load(replay);
	const x = numbers("x"),
		known = [...numbers("target")];
	known.forEach((t, k) => equal(t, x[2 * k] ** 2 + x[2 * k + 1] ** 2 < 8 / 3.14159 ? 1 : -1));
	x.set(span(128).map(k => Math.sin(k)));
	const y = engine.floats(engine.exports.output(at("y")), 64),
		[w1, b1, w2, b2] = ["w1", "b1", "w2", "b2"].map(numbers);
	y.forEach((y, k) => {
		const h = [...b1].map((b, j) => Math.tanh(b + x[2 * k] * w1[2 * j] + x[2 * k + 1] * w1[2 * j + 1]));
		near(
			y,
			h.reduce((sum, h, j) => sum + h * w2[j], b2[0]),
			1e-5,
			1e-6,
		);
	});
	equal(engine.exports.output(999), 0);
});

test("live: the ground takes the points' colours as it trains, and the letters nearly become the text", async () => {
	for (const [model, least] of table("circle 55; quadrants 60")) {
		const page = await live("playground", "#model=" + model),
			right = async () => number((await page.text("#result")).match(/(\d+) of 64/)[1]),
			before = await right();
		await page.click("#from-first");
		await page.clicked("#sgd-200");
		ok((await right()) >= least && before < least, `${model}: ${before}, ${await right()}`);
		await page.has("#result circle", 64);
		const ground = await page.$$eval("#result path", all => all.map(one => one.getAttribute("d").match(/M/g).length));
		equal(total(ground), 24 * 24);
		await page.shut();
	}
	const page = await live("playground", "#model=letters"),
		text = "a gradient flows back along the tape. ",
		asText = async () => [...(await page.text(".written"))].filter((letter, i) => letter === text[i]).length;
	const before = await asText();
	await page.click("#from-first");
	await page.clicked("#sgd-200");
	ok(before < 10 && (await asText()) > 33, `${before}, then ${await asText()} of ${text.length}`);
});

test("live: a data set has the targets that its model is to learn", async () => {
	for (const [model, target] of [
		["ffn", x => x.map(row => row.map(Math.abs))],
		["attention", x => x.map((row, w) => row.map((_, j) => total(x.slice(0, w + 1).map(one => one[j])) / (w + 1)))],
	]) {
		const page = await live("playground", `#model=${model}&dropout=0`);
		await page.click("#from-first");
		await page.check("#data-set");
		const rows = async name => {
			await page.fill("#search", name);
			const cells = await page.$$eval(
				"#cards .card",
				(cards, name) => {
					const card = cards.find(one => one.querySelector("b").textContent.split(" = ").at(-1) === name);
					return [...card.querySelectorAll("td[data-i]")].map(td => td.textContent);
				},
				name,
			);
			const all = cells.map(x => Number(x.replace("−", "-")));
			return [0, 1, 2].map(w => all.slice(4 * w, 4 * w + 4));
		};
		const wanted = target(await rows("x")).flat();
		(await rows("target")).flat().forEach((t, i) => near(wanted[i], t, 0.02, 0.01));
		await page.shut();
	}
});

test("live: a size or a model that is chosen is another page; what a model refuses is said", async () => {
	let page = await live("playground");
	const alert = said => page.says("#setup [role=alert]", said);
	const loads = async act => {
		await Promise.all([page.waitForEvent("load"), act()]);
		await page.is("live");
	};
	const sets = async (size, x) => (await page.fill("#setup-" + size, x), await page.press("#setup-" + size, "Tab"));
	const stands = async (model, heads) => {
		equal(await page.inputValue("#setup-model"), model);
		equal(await page.inputValue("#setup-heads"), heads);
	};
	await page.click("#setup summary");
	await loads(() => sets("d_ff", "12"));
	match(await page.address(), /d_ff=12/);
	await page.says("#graph", /\[4, 12\]/);
	await loads(() => page.selectOption("#setup-model", "block"));
	await sets("heads", "3");
	await page.waitForSelector("#setup [role=alert]");
	await alert(/d_model 4 is not a multiple of n_head 3.* Still shown: heads = 2\.$/);
	await stands("block", "3");
	await page.selectOption("#language", "ko");
	await alert(/^엔진이 거부했습니다: “.*d_model 4 is not a multiple.*”\. 지금 보이는 것:/);
	await page.selectOption("#language", "en");
	await loads(() => sets("d_model", "6"));
	match(await page.address(), /model=block&d_model=6&d_ff=12&heads=3/);
	await page.has("#setup [role=alert]", 0);
	page = await live("playground", "#model=block&heads=5&words=2");
	await alert(/not a multiple of n_head 5.* Still shown: words = 3, heads = 2\.$/);
	await stands("block", "5");
});
