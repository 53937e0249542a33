// The engine itself: its bits, what it computes again and what stays as recorded, its size, its memory,
// and where it cannot run.
"use strict";
require("../browser_test.js");
const fs = require("node:fs");

const tensors = ({ values, ops, backward }) =>
	[
		values.map(({ value, grad }) => [value, grad]),
		ops.map(({ saved }) => Object.values(saved)),
		backward.map(({ dY, adds }) => [dY, adds.map(({ part, total }) => [part, total])]),
	].flat(Infinity);
test("live: the engine computes the bits of the SSE2 kernels, of every tensor on the page", async () => {
	for (const [name, least, share] of [
		["live", 1000, 0],
		["live_wide", 20000, 0],
		["live_notebook", 50000, 0],
		["live_examples", 1000, 1e-5], // the page's C library has an exp and an erf of its own
	]) {
		const html = read(`${name}.html`),
			tape = tapeIn(html),
			engine = await engineOf(html);
		engine.load(replayOf(html));
		const run = engine.run(),
			[recorded, computed] = [tensors(tape), tensors(run)];
		let all = 0;
		equal(computed.length, recorded.length);
		recorded.forEach((array, k) => {
			equal(array === null, computed[k] === null);
			if (array === null) return;
			const { shape, at } = run.arrays[computed[k]],
				x = engine.floats(at, product(shape));
			deepEqual(shape, tape.arrays[array].shape);
			for (const [i, was] of numbersOf(tape.arrays[array])) {
				const alike = Number.isFinite(was) && Math.abs(x[i] - was) <= share * Math.max(1, Math.abs(was));
				ok(Object.is(x[i], was) || (share && alike), `${name}: ${x[i]}, not ${was}`);
				++all;
			}
		});
		ok(all > least, `${name}: ${all} numbers were compared`);
	}
});

test("live: at the notebook's size a touch is answered at once", async () => {
	const page = await live("live_notebook", "#step=1&cell=w1[2,3]");
	await page.says("#touch-name", "w1[2, 3]");
	const loss = await page.loss();
	const said = await page.evaluate(
		cell =>
			new Promise(done => {
				const box = document.getElementById("touch-number");
				(box.value = "2.5"), box.dispatchEvent(new Event("input"));
				requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelector(cell)?.textContent)));
			}),
		td("B", 4099),
	);
	equal(said, "+2.5");
	await page.settled();
	notEqual(await page.loss(), loss);
	ok((await page.count("[data-card=Y] td.moved")) > 0);
	const other = await live("live_notebook", "#step=1&cell=w1[411,1777]");
	await other.says("#touch-name", "w1[411, 1777]");
	await other.fill("#search", "w1.grad[411, 1777]");
	await other.sum(/^(w1\.grad|dB)\[411, 1777\] = .* = [−\d.e]+$/);
});

test("live: a thousand changes and steps take no more memory than twenty", async () => {
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
		if (k % 10 === 0) {
			engine.exports.keep(), engine.ask("step", leaf, 0.01);
			engine.exports.keep_gradients(), engine.exports.zero_grad(), engine.ask("draw", 1);
		}
		engine.run(), engine.loss();
		if (k === 20) after = size();
	}
	equal(size(), after);
	engine.numbers(leaf, n)[0] = NaN;
	engine.run();
	ok(Number.isNaN(engine.loss()));
});

test("live: where the engine cannot run, a sentence says so", async () => {
	const html = read("live.html"),
		script = '<script>\n"use strict";',
		engine = html.indexOf('id="engine"'),
		without = name => html.replace(script, `${script}delete self.${name};`);
	for (const [changed, said] of [
		[without("WebAssembly"), /no WebAssembly/],
		[without("DecompressionStream"), /no DecompressionStream/],
		[html.replace(" 'wasm-unsafe-eval'", ""), /WebAssembly is not allowed/],
		[html.slice(0, engine + 90000), /cut off/],
		[html.slice(0, engine - 20), /cut off/],
	]) {
		notEqual(changed, html);
		write("cannot.html", changed);
		const page = await open("cannot", "#step=1");
		await page.waitForSelector("#notice:not([hidden])");
		await page.says("#notice", /^This page is not live: [^.]*\.$/);
		await page.says("#notice", said);
		await page.sees("#bench", false);
		await page.click(td("B", 5));
		await page.sum(/^B\[0, 5\] = /);
		page.problems = page.problems.filter(one => !/wasm|WebAssembly/.test(one)); // the browser's own
	}
});

