// What each op computes, by plain loops in double precision, for the tests in browser/: its output from
// its inputs {shape, v: [numbers]}, its attributes and what it saved.
"use strict";
const { product, span, total } = require("./arrays.js");

const unravel = (flat, shape) =>
	shape.reduceRight((index, size) => [flat % size, ...((flat = Math.floor(flat / size)), index)], []);
const ravel = (index, shape) => shape.reduce((flat, size, d) => flat * size + index[d], 0);
const at = (x, index) =>
	x.v[
		ravel(
			x.shape.map((size, d) => (size === 1 ? 0 : index[d + index.length - x.shape.length])),
			x.shape,
		)
	];
const each =
	f =>
	({ inputs, shape, of }) =>
		span(product(shape)).map(i => f(...inputs.map(x => at(x, unravel(i, shape))), of));
// The numbers of x along `dim`, for each place of the rest.
function lines({ shape, v }, dim) {
	const n = shape[dim],
		inner = product(shape.slice(dim + 1));
	return span(product(shape) / n).map(r => span(n).map(k => v[(Math.floor(r / inner) * n + k) * inner + (r % inner)]));
}
const rows =
	f =>
	({ inputs: [x, ...rest], of, saved }) =>
		lines(x, x.shape.length - 1).flatMap((row, r) => f(row, rest, of, r, saved));
const along =
	f =>
	({ inputs: [x], of }) =>
		lines(x, of.dim[0]).map(f);
const summed =
	f =>
	({ inputs: [x], of, shape }) => {
		const found = span(product(of.summed)).map(() => []);
		x.v.forEach((number, i) =>
			found[
				ravel(
					unravel(i, x.shape).map((k, d) => (of.summed[d] === 1 ? 0 : k)),
					of.summed,
				)
			].push(number),
		);
		return found.map(list => f(list, of)).slice(0, product(shape));
	};
const softmax = row => row.map(x => Math.exp(x - Math.max(...row))).map((e, _, all) => e / total(all));
const logSoftmax = row =>
	row.map(x => x - Math.max(...row) - Math.log(total(row.map(y => Math.exp(y - Math.max(...row))))));
// From 0 to x, by Simpson's rule.
function erf(x) {
	if (Math.abs(x) > 6) return Math.sign(x);
	const h = x / 400,
		f = i => Math.exp(-((i * h) ** 2)) * (i % 400 ? (i % 2 ? 4 : 2) : 1);
	return (((2 / Math.sqrt(Math.PI)) * h) / 3) * total(span(401).map(f));
}
const sigmoid = x => 1 / (1 + Math.exp(-x)),
	bound = x => ({ inf: Infinity, "-inf": -Infinity })[x] ?? x;
const clamp = (x, low, high) => Math.min(Math.max(x, bound(low)), bound(high));
const moved =
	from =>
	({ inputs: [x], shape, of }) =>
		span(product(shape)).map(i => {
			const index = from(unravel(i, shape), of, x.shape);
			return index ? at(x, index) : 0;
		});
function product_(transposed) {
	return ({ inputs: [A, B], shape }) => {
		const k = A.shape.at(-1);
		return span(product(shape)).map(cell => {
			const index = unravel(cell, shape),
				[i, j] = [index.slice(0, -1), index.at(-1)];
			return total(
				span(k).map(
					m => at(A, [...i, m]) * at(B, transposed ? [j, m] : [...(B.shape.length > 2 ? i.slice(0, -1) : []), m, j]),
				),
			);
		});
	};
}
function crossEntropy({ inputs: [x, t], of }) {
	const [s] = of.smoothing,
		n = x.shape.at(-1);
	return [
		total(
			lines(x, x.shape.length - 1).map((row, r) =>
				t.v[r] === of.ignore[0] ? 0 : -total(logSoftmax(row).map((p, j) => p * (s / n + (1 - s) * (j === t.v[r])))),
			),
		) / of.rows[0],
	];
}
function put({ inputs: [x, v], of }) {
	const y = [...x.v];
	of.places.forEach((place, j) => {
		y[place] = (of.accumulate ? y[place] : 0) + v.v[j];
	});
	return y;
}

const numeral = text => Number(text.replaceAll("−", "-").replace("∞", "Infinity"));
const functions = {
	erf,
	erfc: x => 1 - erf(x),
	exp2: x => 2 ** x,
	sigmoid,
	silu: x => x * sigmoid(x),
	gelu: x => (x * (1 + erf(x / Math.SQRT2))) / 2,
	gelu_tanh: x => x * sigmoid(2 * Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)),
};
const named =
	"abs exp log sqrt tanh sin cos tan asin acos atan sinh cosh asinh acosh atanh log2 log10 log1p expm1".split(" ");
