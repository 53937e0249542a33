// The engine itself: its bits, what it computes again and what stays as recorded, its size, its memory,
// and where it cannot run.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { product, numbersOf, span } = require("../arrays.js");
const { script, ran, engineOf, pageOf, replayOf, tapeIn } = require("../scripts.js");
const { test, open, live, td, near, pages, read, write } = require("../browser_test.js");

const tensors = ({ values, ops, backward }) =>
	[
		values.map(({ value, grad }) => [value, grad]),
		ops.map(({ saved }) => Object.values(saved)),
		backward.map(({ dY, adds }) => [dY, adds.map(({ part, total }) => [part, total])]),
	].flat(Infinity);
// How many numbers of a page's tape its engine computes in other bits, or otherwise by more than this.
const othersBits = async (html, share) => {
	const tape = tapeIn(html),
		engine = await engineOf(html);
	engine.load(replayOf(html));
	const run = engine.run(),
		[recorded, computed] = [tensors(tape), tensors(run)];
	assert.equal(computed.length, recorded.length);
	let others = 0,
		all = 0;
	recorded.forEach((array, k) => {
		assert.equal(array === null, computed[k] === null);
		if (array === null) return;
		const { shape, at } = run.arrays[computed[k]],
			x = engine.floats(at, product(shape));
		assert.deepEqual(shape, tape.arrays[array].shape);
		for (const [i, was] of numbersOf(tape.arrays[array]))
			++all,
				(others +=
					!Object.is(x[i], was) &&
					!(share && Math.abs(x[i] - was) <= share * Math.max(1, Math.abs(was))));
	});
	return [others, all];
};
test("live: the engine computes the bits of the SSE2 kernels, of every tensor on the page", async () => {
	for (const [name, least, share] of [
		["live", 1000, 0],
		["live_wide", 20000, 0],
		["live_notebook", 50000, 0],
		["live_examples", 1000, 1e-5], // the page's C library has an exp and an erf of its own
	]) {
		const [others, all] = await othersBits(read(`${name}.html`), share);
		assert.equal(others, 0, name);
		assert.ok(all > least, `${name}: ${all} numbers were compared`);
	}
});

test("live: at the notebook's size a touch is answered at once, and any number of a tensor can be asked for", async () => {
	const page = await live("live_notebook", "#step=1&cell=w1[2,3]");
	await page.says("#touch-name", "w1[2, 3]");
	const loss = await page.loss();
	const said = await page.evaluate(
		cell =>
			new Promise(done => {
				const box = document.getElementById("touch-number");
				(box.value = "2.5"), box.dispatchEvent(new Event("input"));
				requestAnimationFrame(() =>
					requestAnimationFrame(() => done(document.querySelector(cell)?.textContent)),
				);
			}),
		td("B", 4099),
	);
	assert.equal(said, "+2.5");
	await page.settled();
	assert.notEqual(await page.loss(), loss);
	assert.ok((await page.count("[data-card=Y] td.moved")) > 0);
	const other = await live("live_notebook", "#step=1&cell=w1[411,1777]");
	await other.says("#touch-name", "w1[411, 1777]");
	await other.fill("#search", "w1.grad[411, 1777]");
	await other.says("#why .sum", /^(w1\.grad|dB)\[411, 1777\] = .* = [−\d.e]+$/);
});

test("a large tensor is read where it lies, also when its memory has grown", async () => {
	const numbersInMemory = await ran(
		script("engine") + script("data") + "; return numbersInMemory;",
		{ values: [], ops: [], backward: [], arrays: [] },
	);
	const memory = new WebAssembly.Memory({ initial: 1 }),
		floats = (at, count) => new Float32Array(memory.buffer, at, count);
	const of = shape =>
		numbersInMemory(
			{ floats, summary: () => ({ v: "", block: [10, 10], stats: { min: 0, max: 1 } }) },
			{ shape, at: 64 },
		);
	for (const [shape, rows, columns] of [
		[[2, 2500], 2, 8],
		[[5000], 1, 8],
		[[1250, 4], 8, 4],
	])
		assert.deepEqual(
			of(shape).cells,
			span(rows).flatMap(r => span(columns).map(c => r * shape.at(-1) + c)),
		);
	const x = of([50, 100]);
	for (const grown of [0, 1, 1]) {
		memory.grow(grown);
		for (const i of [0, 77, 4999]) {
			floats(64, 5000)[i] += i + 1;
			assert.equal(x.at(i), floats(64, 5000)[i]);
		}
	}
});

test("live: a thousand changes and steps take no more memory than twenty, with NaN among the numbers, too", async () => {
	const engine = await engineOf(read("playground.html")),
		size = () => engine.exports.memory.buffer.byteLength;
	engine.give("block 12 12 12 12 12 7 0.5 1"), engine.ask("build");
	const { values, replay } = JSON.parse(engine.said),
		leaf = values.findIndex(({ role }) => role === "leaf"),
		n = product(values[leaf].shape);
	engine.load(replay), engine.run();
	let after;
	for (let k = 0; k < 1000; ++k) {
		engine.numbers(leaf, n)[k % n] = k % 100 ? Math.sin(k) : NaN;
		if (k % 10 === 0)
			engine.exports.keep(),
				engine.ask("step", leaf, 0.01),
				engine.exports.keep_gradients(),
				engine.exports.zero_grad(),
				engine.ask("draw", 1);
		engine.run(), engine.loss();
		if (k === 20) after = size();
	}
	assert.equal(size(), after);
	engine.numbers(leaf, n)[0] = NaN;
	engine.run();
	assert.ok(Number.isNaN(engine.loss()));
});

