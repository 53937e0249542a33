// ---- The tape, as it was recorded

const bytesOf = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
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
function use(other) {
	run = other;
	({ backward, arrays } = run);
	decoded = run.decoded ??= [];
	steps = stepsOf();
	run.values.forEach(({ value, grad }, i) => Object.assign(values[i], { value, grad }));
	run.ops.forEach(({ saved }, i) => {
		ops[i].saved = saved;
	});
	findGradients();
	findDoubts();
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

function unravel(flat, shape) {
	const index = new Array(shape.length);
	for (let d = shape.length - 1; d >= 0; --d) {
		index[d] = flat % shape[d];
		flat = Math.floor(flat / shape[d]);
	}
	return index;
}
const product = sizes => sizes.reduce((a, b) => a * b, 1);
const shapeText = shape => "[" + shape.join(", ") + "]";

const floats = text => new Float32Array(bytesOf(text).buffer);
const places = ranges =>
	ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i));

// A recorded array. Cell i >= 0 is number i. In a large one, cell -1 - k is block k, which shows
// its most outstanding number; its crops hold single numbers.
class Numbers {
	constructor({ shape, v, kept, block, gaps, crops, stats, read }) {
		Object.assign(this, { shape, block, stats, read });
		this.kept = kept ?? floats(v);
		this.gaps = gaps ? bytesOf(gaps) : null;
		this.columns = shape.length ? shape[shape.length - 1] : 1;
		this.rows = this.columns ? product(shape) / this.columns : 0;
		[this.high, this.wide] = block ?? [1, 1];
		this.down = Math.ceil(this.rows / this.high);
		this.across = Math.ceil(this.columns / this.wide);
		this.largest = Math.max(Math.abs(+stats.min || 0), Math.abs(+stats.max || 0)) || 1;
		this.crops = (crops ?? []).map(({ rows, columns, v }) => {
			const at = list => new Map(list.map((i, k) => [i, k]));
			return {
				rows: places(rows),
				columns: places(columns),
				row: at(places(rows)),
				column: at(places(columns)),
				kept: floats(v),
			};
		});
	}
	get complete() {
		return !this.block;
	}
	at(i) {
		// undefined: not on the page
		if (i < 0) return this.kept[-1 - i];
		if (this.complete) return this.kept[i];
		if (this.read) return this.read(i);
		const r = Math.floor(i / this.columns),
			c = i % this.columns;
		for (const crop of this.crops)
			if (crop.row.has(r) && crop.column.has(c))
				return crop.kept[crop.row.get(r) * crop.columns.length + crop.column.get(c)];
	}
	get cells() {
		return this.complete
			? range(this.kept.length)
			: [
					...new Set(
						this.crops.flatMap(({ rows, columns }) =>
							rows.flatMap(r => columns.map(c => r * this.columns + c)),
						),
					),
				];
	}
	blockOf(i) {
		return (
			Math.floor(Math.floor(i / this.columns) / this.high) * this.across +
			Math.floor((i % this.columns) / this.wide)
		);
	}
	blockSize(k) {
		const rest = (n, each, at) => Math.min(each, n - at * each);
		return (
			rest(this.rows, this.high, Math.floor(k / this.across)) *
			rest(this.columns, this.wide, k % this.across)
		);
	}
	// The share of zeros in block k.
	zeros(k) {
		return this.gaps ? this.gaps[k] / 255 : 0;
	}
	// 7 -> "[0, 1, 3]"; a block: "[0, 0, 0]..[0, 7, 31]"; a scalar: "".
	place(i) {
		if (!this.shape.length) return "";
		if (i >= 0) return this.index(i);
		const row = Math.floor((-1 - i) / this.across) * this.high,
			column = ((-1 - i) % this.across) * this.wide,
			last = Math.min(row + this.high, this.rows) - 1,
			end = Math.min(column + this.wide, this.columns) - 1;
		return this.index(row * this.columns + column) + ".." + this.index(last * this.columns + end);
	}
	index(flat) {
		return "[" + unravel(flat, this.shape).join(", ") + "]";
	}
	cell(index) {
		// the reverse: the number's cell, or its block's
		if (
			index.length !== this.shape.length ||
			this.shape.some((size, i) => !(index[i] >= 0 && index[i] < size))
		)
			return null;
		const flat = ravel(index, this.shape);
		return this.at(flat) === undefined ? -1 - this.blockOf(flat) : flat;
	}
}
const range = n => [...Array(n).keys()];
const ravel = (index, shape) => shape.reduce((flat, size, d) => flat * size + index[d], 0);
function numbers(i) {
	return i === null || i === undefined
		? null
		: (decoded[i] ??=
				arrays[i].at === undefined
					? new Numbers(arrays[i])
					: numbersInMemory(run.engine, arrays[i]));
}

