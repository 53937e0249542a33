// What a rule marks, beside the engine, here in Node.
"use strict";
require("../browser_test.js");

// How far a number is moved: to another index, to a mask's other side.
function moveOf(letter, x) {
	if (/^(ids|T|I)$/.test(letter)) return x > 0 ? -1 : 1;
	if (letter === "M") return x ? -x : 1;
	return 0.03125;
}
// Moves a number of an input, and compares which numbers of Y and of the gradients move
// with it.
test("live: what a rule marks is what its number depends on", async () => {
	const html = read("live_examples.html"),
		{ whyCell, steps, ops, values } = await pageOf(tapeIn(html)),
		engine = await engineOf(html);
	engine.load(replayOf(html));
	const still = new Set(),
		unmarked = new Set(),
		letters = new Set();
	let seen = 0,
		arrived = ""; // the dY that moves with what an attention's further steps make of Y
	const tensors = k => {
		// Y of op k, and the gradients of its inputs
		const run = engine.run(),
			at = ({ shape, at }) => engine.floats(at, product(shape)).slice(),
			step = run.backward.find(({ op }) => op === k);
		arrived = step ? String(at(run.arrays[step.dY])) : "";
		return {
			Y: at(run.arrays[run.values[ops[k].out].value]),
			...Object.fromEntries((step?.adds ?? []).map(add => [add.input, at(run.arrays[add.part])])),
		};
	};
	ops.forEach((op, k) => {
		if (!known(op.op) || !op.in.length || op.in.some(v => values[v].op >= 0)) return;
		if (new Set(op.in).size < op.in.length) return;
		const before = tensors(k),
			first = arrived,
			back = steps.find(step => !step.forward && step.op === k);
		const marksOf = (target, i) => {
			const [step, of] = target === "Y" ? [steps[k], "Y"] : [back, +target];
			return new Set((whyCell(step, of, i).refs ?? []).map(([letter, j]) => letter + " " + j));
		};
		const marks = new Map(
			Object.entries(before).map(([target, all]) => [target, span(all.length).map(i => marksOf(target, i))]),
		);
		const weights = ops.find(other => other.op === "mul" && other.in[0] === op.out)?.in[1]; // what dY is
		[...op.in, ...(back && weights !== undefined && values[weights].op < 0 ? [weights] : [])].forEach((v, input) => {
			const n = product(values[v].shape),
				letter = op.letters[input] ?? "dY";
			for (let j = 0; j < n; j += Math.ceil(n / 5)) {
				const data = engine.numbers(v, n),
					was = data[j];
				letters.add(letter);
				data[j] = was + moveOf(letter, was);
				let after = null;
				try {
					after = tensors(k);
				} catch {
					/* refused: no such index */
				}
				engine.numbers(v, n)[j] = was;
				if (!after) continue;
				const movedY = [...before.Y.keys()].filter(i => !Object.is(before.Y[i], after.Y[i]));
				for (const [target, cells] of marks)
					if (target !== "Y" || letter !== "dY")
						cells.forEach((refs, i) => {
							const moved = !Object.is(before[target][i], after[target][i]),
								marked = refs.has(letter + " " + j),
								through =
									target !== "Y" && ((letter !== "dY" && arrived !== first) || movedY.some(y => refs.has("Y " + y)));
							++seen;
							if (moved && !marked && !through && !/^(ids|T|I)$/.test(letter))
								unmarked.add(`${op.op} ${target} by ${letter}`);
							if (!moved && marked) still.add(op.op);
						});
			}
		});
	});
	ok(seen > 4000 && letters.size > 8 && letters.has("dY"), `${seen} of ${[...letters]}`);
	deepEqual([...unmarked], []);
	// At a bend, between two steps, beside a mask or a largest number, and times 0 what is marked
	// moves nothing.
	for (const op of still)
		match(
			op,
			/^(relu|neg|masked_fill|batched_matmul|matmul|linear|maximum|embedding|clamp|cross_entropy|abs|amax|where|trunc|remainder|leaky_relu|hardtanh|elu|softplus)$/,
		);
});
