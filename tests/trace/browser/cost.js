// A step's cost, counted from the tape's arrays.
"use strict";
require("../browser_test.js");

const bytesText = n => (n < 1000 ? `${n} B` : `${+(n / 1000).toPrecision(3)} kB`);
const time = s => (s < 1e-3 ? `${+(s * 1e6).toPrecision(3)} µs` : `${+(s * 1e3).toPrecision(3)} ms`);

// Bytes after each step, and the most at one time: an op's gradient may have more for as long as it runs.
function bytesOf({ ops, backward }, saved, again = () => 0) {
	let now = 0,
		most = 0;
	const forward = ops.map(op => (now += saved(op)));
	most = now;
	const after = backward.map(({ op }) => {
		if (op >= 0) (most = Math.max(most, now + again(ops[op]))), (now -= saved(ops[op]));
		return now;
	});
	return { after: [...forward, ...after], most };
}

const barsOf = page =>
	page.$$eval("#cost svg .bar", all =>
		all.map(one =>
			[...one.getAttribute("d").matchAll(/M([\d.]+) 60v-?([\d.]+)h([\d.]+)V60z/g)].map(([, ...bar]) => bar.map(Number)),
		),
	);

test("what is kept, its bars and the peak are the sizes of the tensors saved", async () => {
	const page = await open("ffn", "#step=1"),
		tape = await page.tape(),
		{ ops, backward, values, arrays } = tape,
		counted = new Set();
	const bytes = ops.map(op => {
		// leaves and constants are there anyhow
		const own = ([letter, array]) =>
			(values[op.in[op.letters.indexOf(letter)]]?.op ?? 0) >= 0 && !counted.has(array) && counted.add(array);
		const kept = Object.entries(op.saved).filter(own);
		return kept.reduce((sum, [, array]) => sum + 4 * product(arrays[array].shape), 0);
	});
	const { after, most } = bytesOf(tape, op => bytes[ops.indexOf(op)]);
	ok(most > 300 && new Set(bytes).size > 2, bytes.join());
	for (const [s, now] of after.entries()) {
		await page.toStep(s);
		near((await page.figures("#cost .cursor", "x1"))[0], (600 * (s + 0.5)) / after.length, 0, 0.1);
		await page.says("#cost .keepers", new RegExp(`at this step: ${bytesText(now)}(?! ?\\d)`), `step ${s}`);
		const op = ops[s];
		if (op?.op === "matmul") {
			const [[rows, inner], [, columns]] = op.in.map(v => values[v].shape),
				flops = (2 * rows * inner * columns).toLocaleString("en"),
				said = [bytesText(op.savedBytes), flops, ...op.seconds.map(time)];
			deepEqual(await page.texts("#cost dd"), said);
			notEqual(said[2], said[3]);
		}
		const done = backward.slice(0, Math.max(0, s + 1 - ops.length)).map(step => step.op),
			keep = ops
				.map((op, i) =>
					bytes[i] && i <= s && !done.includes(i) ? `#${op.number} ${op.op} ${bytesText(bytes[i])}` : "",
				)
				.filter(Boolean),
			said = (await page.texts("#cost .keeper")).map(one => one.replace(/:.*· /, " ")),
			sizes = said.map(one => bytes[one.match(/\d+/) - 1]);
		deepEqual(
			sizes,
			[...sizes].sort((a, b) => b - a),
			`step ${s}: the largest first`,
		);
		deepEqual(said.sort(), keep.sort(), `step ${s}`);
	}
	const [bars] = await barsOf(page),
		n = after.length;
	equal(bars.length, n);
	bars.forEach((bar, s) =>
		[(600 * s) / n, (60 * after[s]) / most, 600 / n].forEach((known, k) => near(bar[k], known, 0, 0.1, `step ${s}`)),
	);
	await page.says("#cost .axis", bytesText(most) + "0");
	await page.says("#cost .stats", new RegExp(` ${bytesText(most)}`));
});

test("with checkpoints the peak has what runs again", async () => {
	for (const name of ["parts", "claims-checkpoint", "examples"]) {
		const page = await open(name, "#step=1"),
			tape = await page.tape(),
			again = op => op.savedAgain,
			{ most } = bytesOf(tape, op => op.savedBytes, again);
		ok(tape.ops.some(again));
		await page.says("#cost .stats", new RegExp(`with checkpoints.* ${bytesText(most)}`));
		const [solid] = await barsOf(page),
			kept = tape.ops.filter(op => op.savedBytes).length;
		ok(Math.max(...solid.map(([, high]) => high)) <= 60.1);
		await page.toStep(tape.ops.length - 1);
		await page.has("#cost .keeper", Math.min(kept, 6));
		if (kept > 6) await page.says("#cost .keepers", new RegExp(`\\b${kept - 6} more`));
	}
});
