// Arrays as a page has them, and how they are drawn: by plain loops, for the tests in browser/.
"use strict";
const total = list => list.reduce((a, b) => a + b, 0);
const product = sizes => sizes.reduce((a, b) => a * b, 1);
const floats = array => [...new Float32Array(new Uint8Array(Buffer.from(array.v, "base64")).buffer)];
const places = ranges => ranges.flatMap(([from, to]) => span(to - from).map(i => from + i));
// The single numbers that a page has of an array, by their places: all, or its crops.
function numbersOf(array) {
	if (!array.block) return new Map(floats(array).entries());
	const found = new Map();
	for (const crop of array.crops) {
		const v = floats(crop),
			[rows, columns] = [places(crop.rows), places(crop.columns)];
		rows.forEach((r, i) => columns.forEach((c, j) => found.set(r * array.shape.at(-1) + c, v[i * columns.length + j])));
	}
	return found;
}
const shapeText = shape => "[" + shape.join(", ") + "]";
const span = n => [...Array(n).keys()];

// Five degrees of a sign: the k-th reaches from (k/5)² to ((k+1)/5)² of the largest.
function degree(x, largest) {
	if (Number.isNaN(x)) return "nan";
	if (x === 0) return "zero";
	const share = Math.abs(x) / largest;
	return (x > 0 ? "p" : "n") + (share >= 0.64 ? 4 : share >= 0.36 ? 3 : share >= 0.16 ? 2 : share >= 0.04 ? 1 : 0);
}
const largestOf = ({ stats }) => Math.max(Math.abs(stats.min), Math.abs(stats.max)) || 1;

// Draws from lists, always the same.
const draws = seed => list => list[(seed = (seed * 48271) % 2147483647) % list.length];

module.exports = { draws, total, product, floats, numbersOf, places, shapeText, span, degree, largestOf };
