// ---- What a gradient's number says about the loss, and when it says nothing

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
	if (op.own && !RULES[op.op]) return ["ownOp", { op: title(op) }];
	if (op.rounds) return ["rounds", { op: title(op) }];
	return bendsAt(op, step) ? ["bent", { op: title(op) }] : null;
}

// Of large tensors the page knows only whether some numbers are 0.
function hasZeros(x) {
	return x?.complete
		? x.kept.includes(0)
		: Boolean(x?.stats.zeros || x?.gaps?.some(share => share > 0));
}
// An op's pieces, from its Traits: "X >= lo, X <= hi" is [["X", ">=", "lo"], ["X", "<=", "hi"]].
const SIGNS = {
	">": (a, b) => a > b,
	">=": (a, b) => a >= b,
	"<": (a, b) => a < b,
	"<=": (a, b) => a <= b,
	"=": (a, b) => a === b,
};
const piecesOf = op => (op.pieces ? op.pieces.split(", ").map(one => one.split(" ")) : []);
// The tensor of this letter, or the number, which may be an attribute.
function namedIn(op, name) {
	const k = op.letters.indexOf(name),
		v = name === "Y" ? op.out : op.in[k];
	if (v === undefined && op.saved[name] === undefined)
		return Math.fround(fromJson(op.attributes[name]?.[0] ?? name)); // as the op compares it
	return numbers(values[v]?.value ?? op.saved[name]);
}
// What a condition compares, as [cell of Y, number, number]. null: not on the page.
function comparedBy(op, [left, , right]) {
	const [A, B] = [left, right].map(name => namedIn(op, name)),
		y = values[op.out].shape;
	if (!A?.complete || !(typeof B === "number" || B?.complete)) return null;
	if (typeof B === "number") return range(A.kept.length).map(i => [i, A.at(i), B]);
	const [a, b] = [left, right].map(name => op.letters.indexOf(name));
	return op.sums
		? termsOf(op).map(at => [at.at(-1), A.at(at[a]), B.at(at[b])])
		: range(product(y)).map(i => [i, A.at(narrowed(i, y, A.shape)), B.at(narrowed(i, y, B.shape))]);
}
// Whether a number is where two pieces meet, so that a rise and a fall need not move Y alike.
// moves(i): Y's number i moves the loss.
function meets(op, piece, moves) {
	const [left, sign, right] = piece,
		[, x, index] = left.match(/^(\w+)\[(\w+)\]$/) ?? [],
		dim = op.attributes.dim?.[0];
	if (!SIGNS[sign]) {
		const [X, chosen = X] = (index ? [x, index] : right ? [left, right] : [sign]).map(name =>
			namedIn(op, name),
		);
		if (!X?.complete || !chosen?.complete) return false;
		if (index) return tiesAt(X, chosen, dim);
		if (sign === "where") return tiesAcross(X, chosen);
		if (left === "max") return ties(X, dim);
		return X.kept.some(one =>
			left === "half" ? Math.abs(one % 1) === 0.5 : one !== 0 && Number.isInteger(one),
		);
	}
	const compared = comparedBy(op, piece);
	if (!compared) return right === "0" && hasZeros(namedIn(op, left));
	return compared.some(([i, a, b]) => a === b && moves(i) && Number.isFinite(b));
}
function bendsAt(op, step) {
	const dY = numbers(step.dY);
	return piecesOf(op).some(piece => meets(op, piece, i => !dY?.complete || dY.at(i) !== 0));
}
// Values that a small move of a leaf does not change: constants, and outputs of step functions.
const still = new Set(values.flatMap(({ op, wants }, v) => (op < 0 && !wants ? [v] : [])));
for (const op of ops)
	if ((op.pieces && !values[op.out].wants) || (op.in.length && op.in.every(v => still.has(v))))
		still.add(op.out);
// For an op that passes no gradient: a small move may make it jump, or may reach the loss.
function stepDoubt(op) {
	if (op.cuts) return ["cut", { op: title(op) }];
	return jumpsAt(op) ? ["bent", { op: title(op) }] : null;
}
function jumpsAt(op) {
	if (op.in[0] === op.in[1] || op.in.every(v => still.has(v))) return false;
	const [x, y] = [op.in[0], op.out].map(v => numbers(values[v]?.value));
	if (op.within || values[op.out].wants || !x?.complete || !y?.complete) return false;
	return piecesOf(op).some(piece => meets(op, piece, () => true));
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
// Whether a number that a mask chooses has an equal in its row that it does not choose.
function tiesAcross(X, M) {
	const { line } = linesAlong(X.shape, X.shape.length - 1);
	return range(X.rows).some(r =>
		line(r).some(i => M.at(i) && line(r).some(j => !M.at(j) && X.at(i) === X.at(j))),
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