// The value of "exp(−1.5) / (2·3 + 1)", or null if it is no such sum.
function evaluate(text) {
	const code = text
		.replaceAll("−", "-")
		.replaceAll("·", "*")
		.replaceAll("∞", "Infinity")
		.replaceAll("²", " ** 2")
		.replaceAll("^", "**")
		.replace(/\|([^|]*)\|/g, "abs($1)")
		.replace(new RegExp(`\\b(${named.join("|")}|max|min|atan2)\\(`, "g"), "Math.$1(")
		.replaceAll("√(", "Math.sqrt(")
		.replaceAll("σ(", "sigmoid(");
	const rest = code
		.replace(/Math\.\w+|Infinity|NaN/g, "")
		.replace(/\w+(?=\()/g, name => (name in functions ? "" : name));
	if (!/\d/.test(code) || /[^\s\d.+*/(),e-]/.test(rest)) return null;
	return Number(new Function(...Object.keys(functions), `return ${code};`)(...Object.values(functions)));
}

module.exports = {
	// Of an op that is new, element by element, a page may show nothing but its formula.
	known: op => op in module.exports.reference || /^(checkpoint|dropout_mask|fused_feed_forward)$/.test(op),
	unravel,
	ravel,
	evaluate,
	numeral,
	reference: {
		add: each((a, b) => a + b),
		sub: each((a, b) => a - b),
		mul: each((a, b) => a * b),
		div: each((a, b) => a / b),
		pow: each((a, b) => a ** b),
		neg: each(x => -x),
		relu: each(x => Math.max(x, 0)),
		clamp: each((x, of) => clamp(x, of.lo[0], of.hi[0])),
		maximum: each((a, b) => Math.max(a, b)),
		...Object.fromEntries("half bfloat16 clone expand".split(" ").map(op => [op, each(x => x)])),
		...Object.fromEntries(Object.entries(functions).map(([op, f]) => [op, each(f)])),
		remainder: each((a, b) => a - Math.floor(a / b) * b),
		...Object.fromEntries([...named, "trunc"].map(op => [op, each(x => Math[op](x))])),
		leaky_relu: each((x, of) => (x > 0 ? x : of.a[0] * x)),
		hardtanh: each((x, of) => clamp(x, of.a[0], of.b[0])),
		elu: each((x, of) => (x > 0 ? x : of.a[0] * Math.expm1(x))),
		softplus: each((x, of) => (of.a[0] * x > of.b[0] ? x : Math.log1p(Math.exp(of.a[0] * x)) / of.a[0])),
		where: each((a, b, m) => (m ? a : b)),
		masked_fill: each((x, m, of) => (m ? of.value[0] : x)),
		reshape: ({ inputs: [x] }) => [...x.v],
		eq: each((a, b) => +(a === b)),
		gt: each((a, b) => +(a > b)),
		lt: each((a, b) => +(a < b)),
		permute: moved((index, of) => of.order.reduce((from, d, i) => ((from[d] = index[i]), from), [])),
		slice: moved((index, of) => index.map((k, d) => k + (d === of.dim[0] ? of.begin[0] : 0))),
		triu: moved((index, of) => (index.at(-1) - index.at(-2) >= of.diagonal[0] ? index : null)),
		repeat: moved((index, of, shape) => shape.map((size, d) => index[d + index.length - shape.length] % size)),
		index: ({ inputs: [x], of }) => of.places.map(place => x.v[place]),
		index_put: put,
		gather: ({ inputs: [x, places], shape, of, saved }) =>
			span(product(shape)).map(i => {
				const index = unravel(i, shape);
				index[of.dim[0]] = (places ?? saved.I).v[i];
				return at(x, index);
			}),
		embedding: ({ inputs: [w, ids] }) => ids.v.flatMap(id => span(w.shape[1]).map(j => w.v[id * w.shape[1] + j])),
		index_add: ({ inputs: [x, s, ids] }) => {
			const y = [...x.v],
				n = product(x.shape.slice(1));
			s.v.forEach((number, i) => {
				y[ids.v[Math.floor(i / n)] * n + (i % n)] += number;
			});
			return y;
		},
		concat: ({ inputs, shape, of }) =>
			span(product(shape)).map(i => {
				const index = unravel(i, shape);
				let k = 0;
				while (index[of.dim[0]] >= inputs[k].shape[of.dim[0]]) index[of.dim[0]] -= inputs[k++].shape[of.dim[0]];
				return at(inputs[k], index);
			}),
		matmul: product_(false),
		batched_matmul: product_(false),
		linear: product_(true),
		sum: summed(total),
		mean: summed(list => total(list) / list.length),
		std: summed((list, of) => Math.sqrt(total(list.map(x => (x - total(list) / list.length) ** 2)) / of.degrees[0])),
		softmax: rows(softmax),
		log_softmax: rows(logSoftmax),
		cross_entropy: crossEntropy,
		layer_norm: rows((row, [w, b], of) => {
			const m = total(row) / row.length,
				d = Math.sqrt(total(row.map(x => (x - m) ** 2)) / row.length + (of.eps?.[0] ?? 1e-5));
			return row.map((x, j) => ((x - m) / d) * w.v[j] + b.v[j]);
		}),
		amax: along(line => Math.max(...line)),
		prod: along(line => line.reduce((a, b) => a * b)),
		cumsum: ({ inputs: [x], of }) => {
			const y = [...x.v],
				n = x.shape[of.dim[0]],
				inner = product(x.shape.slice(of.dim[0] + 1));
			y.forEach((_, i) => {
				if (Math.floor(i / inner) % n) y[i] += y[i - inner];
			});
			return y;
		},
	},
};
