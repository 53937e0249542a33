// The playground: models that the page builds itself.
"use strict";
require("../browser_test.js");
const fs = require("node:fs");

const TEXT = "a gradient flows back along the tape. "; // what "letters" learns
const classOf = (model, a, b) => ((model === "circle" ? a * a + b * b < 8 / 3.14159 : a * b > 0) ? 1 : -1);
// The ops of a model, and its named tensors, with their shapes.
const built = async (model, how = "3 4 8 2 2 1 0.25 1") => {
	const engine = await engineOf(read("playground.html"));
	engine.give(model + " " + how), engine.ask("build");
	const { ops, values, arrays, replay } = JSON.parse(engine.said);
	engine.load(replay), equal(engine.exports.output(999), 0);
	const all = values.map(({ name, shape, value }) => [name, Object.assign(floats(arrays[value]), { shape })]);
	return { ops: ops.map(({ op }) => op), ...Object.fromEntries(all) };
};
// What two layers give for x, by plain loops.
const givenBy = ({ w1, b1, w2, b2 }, x) => {
	const h = b1.map((b, j) => Math.tanh(b + total(x.map((one, i) => one * w1[j * x.length + i]))));
	return b2.map((b, k) => b + total(h.map((one, j) => one * w2[k * h.length + j])));
};

test("live: each model has its ops, its sizes and its loss, and a setup that is none is refused", async () => {
	for (const [model, op, x, name, shape] of table(`ffn clamp 5,6 w1 6,7; linear_ffn relu 5,6 w_1.weight 7,6
		gelu gelu 5,6 w_2.weight 6,7; glu gelu 5,6 w_value.weight 7,6; attention softmax 1,5,6 W_V 6,6
		block layer_norm 1,5,6 ffn.w_1.weight 7,6; experts slice 5,6 experts.3.w_1.bias 7; circle tanh 64,2 w1 7,2
		quadrants tanh 64,2 w2 1,7; letters embedding 38,3 letters 20,6`)) {
		const { ops, y, target, loss, ...others } = await built(model, "5 6 7 3 4 1 0.25 1");
		ok(ops.includes(op), model);
		deepEqual([others.x.shape.join(), others[name].shape.join()], [x, String(shape)], model);
		if (model !== "letters") near(loss[0], total(y.map((y, i) => (y - target[i]) ** 2)) / y.length, 1e-5, 0, model);
	}
	const refused =
		"ffn 0 4 8 2 2 1 0.25 1; ffn 13 4 8 2 2 1 0.25 1; ffn 3 4 8 2 2 1 1 1; block 3 4 8 3 2 1 0 1; rnn 3 4 8 2 2 1 0 1; ffn 3";
	for (const [model, ...how] of table(refused)) await rejects(built(model, how.join(" ")), Error, `${how}`);
});

test("live: ground, dots and letters are those that plain loops give, and become the data as it trains", async () => {
	for (const [model, least] of table("circle 55; quadrants 60")) {
		const all = await built(model),
			page = await live("playground", "#model=" + model),
			shown = await page.$$eval("#result svg > *", all =>
				all.map(one => ["class", "d", "cx", "cy"].map(name => one.getAttribute(name))),
			),
			places = new Set();
		let [k, right] = [0, 0];
		for (const [look, d, cx, cy] of shown) {
			for (const [place, c, r] of d?.matchAll(/M(\d+) (\d+)h1v1h-1z/g) ?? []) {
				const [y] = givenBy(all, [(+c + 0.5) / 6 - 2, 2 - (+r + 0.5) / 6]);
				ok(
					[0.9999, 1.0001].some(by => look === "s-" + degree(y * by, 1)),
					`${model} ${place}: ${look}, ${y}`,
				);
				places.add(place);
			}
			if (d) continue;
			const x = all.x.slice(2 * k, 2 * k + 2),
				[a, b] = x,
				is = classOf(model, a, b);
			near(+cx, 6 * (a + 2), 0, 1e-3), near(+cy, 6 * (2 - b), 0, 1e-3);
			deepEqual([look, all.target[k++]], [is > 0 ? "s-p4" : "s-n4", is]);
			right += givenBy(all, x)[0] * is > 0;
		}
		deepEqual([k, places.size], [64, 24 * 24]);
		const rightNow = async () => number((await page.text("#result")).match(/(\d+) of 64 dots/)[1]);
		equal(await rightNow(), right), ok(right < least);
		await page.click("#from-first"), await page.clicked("#sgd-200");
		ok((await rightNow()) >= least, model);
		await page.shut();
	}
	const all = await built("letters"),
		letters = [...new Set(TEXT)].sort(),
		idAt = i => letters.indexOf(TEXT[i % TEXT.length]),
		written = [-3, -2, -1].map(i => idAt(i + TEXT.length));
	deepEqual(
		[[...all.x], [...all.target]],
		[span(3 * TEXT.length).map(i => idAt(Math.floor(i / 3) + (i % 3))), span(TEXT.length).map(i => idAt(i + 3))],
	);
	for (let k = 0; k < TEXT.length; ++k) {
		const y = givenBy(
			all,
			written.slice(-3).flatMap(id => all.letters.slice(4 * id, 4 * id + 4)),
		);
		written.push(y.indexOf(Math.max(...y)));
	}
	const page = await live("playground", "#model=letters"),
		shown = async () => [...(await page.text(".written"))],
		asText = list => list.filter((letter, k) => letter === TEXT[k]).length;
	equal(
		(await shown()).join(),
		written
			.slice(3)
			.map(id => letters[id])
			.join(),
	);
	ok(asText(await shown()) < 10);
	await page.click("#from-first"), await page.clicked("#sgd-200");
	ok(asText(await shown()) > 33);
});

test("a data set has sixteen batches, with the targets that its model is to learn", async () => {
	const own = fs.readFileSync(__dirname + "/../../../demos/playground/playground.js", "utf8"),
		soFar = (x, i) => span(i + 1).filter(j => (i - j) % 4 === 0);
	for (const [model, known] of Object.entries({
		ffn: (x, i) => Math.abs(x[i]),
		attention: (x, i) => total(soFar(x, i).map(j => x[j])) / soFar(x, i).length,
		circle: (x, i) => classOf("circle", x[2 * i], x[2 * i + 1]),
		quadrants: (x, i) => classOf("quadrants", x[2 * i], x[2 * i + 1]),
	})) {
		const { train, test } = await ran(`class Engine {} ${script("words") + script("numbers") + own}
			const valueCalled = String, tape = { setup: { ...SETUP, model: "${model}" } }; return dataSet();`),
			all = [...train, ...test];
		deepEqual([train.length, test.length, new Set(all.map(String)).size], [8, 8, 16]);
		for (const [[, x], [, target]] of all) target.forEach((t, i) => near(t, known(x, i), 1e-9, 0, `${model} ${i}`));
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
