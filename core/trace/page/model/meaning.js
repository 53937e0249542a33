// ---- What a gradient's number says about the loss, and when it says nothing ---------------------

// By value: why its gradient may differ from the loss's slope, as [word, what it names].
const doubts = new Map();
function findDoubts() {
	doubts.clear();
	for (const op of [...ops].reverse()) {
		const passed = doubts.get(op.out) ?? stepDoubt(op);
		for (const v of passed ? op.in : []) doubts.set(v, passed);
	}
	for (const step of steps.slice(ops.length)) {
		step.doubt = step.hooked ? ["altered"] : (doubts.get(step.value) ?? null);
		if (step.op < 0) continue;
		const passed = step.doubt ?? doubtAt(step);
		for (const add of passed ? step.adds : [])
			if (doubts.get(add.value)?.[0] !== "altered") doubts.set(add.value, passed);
	}
}

function doubtAt(step) {
	const op = ops[step.op];
	if (!OPS.en[op.op] && !RULES[op.op]) return ["ownOp", { op: title(op) }];
	if (op.op === "half" || op.op === "bfloat16") return ["rounds", { op: title(op) }];
	return bendsAt(op, step) ? ["bent", { op: title(op) }] : null;
}

// Whether a number is at a kink of the op, so that a rise and a fall need not move the loss alike.
// Of large tensors the page knows only whether some numbers are 0.
function hasZeros(x) {
	return x?.complete
		? x.kept.includes(0)
		: Boolean(x?.stats.zeros || x?.gaps?.some(share => share > 0));
}
const ofInput = (op, k, letter) => numbers(values[op.in[k]]?.value ?? op.saved[letter]);
const atZero = (op, at) => at([0]);
const KINKS = {
	relu: atZero,
	abs: atZero,
	leaky_relu: atZero,
	elu: atZero,
	hardtanh: ({ attributes: { a, b } }, at) => at([...a, ...b].map(Math.fround)),
	clamp: (op, at) => at(boundsOf(op).filter(Number.isFinite)),
	std: op => hasZeros(numbers(values[op.out].value ?? op.saved.Y)),
	gather: ({ in: [, I], attributes }, at, X) =>
		X?.complete && tiesAt(X, numbers(values[I].value), attributes.dim[0]),
	amax: ({ attributes }, at, X) => X?.complete && ties(X, attributes.dim[0]),
	maximum(op, at, X, moves) {
		const [A, B] = [ofInput(op, 0, "A"), ofInput(op, 1, "B")];
		return A?.complete && B?.complete && equalAt(A, B, values[op.out].shape).some(moves);
	},
};
// Where two operands are equal, as cells of what they were broadcast to.
const equalAt = (a, b, y) =>
	range(product(y)).filter(i => a.at(narrowed(i, y, a.shape)) === b.at(narrowed(i, y, b.shape)));
function bendsAt(op, step) {
	const dY = numbers(step.dY),
		X = ofInput(op, 0, "X"),
		moves = i => (dY?.complete ? dY.at(i) !== 0 : true);
	const at = list =>
		X?.complete
			? range(X.kept.length).some(i => moves(i) && list.includes(X.at(i)))
			: list.includes(0) && hasZeros(X);
	return KINKS[op.op]?.(op, at, X, moves);
}
// Whether an input of a step is just where the step jumps.
function compares(op, x, y) {
	const other = numbers(values[op.in[1]].value);
	return other?.complete && equalAt(x, other, y.shape).length > 0;
}
const JUMPS = {
	trunc: (op, x) => x.kept.some(one => one !== 0 && Number.isInteger(one)),
	round: (op, x) => x.kept.some(one => Math.abs(one % 1) === 0.5),
	argmax: (op, x) => ties(x, op.attributes.dim[0]),
	topk: (op, x, y) => tiesAt(x, y, op.attributes.dim[0]),
	top_k_mask(op, x, y) {
		const { line } = linesAlong(x.shape, x.shape.length - 1);
		return range(x.rows).some(r =>
			line(r).some(i => y.at(i) && line(r).some(j => !y.at(j) && x.at(i) === x.at(j))),
		);
	},
	eq: compares,
	gt: compares,
	lt: compares,
};
// What a small move of a leaf leaves as it is: constants, and what only steps give.
const still = new Set(values.flatMap(({ op, wants }, v) => (op < 0 && !wants ? [v] : [])));
for (const op of ops)
	if ((JUMPS[op.op] && !values[op.out].wants) || (op.in.length && op.in.every(v => still.has(v))))
		still.add(op.out);
