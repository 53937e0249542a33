// ---- Where a cell comes from
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
		texts = list.map(x =>
			show(x, (list.length > 1 && Math.abs(x) >= 1e-4 && Math.abs(x) < 1e6 ? 5 : 6) + more),
		); // five digits at least
	return texts.length === 1 && c !== -1
		? texts[0]
		: (c === -1 ? "−" : "") + texts.map(bracketed).join("·");
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
	const shown = texts.map(text =>
		by === " + " && texts.length + rest > 1 ? bracketed(text) : text,
	);
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
const joinedFirst = (texts, by) =>
	joined(texts.slice(0, MOST_TERMS), Math.max(0, texts.length - MOST_TERMS), by);

// −A[0]·B[0], and a factor that is no recorded cell, as a number.
function named({ c: factor, refs }, c) {
	const factors = refs.map(c.name);
	if (Math.abs(factor) !== 1) factors.push(bracketed(show(+factor, 5)));
	return (factor === -1 ? "−" : "") + factors.join("·");
}

// Why cell i of target ("Y", or an input's number) has its value: {text, refs, sum}, or null if
// there is no rule or a number is missing.
class Missing extends Error {}
function whyCell(step, target, i, recorded) {
	const op = ops[step.op],
		rules = RULES[op.op];
	const rule =
		(typeof rules === "function" ? rules(target) : rules?.[target]) ?? ownRule(op, target);
	if (!rule) return { none: true };
	const arrayOf = name => {
		if (name === "dY") return numbers(step.dY);
		if (name === "Y") return numbers(values[op.out].value ?? op.saved.Y);
		const input = op.letters.indexOf(name);
		return numbers(input >= 0 ? (values[op.in[input]].value ?? op.saved[name]) : op.saved[name]);
	};
	const c = {
		op,
		letter: k => op.letters[k],
		attribute: name => c.list(name)[0],
		list(name) {
			if (!op.attributes[name]) throw new Missing();
			return op.attributes[name].map(fromJson);
		},
		shape: k =>
			values[k === "Y" ? op.out : op.in[typeof k === "string" ? op.letters.indexOf(k) : k]].shape,
		at(name, j) {
			const x = arrayOf(name)?.at(j);
			if (x === undefined) throw new Missing();
			return x;
		},
		// The cell of input k that was broadcast to y.
		under: (k, y) => narrowed(y, c.shape("Y"), c.shape(k)),
		has: name => Boolean(arrayOf(name)),
		read: ([name, j]) => c.at(name, j),
		name: ([name, j]) => name + arrayOf(name).place(j),
	};
	const over = (text, divide) => (divide === 1 || !text ? text : `(${text}) / ${divide}`);
	try {
		const {
			terms,
			refs = [],
			marks = [],
			text,
			note,
			divide = 1,
			value,
			size = Math.abs(value),
		} = rule(c, i);
		const off = (sum, n, size) =>
			sum !== undefined && recorded !== undefined && !agrees(sum, recorded, n, size, divide);
		if (!terms)
			return { text, note, apart: off(value, 1, size), sum: value, refs: [...refs, ...marks] };
		const valued = [];
		for (const one of terms) {
			const factors = one.refs.map(r => arrayOf(r[0])?.at(r[1])),
				through = one.refs.findIndex(([letter]) => letter === "dY");
			const along = (c, list) => (one.c === false ? 0 : list.reduce((a, b) => a * b, +c) / divide);
			if (!factors.includes(undefined))
				valued.push({
					...one,
					factors,
					value: along(one.c, factors),
					size: Math.abs(along(one.size ?? one.c, factors)),
					through: one.refs[through]?.[1],
					slope: along(
						one.c,
						factors.filter((_, k) => k !== through),
					),
				});
		}
		const all = valued.length === terms.length,
			moves = all
				? valued.flatMap(({ slope, through }) => (slope !== 0 ? [through] : []))
				: undefined,
			add = what => valued.reduce((sum, one) => sum + one[what], 0);
		const known = all ? add("value") : undefined;
		const shown =
			terms.length > MOST_TERMS ? heaviest(valued, terms, arrayOf, divide) : { terms: valued };
		if (!all && !shown.share && shown.share !== null) throw new Missing();
		const texts = shown.terms.map(({ c: factor, factors }) =>
			factor === false ? "0" : times(factor, factors),
		);
		const rest = terms.length - shown.terms.length,
			folded = rest ? foldedSum(shown.terms, known ?? recorded, divide) : undefined;
		return {
			text: text ?? (over(joined(texts, rest, " + ", folded), divide) || "0"),
			sum: known,
			apart: off(known, terms.length, add("size")),
			count: terms.length,
			terms: shown.terms,
			moves,
			size: add("size"),
			note:
				rest && !text
					? word(shown.share === null ? "foldedInfinite" : "folded", {
							n: terms.length,
							k: shown.terms.length,
							p: shown.share,
						})
					: note,
			names: over(
				joined(
					shown.terms.slice(0, HEAVIEST).map(t => named(t, c)),
					terms.length - Math.min(HEAVIEST, shown.terms.length),
				),
				divide,
			),
			refs: [...shown.terms.flatMap(t => [...t.refs, ...(t.marks ?? [])]), ...marks],
		};
	} catch (error) {
		if (error instanceof Missing)
			return { missing: true, changed: op.in.filter(v => values[v].changed).map(nameShown) };
		throw error;
	}
}

// The largest terms by size, and their share of all in per cent. In a plain sum over a tensor,
// missing numbers count with its mean size.
const MOST_TERMS = 12,
	HEAVIEST = 5;
function heaviest(valued, terms, arrayOf, divide) {
	const size = one => sizeOf(one.value);
	const top = [...valued]
		.sort((a, b) => larger(b.value, a.value) - larger(a.value, b.value))
		.slice(0, HEAVIEST);
	const add = list => list.reduce((sum, one) => sum + size(one), 0);
	if (!Number.isFinite(add(top))) return { terms: top, share: null }; // NaN and infinity have no share
	let all = add(valued);
	if (valued.length < terms.length) {
		const x = arrayOf(terms[0].refs[0][0]);
		if (!x || terms.length !== product(x.shape) || terms.some(t => t.refs.length !== 1))
			return { terms: top };
		all = (x.stats.size * terms.length * Math.abs(terms[0].c)) / divide;
	}
	return { terms: top, share: all ? +((100 * add(top)) / all).toPrecision(2) : 100 };
}
