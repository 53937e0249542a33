// ---- The tape, as it was recorded

const isLive = typeof Engine === "function",
	maker = isLive ? Engine.maker : null,
	given = JSON.parse(textOf("tape")),
	tape = maker ? await maker.tape(given) : given;
const { values, ops } = tape;
let { backward, arrays } = tape,
	decoded = [],
	steps = stepsOf();
function stepsOf() {
	return [
		...ops.map((op, i) => ({ forward: true, op: i, value: op.out })),
		...backward.map((step, i) => ({ ...step, forward: false, at: i })),
	];
}

// The numbers on show are a run's: the program's, which was recorded, or one of the engine.
const recorded = {
	...tape,
	decoded,
	values: values.map(({ value, grad }) => ({ value, grad })),
	ops: ops.map(({ saved }) => ({ saved })),
};
let run = recorded;
const onUse = []; // functions called after the run changes
function use(other) {
	run = other;
	({ backward, arrays } = run);
	decoded = run.decoded ??= [];
	steps = stepsOf();
	run.values.forEach(({ value, grad }, i) => Object.assign(values[i], { value, grad }));
	run.ops.forEach(({ saved }, i) => {
		ops[i].saved = saved;
	});
	for (const find of onUse) find();
}
// The result of find() with another run's numbers.
function within(other, find) {
	const now = run;
	if (other === now) return find();
	use(other);
	try {
		return find();
	} finally {
		use(now);
	}
}

function numbers(i) {
	return i === null || i === undefined
		? null
		: (decoded[i] ??= arrays[i].at === undefined ? new Numbers(arrays[i]) : numbersInMemory(run.engine, arrays[i]));
}

const shorten = name => (name.length > 40 ? name.slice(0, 38) + "…" : name);
function nameOf(i) {
	const value = values[i];
	if (value.name) return shorten(value.name);
	if (value.op >= 0) return "#" + ops[value.op].number;
	if (value.role === "leaf") return "leaf " + i;
	return value.shape.length || value.value === null ? "const " + i : show(numbers(value.value).at(0));
}
// attention.W_Q is shown as W_Q, unless another name ends in W_Q.
const shortNames = values.map((value, i) => (value.name.includes(".") ? nameOf(i).split(".").at(-1) : nameOf(i))),
	longNames = new Map(); // by short ones
values.forEach(({ name }, i) => name && push(longNames, shortNames[i], name));
const nameShown = i => (new Set(longNames.get(shortNames[i])).size > 1 ? nameOf(i) : shortNames[i]);
const refuses = op => Boolean(tape.refused) && op === ops.at(-1); // its inputs: it has no output
const dOf = i => "∂loss/∂" + nameShown(i);
const title = op => "#" + op.number + " " + op.op;

// A value's state at a step: its value, and the gradient so far with its sources.
const gradients = new Map();
function findGradients() {
	gradients.clear();
	backward.forEach((step, at) => {
		for (const add of step.adds) push(gradients, add.value, { ...add, at, leaf: step.op < 0 });
	});
	if (backward.length) push(gradients, backward[0].value, { at: -1, total: backward[0].dY });
}
onUse.push(findGradients);
findGradients();
function push(map, key, item) {
	map.has(key) ? map.get(key).push(item) : map.set(key, [item]);
}
// Its contributions from ops, in this pass.
const partsOf = value => (gradients.get(value) ?? []).filter(add => !add.leaf && add.at >= 0);
// One number's gradient in this pass: the sum of its contributions. null: none.
function slopeAt(value, i) {
	const parts = partsOf(value);
	return parts.length ? parts.reduce((sum, { part }) => sum + (numbers(part)?.at(i) ?? NaN), 0) : null;
}
// Why a number may not be changed: the program has read it, or what was computed from it, and the tape
// does not show what it did with that. Before an earlier pass: what a change leaves as it is.
function readBy(value) {
	const [how, line, earlier] = values[value]?.read ?? [];
	return how && word(earlier ? "wasReadEarlier" : "wasRead", { how: line ? `${how} (${line.join(":")})` : how });
}
const mayChange = value => !value.read || value.read[2];
const valueKnown = (i, s) => values[i].op < 0 || values[i].op <= s;
function gradientAt(i, s) {
	// null: not yet
	let found = null;
	for (const add of gradients.get(i) ?? []) if (ops.length + add.at <= s && s >= ops.length) found = add.total;
	return found;
}