// Of Python's programs, each run anew with one number changed: the engine has their loss and
// gradient, or the page does not offer the number.
test("live: what no gradient passes is computed again, or is not offered for change", async () => {
	if (!fs.existsSync(pages + "/steps.jsonl")) return console.log("skipped: there is no Python module");
	const engine = await engineOf(read("live.html")),
		near = (one, other) => Math.abs(one - other) <= 1e-3 * Math.max(1, Math.abs(other)),
		found = { kept: 0, moved: 0, vain: 0, apart: 0, earlier: 0, smooth: 0 };
	for (const line of read("steps.jsonl").trim().split("\n")) {
		const { program, tape, replay, changes } = JSON.parse(line),
			{ values } = tape,
			{ readBy, doubtOf } = await pageOf(tape),
			place = called => values.findIndex(({ name, op }) => name === called && op < 0),
			cut = program.startsWith("y = a * a.detach() +"); // the gradient is left out in part
		// No number of `a` is near a step of these.
		if (cut || /^y = (a \* \(\(a > -1\) &|a \* ~|b \* F\.one_hot|a\.clamp\(min=b)/.test(program))
			equal(doubtOf(place("a"), 0)?.[0], cut ? "cut" : undefined, program), ++found.smooth;
		if (program.startsWith("a.data[0, :2]"))
			deepEqual(
				[0, 6].map(i => doubtOf(place("a"), i)?.[0]),
				["bent", undefined],
				"a tie is said of equal numbers alone",
			);
		engine.load(replay);
		for (const { name, i, x, loss, grad } of changes) {
			const v = place(name);
			if (v < 0) continue; // nothing comes from it
			const x0 = engine.numbers(v, 12)[i];
			engine.numbers(v, 12)[i] = x;
			const run = engine.run(),
				{ at } = run.arrays[run.backward.find(({ value }) => value === place("a")).dY],
				right = near(engine.loss(), loss) && engine.floats(at, 12).every((g, k) => near(g, grad[k]));
			engine.numbers(v, 12)[i] = x0;
			if (values[v].read?.[2]) match(readBy(v), /stays as it was/), right || ++found.earlier;
			else if (values[v].read) match(readBy(v), /cannot be changed/), ++found[right ? "vain" : "apart"];
			else ok(right, `${program}, ${name}[${i}] = ${x}: ${engine.loss()}, not ${loss}`);
			++found[loss === changes[0].loss ? "kept" : "moved"];
		}
	}
	ok(found.moved > 1000 && found.apart > 100 && found.earlier > 20 && found.smooth > 4, JSON.stringify(found));
});

test("live: the policy allows WebAssembly, and nothing else more", async () => {
	const policy = name => read(`${name}.html`).match(/Security-Policy"\s+content="([^"]*)"/)[1];
	equal(policy("ffn"), "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'");
	for (const name of ["live", "playground"]) equal(policy(name), policy("ffn") + " 'wasm-unsafe-eval'");
});

test("live: what the engine refuses is said, and nothing changes", async () => {
	const page = await live("live_examples", "#step=1");
	const { ops } = await page.tape();
	await page.toStep(ops.findIndex(({ op }) => op === "embedding"));
	await page.click(td("ids", 0));
	const before = await page.text("#outcome"),
		problem = said => page.says("#touch-problem", said);
	await page.set("77");
	await problem(/77/);
	await page.says("#outcome", before);
	await page.set("2");
	await problem("");
	const loss = await page.loss();
	await page.set("77");
	await page.clicked("#sgd");
	await problem("");
	notEqual(await page.loss(), loss, "a step after what was refused");
	const stands = await page.text(td("ids", 0));
	await page.typed("7", "77", "777");
	await problem(/777/);
	await page.says(td("ids", 0), stands, "what stood there before the first of them");
	await page.clicked("#sgd");
	await problem(""); // nor does a later step meet them
});

test("a tape that cannot be live says why, and is a page as ever", async () => {
	const page = await open("parts", "#step=1");
	await page.says("#notice", /not live: (#\d+ \w+ cannot be recomputed|there is no engine)/);
	await page.sees("#bench", false);
});