// Of an op that no gradient passes: a small move makes a jump there, or goes on to the loss.
function stepDoubt(op) {
	if (op.op === "detach") return ["cut", { op: title(op) }];
	return jumpsAt(op) ? ["bent", { op: title(op) }] : null;
}
function jumpsAt(op) {
	if (op.in[0] === op.in[1] || op.in.every(v => still.has(v))) return false;
	const [x, y] = [op.in[0], op.out].map(v => numbers(values[v]?.value));
	if (op.within || values[op.out].wants || !x?.complete || !y?.complete) return false;
	return JUMPS[op.op]?.(op, x, y);
}
function boundsOf({ attributes: { lo = [], hi = [] } }) {
	return [lo[0], hi[0]].map(x => Math.fround(fromJson(x)));
}
// Whether a number chosen by its index, as by max(dim), has an equal in its line.
function tiesAt(X, I, dim) {
	const inner = product(X.shape.slice(dim + 1)),
		n = I?.complete ? I.shape[dim] : 0,
		{ line } = linesAlong(X.shape, dim);
	return (
		I?.complete &&
		range(I.kept.length).some(i => {
			const x = line(Math.floor(i / inner / n) * inner + (i % inner)).map(j => X.at(j));
			return x.filter(one => one === x[I.at(i)]).length > 1;
		})
	);
}
function ties(X, dim) {
	const lines = linesAlong(X.shape, dim);
	return range(X.kept.length / X.shape[dim] || 0).some(y => {
		const line = lines.line(y).map(i => X.at(i)),
			largest = Math.max(...line);
		return line.filter(x => x === largest).length > 1;
	});
}

// What the gradients are slopes of: the loss, if it is one number and backward began with 1.
function lossWord() {
	if (!tape.fromHere) return word("lossElsewhere");
	const began = numbers(backward[0].dY),
		y = nameShown(backward[0].value);
	if (began.kept.some(g => g !== 1) || !began.complete) return word("lossWeighed", { y });
	return began.kept.length === 1 ? word("theLoss") : word("lossSum", { y });
}
// Its number, if it is one and on the page.
function lossNumber() {
	const y = tape.fromHere && backward.length ? numbers(values[backward[0].value].value) : null;
	return y?.kept.length === 1 && numbers(backward[0].dY).at(0) === 1 ? y.at(0) : undefined;
}

// The distance to the next number of the tensor's precision.
const bitsOf = () => ({ 24: 32, 53: 64 })[run.digits ?? 24];
const stepOf = x =>
	2 ** (Math.floor(Math.log2(Math.max(Math.abs(x), 2 ** -126))) - (run.digits ?? 24) + 1);

// Sentences about cell i of a card with a value's gradient, or a contribution to it.
function meaningOf(s, card, i) {
	const { value, slope, array } = card;
	if (i < 0) return [];
	if (card.older) {
		const part = numbers(steps[s].adds[0].part),
			[kept] = card.older;
		return [
			word("ofThisPass", {
				total: show(array.at(i)),
				earlier: show(kept.at(i)),
				part: show(part.at(i)),
			}),
			...meaningOf(s, { ...card, older: null, array: part }, i),
		];
	}
	if (card.so) return [card.so.of ? word("soFar", card.so) : word("inside")];
	if (!slope) return [];
	const g = array.at(i),
		c = nameShown(value) + array.place(i),
		loss = lossWord(),
		is = lossNumber();
	const doubt = card.key === "dY" || card.key === "total" ? steps[s].doubt : doubts.get(value);
	if (doubt) return [word(...doubt)];
	if (!Number.isFinite(g)) return [word("noSlope")];
	if (is !== undefined && !Number.isFinite(is)) return [word("noLoss", { loss: show(is) })];
	if (g === 0) return [word("still", { c, loss })];
	const size = Math.abs(g) / 100,
		fine = is !== undefined && size < stepOf(is);
	return [
		word("meaning", {
			c,
			loss,
			way: word(g < 0 ? "falls" : "rises"),
			g: show(Math.abs(g), 3),
			size: show(size, 3),
		}) +
			(fine
				? " " + word("tooFine", { step: show(stepOf(is), 2), loss: show(is, 4), bits: bitsOf() })
				: ""),
	];
}
findDoubts();