// 0.1234, -12.3, 1.2e-05; shorter in cells. `more` digits are in a sum that is not true with less.
let more = 0;
function show(x, digits = 6 + more) {
	if (Number.isNaN(x)) return "NaN";
	if (!Number.isFinite(x)) return x < 0 ? "−∞" : "∞";
	if (x === 0) return "0";
	const size = Math.abs(x);
	const text =
		size < 1e-4 || size >= 1e6
			? x.toExponential(Math.max(digits - 2, 1))
			: String(+x.toPrecision(digits));
	return text.replaceAll("-", "−").replace("e+", "e");
}
// JSON has NaN and infinities as words.
const fromJson = x => ({ inf: Infinity, "-inf": -Infinity })[x] ?? Number(x);
const alike = (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b));
// "−1.5" or "∞", as the page shows it or as it is typed. undefined: no number.
function numberIn(text) {
	const x = Number(text.replaceAll("−", "-").replace("∞", "Infinity"));
	return !text.trim() || (Number.isNaN(x) && text !== "NaN") ? undefined : x;
}
// A number's size among others: NaN is as large as infinity, since it makes all of a sum NaN.
const sizeOf = x => (Number.isNaN(x) ? Infinity : Math.abs(x));
const larger = (a, b) => sizeOf(a) > sizeOf(b);
function bytesText(n) {
	for (const unit of ["B", "kB", "MB"]) {
		const shown = +n.toPrecision(3);
		if (shown < 1000) return shown + " " + unit;
		n /= 1000;
	}
	return +n.toPrecision(3) + " GB";
}

const shorten = name => (name.length > 40 ? name.slice(0, 38) + "…" : name);
function nameOf(i) {
	const value = values[i];
	if (value.name) return shorten(value.name);
	if (value.op >= 0) return "#" + ops[value.op].number;
	if (value.role === "leaf") return "leaf " + i;
	return value.shape.length || value.value === null
		? "const " + i
		: show(numbers(value.value).at(0));
}
// attention.W_Q is shown as W_Q, unless another name ends in W_Q.
const shortNames = values.map((value, i) =>
		value.name.includes(".") ? nameOf(i).split(".").at(-1) : nameOf(i),
	),
	longNames = new Map(); // by short ones
values.forEach(({ name }, i) => name && push(longNames, shortNames[i], name));
const nameShown = i => (new Set(longNames.get(shortNames[i])).size > 1 ? nameOf(i) : shortNames[i]);
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
findGradients();
function push(map, key, item) {
	map.has(key) ? map.get(key).push(item) : map.set(key, [item]);
}
// Its contributions from ops, in this pass.
const partsOf = value => (gradients.get(value) ?? []).filter(add => !add.leaf && add.at >= 0);
// One number's gradient in this pass: the sum of its contributions. null: none.
function slopeAt(value, i) {
	const parts = partsOf(value);
	return parts.length
		? parts.reduce((sum, { part }) => sum + (numbers(part)?.at(i) ?? NaN), 0)
		: null;
}
// Why a number may not be changed: the program has read it, or what was computed from it, and the tape
// does not show what it did with that.
function readBy(value) {
	const [how, line] = values[value]?.read ?? [];
	return how && word("wasRead", { how: line ? `${how} (${line.join(":")})` : how });
}
const valueKnown = (i, s) => values[i].op < 0 || values[i].op <= s;
function gradientAt(i, s) {
	// null: not yet
	let found = null;
	for (const add of gradients.get(i) ?? [])
		if (ops.length + add.at <= s && s >= ops.length) found = add.total;
	return found;
}