test("live: where the engine cannot run, a sentence says so, and the page is as it was recorded", async () => {
	const html = read("live.html"),
		script = '<script>\n"use strict";',
		engine = html.indexOf('id="engine"');
	for (const [changed, said] of [
		[html.replace(script, script + "delete self.WebAssembly;"), /no WebAssembly/],
		[html.replace(script, script + "delete self.DecompressionStream;"), /no DecompressionStream/],
		[html.replace(" 'wasm-unsafe-eval'", ""), /WebAssembly is not allowed/],
		[html.slice(0, engine + 90000), /cut off/],
		[html.slice(0, engine - 20), /cut off/],
	]) {
		assert.notEqual(changed, html);
		write("cannot.html", changed);
		const page = await open("cannot", "#step=1");
		await page.waitForSelector("#notice:not([hidden])");
		await page.says("#notice", /^This page is not live: [^.]*\.$/);
		await page.says("#notice", said);
		assert.ok(!(await page.isVisible("#bench")));
		await page.click(td("B", 5));
		await page.says("#why .sum", /^B\[0, 5\] = /);
		page.problems = page.problems.filter(one => !/wasm|WebAssembly/.test(one)); // the browser's own
	}
});

// Of Python's programs, each run anew with one number changed: the engine has their loss and
// gradient, or the page does not offer the number.
test("live: what is computed from constants, under no_grad and by steps is computed again, and a number that was read is not offered", async () => {
	if (!fs.existsSync(pages + "/steps.jsonl"))
		return console.log("skipped: there is no Python module");
	const engine = await engineOf(read("live.html")),
		near = (one, other) => Math.abs(one - other) <= 1e-3 * Math.max(1, Math.abs(other)),
		found = { kept: 0, moved: 0, vain: 0, apart: 0 };
	for (const line of read("steps.jsonl").trim().split("\n")) {
		const { program, tape, replay, changes } = JSON.parse(line),
			{ values } = tape,
			{ readBy } = await pageOf(tape),
			place = called => values.findIndex(({ name, op }) => name === called && op < 0);
		engine.load(replay);
		for (const { name, i, x, loss, grad } of changes) {
			const v = place(name);
			if (v < 0) continue; // nothing comes from it
			const x0 = engine.numbers(v, 12)[i];
			engine.numbers(v, 12)[i] = x;
			const run = engine.run(),
				{ at } = run.arrays[run.backward.find(({ value }) => value === place("a")).dY],
				right =
					near(engine.loss(), loss) && engine.floats(at, 12).every((g, k) => near(g, grad[k]));
			engine.numbers(v, 12)[i] = x0;
			if (values[v].read)
				assert.match(readBy(v), /cannot be changed/), ++found[right ? "vain" : "apart"];
			else assert.ok(right, `${program}, ${name}[${i}] = ${x}: ${engine.loss()}, not ${loss}`);
			++found[loss === changes[0].loss ? "kept" : "moved"];
		}
	}
	assert.ok(found.moved > 1000 && found.apart > 100, JSON.stringify(found));
});

// By Python's program: what is doubted of `a`, of which no number is near a step.
test("a mask of masks is no kink, and a gradient that detach() leaves out in part is said to be", async () => {
	if (!fs.existsSync(pages + "/steps.jsonl"))
		return console.log("skipped: there is no Python module");
	const expected = new Map([
		["y = a * ((a > -1) & (a < 1)) +", undefined],
		["y = a * ~(a > 0) +", undefined],
		["y = b * F.one_hot(a.argmax(1), 4) +", undefined],
		["y = a.clamp(min=b) +", undefined],
		["y = a * a.detach() +", "cut"],
	]);
	const tapes = read("steps.jsonl").trim().split("\n").map(JSON.parse);
	for (const [begin, word] of expected) {
		const { tape } = tapes.find(({ program }) => program.startsWith(begin)),
			{ doubtOf, values } = await pageOf(tape);
		assert.equal(
			doubtOf(
				values.findIndex(({ name }) => name === "a"),
				0,
			)?.[0],
			word,
			begin,
		);
	}
});

test("live: the policy allows WebAssembly, and nothing else more", async () => {
	const policy = name => read(`${name}.html`).match(/Security-Policy"\s+content="([^"]*)"/)[1];
	assert.equal(
		policy("ffn"),
		"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
	);
	for (const name of ["live", "playground"])
		assert.equal(policy(name), policy("ffn") + " 'wasm-unsafe-eval'");
});

test("live: what the engine refuses is said, and nothing changes", async () => {
	const page = await live("live_examples", "#step=1");
	const { ops } = await page.tape();
	await page.toStep(ops.findIndex(({ op }) => op === "embedding"));
	await page.click(td("ids", 0));
	const before = await page.text("#outcome");
	await page.set("77");
	await page.says("#touch-problem", /77/);
	await page.says("#outcome", before);
	await page.set("2");
	await page.says("#touch-problem", "");
	const loss = await page.loss();
	await page.set("77");
	await page.clicked("#sgd");
	await page.says("#touch-problem", "");
	assert.notEqual(await page.loss(), loss, "a step after what was refused");
	const stands = await page.text(td("ids", 0));
	await page.typed("7", "77", "777");
	await page.says("#touch-problem", /777/);
	await page.says(td("ids", 0), stands, "what stood there before the first of them");
	await page.clicked("#sgd");
	await page.says("#touch-problem", "", "nor does a later step meet them");
});

test("a tape that cannot be live says why, and is a page as ever", async () => {
	const page = await open("not_live", "#step=1");
	await page.says("#notice", /not live: (#\d+ checkpoint cannot be recomputed|there is no engine)/);
	assert.ok(!(await page.isVisible("#bench")));
});
