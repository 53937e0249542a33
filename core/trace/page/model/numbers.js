// ---- Arrays and their numbers, as the page shows them

const bytesOf = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));

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
const places = ranges => ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i));

// A recorded array. Cell i >= 0 is number i. In a large one, cell -1 - k is block k, which shows
// its most outstanding number; its crops hold single numbers.
class Numbers {
	constructor({ shape, v, data, block, gaps, crops, stats, read }) {
		Object.assign(this, { shape, block, stats, read });
		this.data = data ?? floats(v);
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
				data: floats(v),
			};
		});
	}
	get complete() {
		return !this.block;
	}
	at(i) {
		// undefined: not on the page
		if (i < 0) return this.data[-1 - i];
		if (this.complete) return this.data[i];
		if (this.read) return this.read(i);
		const r = Math.floor(i / this.columns),
			c = i % this.columns;
		for (const crop of this.crops)
			if (crop.row.has(r) && crop.column.has(c))
				return crop.data[crop.row.get(r) * crop.columns.length + crop.column.get(c)];
	}
	get cells() {
		return this.complete
			? range(this.data.length)
			: [
					...new Set(
						this.crops.flatMap(({ rows, columns }) => rows.flatMap(r => columns.map(c => r * this.columns + c))),
					),
				];
	}
	blockOf(i) {
		return (
			Math.floor(Math.floor(i / this.columns) / this.high) * this.across + Math.floor((i % this.columns) / this.wide)
		);
	}
	blockSize(k) {
		const rest = (n, each, at) => Math.min(each, n - at * each);
		return rest(this.rows, this.high, Math.floor(k / this.across)) * rest(this.columns, this.wide, k % this.across);
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
		if (index.length !== this.shape.length || this.shape.some((size, i) => !(index[i] >= 0 && index[i] < size)))
			return null;
		const flat = ravel(index, this.shape);
		return this.at(flat) === undefined ? -1 - this.blockOf(flat) : flat;
	}
}
const range = n => [...Array(n).keys()];
const ravel = (index, shape) => shape.reduce((flat, size, d) => flat * size + index[d], 0);

// 0.1234, -12.3, 1.2e-05; shorter in cells. `more` digits are in a sum that is not true with less.
let more = 0;
function show(x, digits = 6 + more) {
	if (Number.isNaN(x)) return "NaN";
	if (!Number.isFinite(x)) return x < 0 ? "−∞" : "∞";
	if (x === 0) return "0";
	const size = Math.abs(x);
	const text = size < 1e-4 || size >= 1e6 ? x.toExponential(Math.max(digits - 2, 1)) : String(+x.toPrecision(digits));
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
