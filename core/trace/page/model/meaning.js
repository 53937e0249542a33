// ---- What a gradient's number says about the loss, and when it says nothing

// By value: why its gradient may differ from the loss's slope, as [word, what it names]; and the op
// between it and the loss of which some number is at a kink.
const doubts = new Map(),
	bends = new Map();
function findDoubts() {
	doubts.clear();
	bends.clear();
	for (const op of [...ops].reverse()) {
		const passed = doubts.get(op.out) ?? (op.cuts ? ["cut", { op: title(op) }] : null),
			bent = bends.get(op.out) ?? (jumpsAt(op) ? op : null);
		for (const v of passed ? op.in : []) doubts.set(v, passed);
		for (const v of bent ? op.in : []) bends.set(v, bent);
	}
	for (const step of steps.slice(ops.length)) {
		step.doubt = step.hooked ? ["altered"] : (doubts.get(step.value) ?? null);
		if (step.op < 0) continue;
		const op = ops[step.op],
			passed = step.doubt ?? doubtAt(op),
			bent = bends.get(step.value) ?? (bendsAt(op, step) ? op : null);
		for (const { value } of step.adds) {
			if (passed && doubts.get(value)?.[0] !== "altered") doubts.set(value, passed);
			if (bent) bends.set(value, bent);
		}
	}
}
function doubtAt(op) {
	if (op.own && !RULES[op.op]) return ["ownOp", { op: title(op) }];
	return op.rounds ? ["rounds", { op: title(op) }] : null;
}
// Of number i of a value.
function doubtOf(value, i, found = doubts.get(value)) {
	if (found || !bends.has(value)) return found;
	const op = bentBy(value, i);
	return op && ["bent", { op: title(op) }];
}
// The op of which number i, as it moves, moves a number that is at a kink. Where the page cannot tell:
// any op between it and the loss that has such a number.
const MOST_MOVED = 5000;
function bentBy(value, i) {
	const moved = new Map([[value, new Set([i])]]);
	let all = 0;
	for (const op of ops) {
		const at = backward.find(step => ops[step.op] === op),
			ks = range(op.in.length).filter(k => moved.has(op.in[k]));
		if (!ks.length) continue;
		const reached = ks.flatMap(k => [...moved.get(op.in[k])].map(cell => [k, cell])),
			near = (v, cell) => v === op.out || Boolean(moved.get(v)?.has(cell)),
			ys = new Set();
		if ((all += reached.length) > MOST_MOVED) return bends.get(value);
		if (op.pieces && (at ? bendsAt(op, at, near) : jumpsAt(op, near))) return op;
		for (const [k, cell] of reached) {
			const to = movedBy(op, at, k, cell);
			if (!to) return bends.get(value);
			for (const y of to) ys.add(y);
		}
		moved.set(op.out, ys);
	}
	return null;
}
// The numbers of the op's output that number `cell` of its input k moves. null: not known.
function movedBy(op, at, k, cell) {
	const add = at?.adds.find(({ input }) => input === k);
	if (add) return whyCell({ ...at, forward: false }, k, cell).moves ?? null;
	const steps = op.pieces && op.gradient === ""; // its numbers jump, or stay
	if (at || steps || op.cuts || op.op === "shift") return [];
	return op.each || op.sums ? termsOf(op, k, cell).map(cells => cells.at(-1)) : null;
}

// Of large tensors the page knows only whether some numbers are 0.
function hasZeros(x) {
	return x?.complete ? x.data.includes(0) : Boolean(x?.stats.zeros || x?.gaps?.some(share => share > 0));
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
	if (v === undefined && op.saved[name] === undefined) return Math.fround(fromJson(op.attributes[name]?.[0] ?? name)); // as the op compares it
	return numbers(values[v]?.value ?? op.saved[name]);
}
// What a condition compares, as [cell of Y, number, number]. null: not on the page.
function comparedBy(op, [left, , right]) {
	const [A, B] = [left, right].map(name => namedIn(op, name)),
		y = values[op.out].shape;
	if (!A?.complete || !(typeof B === "number" || B?.complete)) return null;
	if (typeof B === "number") return range(A.data.length).map(i => [i, A.at(i), B]);
	const [a, b] = [left, right].map(name => op.letters.indexOf(name));
	return op.sums
		? termsOf(op).map(at => [at.at(-1), A.at(at[a]), B.at(at[b])])
		: range(product(y)).map(i => [i, A.at(narrowed(i, y, A.shape)), B.at(narrowed(i, y, B.shape))]);
}
// Whether a number is where two pieces meet, so that a rise and a fall need not move Y alike.
// moves(i): Y's number i moves the loss. near(v, i): number i of v is what moves.
function meets(op, piece, moves, near) {
	const [left, sign, right] = piece,
		[, x, index] = left.match(/^(\w+)\[(\w+)\]$/) ?? [],
		dim = op.attributes.dim?.[0];
	if (!SIGNS[sign]) {
		const [X, chosen = X] = (index ? [x, index] : right ? [left, right] : [sign]).map(name => namedIn(op, name));
		if (!X?.complete || !chosen?.complete) return false;
		const here = i => near(op.in[0], i);
		if (index) return tiesAt(X, chosen, dim, here);
		if (sign === "where") return tiesAcross(X, chosen, here);
		if (left === "max") return tiesOfLargest(X, dim, here);
		return X.data.some(
			(one, i) => here(i) && (left === "half" ? Math.abs(one % 1) === 0.5 : one !== 0 && Number.isInteger(one)),
		);
	}
	const compared = comparedBy(op, piece);
	if (!compared) return right === "0" && hasZeros(namedIn(op, left));
	const y = values[op.out].shape,
		here = i => !op.each || op.in.some(v => near(v, narrowed(i, y, values[v].shape)));
	return compared.some(([i, a, b]) => a === b && moves(i) && Number.isFinite(b) && here(i));
}
const anywhere = () => true;
function bendsAt(op, step, near = anywhere) {
	const dY = numbers(step.dY);
	return piecesOf(op).some(piece => meets(op, piece, i => !dY?.complete || dY.at(i) !== 0, near));
}
// Values that a small move of a leaf does not change: constants, and outputs of step functions.
const still = new Set(values.flatMap(({ op, wants }, v) => (op < 0 && !wants ? [v] : [])));
for (const op of ops)
	if ((op.pieces && !values[op.out].wants) || (op.in.length && op.in.every(v => still.has(v)))) still.add(op.out);
