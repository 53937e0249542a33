// ---- What rules are made of: where a cell comes from
//
// A rule returns the recorded cells whose products add up to one cell. It only shows and marks: the
// result shown is always the recorded one. The rules_*.js add rules, for Y and for the gradient of
// each input:
//   {terms: [{c: constant, refs: [[letter, index], ...], size}], divide, marks, text, note}
// or, if it is no such sum, {text, value, size}: the value in double precision. c is false where
// nothing passes, not even infinity. `size` bounds rounding: the size of c or of the value before
// numbers cancelled.

const RULES = {};
const ref = (letter, i) => [letter, i];
const term = (c, ...refs) => ({ c, refs });
const sized = (c, size, ...refs) => ({ c, size, refs });

// The cell of x that was broadcast to cell `flat` of y; and all cells of y that x's cell went to.
function narrowed(flat, y, x) {
	const index = unravel(flat, y).slice(y.length - x.length);
	return ravel(
		index.map((i, d) => (x[d] === 1 ? 0 : i)),
		x,
	);
}
function spread(flat, x, y) {
	const index = unravel(flat, x),
		free = y.length - x.length;
	let found = [0];
	y.forEach((size, d) => {
		const stretched = d < free || (x[d - free] === 1 && size !== 1);
		const choices = stretched ? [...Array(size).keys()] : [index[d - free]];
		found = found.flatMap(f => choices.map(i => f * size + i));
	});
	return found;
}

// Along one dimension: the cells of the line that the reduced cell y stands for, and the reverse,
// with the place in the line.
function linesAlong(shape, dim) {
	const n = shape[dim],
		inner = product(shape.slice(dim + 1));
	return {
		line: y => range(n).map(k => (Math.floor(y / inner) * n + k) * inner + (y % inner)),
		of: x => ({
			y: Math.floor(x / (n * inner)) * inner + (x % inner),
			k: Math.floor(x / inner) % n,
		}),
	};
}
const rowOf = (c, i) => {
	const n = c.shape(0).at(-1);
	return range(n).map(j => Math.floor(i / n) * n + j);
};

const bracketed = text => (text.startsWith("−") ? `(${text})` : text);
// 0.5·(−2), −(−2); one factor alone has no brackets.
function times(c, factors) {
	const list = [...factors, ...(Math.abs(c) === 1 ? [] : [+c])],
		texts = list.map(x => show(x, (list.length > 1 && Math.abs(x) >= 1e-4 && Math.abs(x) < 1e6 ? 5 : 6) + more)); // five digits at least
	return texts.length === 1 && c !== -1 ? texts[0] : (c === -1 ? "−" : "") + texts.map(bracketed).join("·");
}

// The sum of all other terms before the division, if it is a number.
function foldedSum(shown, all, divide) {
	const sum = (all - shown.reduce((sum, one) => sum + one.value, 0)) * divide;
	return Number.isFinite(sum) ? sum : undefined;
}

// How far rounding may move a sum of n terms whose sizes add up to `size`.
const rounding = (n, size) => (n + 8) * (size * 2 ** -(run.digits ?? 24) + 2 ** -126);
// Whether rounding, or an overflow before the division, explains why the recorded x is not `sum`.
function agrees(sum, x, n, size, divide = 1) {
	return (
		alike(sum, x) ||
		Math.abs(sum - x) <= rounding(n, size) ||
		(!Number.isFinite(x) && !Number.isFinite(Math.fround(size * divide)))
	);
}

// a + (−b) + c, with the number and the sum of the terms left out.
function joined(texts, rest = 0, by = " + ", folded = undefined) {
	const shown = texts.map(text => (by === " + " && texts.length + rest > 1 ? bracketed(text) : text));
	return (
		shown.join(by) +
		(rest
			? by +
				(folded === undefined
					? word("more", { n: rest })
					: `(${word("others", { n: rest, s: show(folded, 4 + more) })})`)
			: "")
	);
}
const MOST_TERMS = 12;
const joinedFirst = (texts, by) => joined(texts.slice(0, MOST_TERMS), Math.max(0, texts.length - MOST_TERMS), by);

// −A[0]·B[0], and a factor that is no recorded cell, as a number.
function named({ c: factor, refs }, c) {
	const factors = refs.map(c.name);
	if (Math.abs(factor) !== 1) factors.push(bracketed(show(+factor, 5)));
	return (factor === -1 ? "−" : "") + factors.join("·");
}