// For an op that passes no gradient: a small move may make it jump.
function jumpsAt(op, near = anywhere) {
	if (op.in[0] === op.in[1] || op.in.every(v => still.has(v))) return false;
	const [x, y] = [op.in[0], op.out].map(v => numbers(values[v]?.value));
	if (op.within || values[op.out].wants || !x?.complete || !y?.complete) return false;
	return piecesOf(op).some(piece => meets(op, piece, () => true, near));
}
// Whether of a line's cells one that is chosen has an equal that is not, and one of both moves.
const ties = (X, cells, chosen, here) =>
	cells.some(i => chosen(i) && cells.some(j => !chosen(j) && X.at(i) === X.at(j) && (here(i) || here(j))));
// Of each line: its largest number; the one that index I chooses; or those that a mask chooses.
function tiesOfLargest(X, dim, here) {
	const { line } = linesAlong(X.shape, dim);
	return range(X.data.length / X.shape[dim] || 0).some(y => {
		const cells = line(y),
			most = cells.reduce((a, b) => (X.at(b) > X.at(a) || Number.isNaN(X.at(b)) ? b : a));
		return ties(X, cells, i => i === most, here);
	});
}
function tiesAt(X, I, dim, here) {
	const inner = product(X.shape.slice(dim + 1)),
		n = I.shape[dim],
		{ line } = linesAlong(X.shape, dim);
	return range(I.data.length).some(i => {
		const cells = line(Math.floor(i / inner / n) * inner + (i % inner));
		return ties(X, cells, cell => cell === cells[I.at(i)], here);
	});
}
const tiesAcross = (X, M, here) =>
	range(X.rows).some(r => ties(X, linesAlong(X.shape, X.shape.length - 1).line(r), i => M.at(i), here));

// What the gradients are slopes of: the loss, if it is one number and backward began with 1.
function lossWord() {
	if (!tape.fromHere) return word("lossElsewhere");
	const began = numbers(backward[0].dY),
		y = nameShown(backward[0].value);
	if (began.data.some(g => g !== 1) || !began.complete) return word("lossWeighed", { y });
	return began.data.length === 1 ? word("theLoss") : word("lossSum", { y });
}
// The same standing alone: in Korean without its particle.
const lossName = () => lossWord().replace(/은$/, "");
// Its number, if it is one and on the page.
function lossNumber() {
	const y = tape.fromHere && backward.length ? numbers(values[backward[0].value].value) : null;
	return y?.data.length === 1 && numbers(backward[0].dY).at(0) === 1 ? y.at(0) : undefined;
}

// The distance to the next number of the tensor's precision.
const bitsOf = () => ({ 24: 32, 53: 64 })[run.digits ?? 24];
const stepOf = x => 2 ** (Math.floor(Math.log2(Math.max(Math.abs(x), 2 ** -126))) - (run.digits ?? 24) + 1);

// Sentences about cell i of a card with a value's gradient, or a contribution to it.
function meaningOf(s, card, i) {
	const { value, slope, array } = card;
	if (i < 0) return [];
	if (card.older) {
		const part = numbers(steps[s].adds[0].part),
			[before] = card.older;
		return [
			word("ofThisPass", {
				total: show(array.at(i)),
				earlier: show(before.at(i)),
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
	const own = card.key === "dY" || card.key === "total",
		doubt = doubtOf(value, i, own ? steps[s].doubt : doubts.get(value));
	if (doubt) return [word(...doubt)];
	if (!Number.isFinite(g)) return [word("noSlope")];
	if (is !== undefined && !Number.isFinite(is)) return [word("noLoss", { loss: show(is) })];
	return g === 0 ? [word("still", { c, loss })] : slopeSaid(value, i, { g, c, loss, is });
}
// What a slope g that is not 0 says of number i, called c, and of the loss, which `is` that number.
function slopeSaid(value, i, { g, c, loss, is }) {
	const x = numbers(values[value].value)?.at(i),
		by = x && Math.abs(x) < 1e-6 ? 10 ** Math.floor(Math.log10(Math.abs(x)) - 2) : 0.01,
		size = Math.abs(g) * by,
		fine = is !== undefined && size < stepOf(is);
	const stuck = x !== undefined && by < stepOf(x);
	return [
		word("meaning", {
			c,
			by: show(by, 2),
			loss,
			way: word(g < 0 ? "falls" : "rises"),
			g: show(Math.abs(g), 3),
			size: show(size, 3),
		}) +
			(stuck || fine
				? " " +
					word("tooFine", {
						step: show(stepOf(stuck ? x : is), 2),
						loss: show(stuck ? x : is, 4),
						bits: bitsOf(),
					})
				: ""),
		...(values[value].op < 0 && loss === word("theLoss")
			? [word(g > 0 ? "soLower" : "soRaise", { c, g: show(g, 3) })]
			: []),
	];
}
onUse.push(findDoubts);
findDoubts();
