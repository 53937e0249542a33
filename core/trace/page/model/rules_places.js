// ---- Rules: numbers that only move

// from(c, y cell) is the cell of X.
function moveRule(from) {
	return {
		Y: (c, y) => {
			const x = from(c, y);
			return x === null ? { terms: [], text: "0" } : { terms: [term(1, ref("X", x))] };
		},
		0: (c, x) => ({
			terms: range(product(c.shape("Y")))
				.filter(y => from(c, y) === x)
				.map(y => term(1, ref("dY", y))),
		}),
	};
}

const whereGradient = (which, chosen) => (c, cell) => ({
	terms: spread(cell, c.shape(which), c.shape("Y")).map(y => {
		const m = c.under("M", y);
		return { ...term(chosen(c.at("M", m)), ref("dY", y)), marks: [ref("M", m)] };
	}),
});

function gathered(c, y) {
	// Y[.., j, ..] = X[.., I[.., j, ..], ..]
	const dim = c.attribute("dim"),
		inner = product(c.shape("Y").slice(dim + 1));
	return (
		(Math.floor(y / inner / c.shape("Y")[dim]) * c.shape(0)[dim] + c.at("I", y)) * inner +
		(y % inner)
	);
}

// index_put: the elements of V that stay at a place of Y: the last one, or all if they accumulate.
function put(c, place) {
	const js = range(c.list("places").length).filter(j => c.list("places")[j] === place);
	return c.op.attributes.accumulate ? js : js.slice(-1);
}

// Where the numbers of a line stand in order, as topk has them: a NaN is the largest.
function ordered(list, largest) {
	const above = (a, b) => Number.isNaN(a) - Number.isNaN(b) || (a > b) - (a < b);
	return range(list.length).sort((i, j) => (largest ? -1 : 1) * above(list[i], list[j]) || i - j);
}
// k: 2, dim: 1
const argumentsOf = ({ attributes }) =>
	Object.entries(attributes)
		.flatMap(([name, [x, ...others]]) => (others.length ? [] : [`${name}: ${show(fromJson(x))}`]))
		.join(", ");
// value(order, k, c): of the k-th number along the line that y stands for.
const orderRule = value => ({
	Y: (c, y) => {
		const dim = c.op.attributes.dim ? c.attribute("dim") : c.shape("Y").length - 1,
			inner = product(c.shape(0).slice(dim + 1)),
			n = product(c.shape("Y")) / (product(c.shape(0)) / (c.shape(0)[dim] ?? 1)),
			cells = linesAlong(c.shape(0), dim).line(Math.floor(y / inner / n) * inner + (y % inner)),
			list = cells.map(i => c.at("X", i)),
			largest = c.op.attributes.largest ? c.attribute("largest") : true;
		return {
			refs: cells.map(i => ref("X", i)),
			text: `${c.op.op}(${joinedFirst(
				list.map(x => show(x)),
				", ",
			)}; ${argumentsOf(c.op)})`,
			value: value(ordered(list, largest), Math.floor(y / inner) % n, c),
		};
	},
});

Object.assign(RULES, {
	argmax: orderRule(order => order[0]),
	topk: orderRule((order, k) => order[k]),
	top_k_mask: orderRule((order, k, c) => +(order.indexOf(k) < c.attribute("k"))),
	detach: moveRule((c, y) => y),
	shift: moveRule((c, y) => y),
	clone: moveRule((c, y) => y),
	lost_view: moveRule((c, y) => y),
	reshape: moveRule((c, y) => y),
	expand: moveRule((c, y) => c.under(0, y)),
	permute: moveRule((c, y) => {
		const index = unravel(y, c.shape("Y")),
			from = [];
		c.op.attributes.order.forEach((d, i) => {
			from[d] = index[i];
		});
		return ravel(from, c.shape(0));
	}),
	slice: moveRule((c, y) => {
		const index = unravel(y, c.shape("Y"));
		index[c.attribute("dim")] += c.attribute("begin");
		return ravel(index, c.shape(0));
	}),
	index: moveRule((c, y) => c.list("places")[y]),
	index_put: {
		Y: (c, y) => {
			const js = put(c, y),
				terms = js.map(j => term(1, ref("V", j)));
			return {
				terms: js.length && !c.op.attributes.accumulate ? terms : [term(1, ref("X", y)), ...terms],
			};
		},
		0: (c, x) => ({
			terms: [
				term(Boolean(c.op.attributes.accumulate) || !c.list("places").includes(x), ref("dY", x)),
			],
		}),
		1: (c, j) => {
			const place = c.list("places")[j];
			return { terms: [term(put(c, place).includes(j), ref("dY", place))] };
		},
	},
	gather: {
		Y: (c, y) => ({ terms: [term(1, ref("X", gathered(c, y)))], marks: [ref("I", y)] }),
		0: (c, x) => {
			const ys = range(product(c.shape("Y"))).filter(y => gathered(c, y) === x);
			return { terms: ys.map(y => term(1, ref("dY", y))), marks: ys.map(y => ref("I", y)) };
		},
	},
	triu: moveRule((c, y) => {
		const [i, j] = unravel(y, c.shape("Y")).slice(-2);
		return j - i >= c.attribute("diagonal") ? y : null;
	}),
	repeat: moveRule((c, y) => {
		const index = unravel(y, c.shape("Y")),
			x = c.shape(0),
			free = index.length - x.length;
		return ravel(
			x.map((size, d) => index[d + free] % size),
			x,
		);
	}),
	masked_fill: {
		Y: (c, i) => ({
			refs: [ref("X", i), ref("M", narrowed(i, c.shape(0), c.shape(1)))],
			text: `M ≠ 0 ? ${show(c.attribute("value"))} : ${show(c.at("X", i))}`,
			value: c.at("M", narrowed(i, c.shape(0), c.shape(1))) ? c.attribute("value") : c.at("X", i),
		}),
		0: (c, i) => {
			const m = narrowed(i, c.shape(0), c.shape(1)),
				s = c.at("M", m) === 0;
			return { terms: [term(s, ref("dY", i))], marks: [ref("M", m)] };
		},
	},
	where: {
		Y: (c, y) => {
			const m = c.under("M", y),
				k = c.at("M", m) !== 0 ? 0 : 1;
			return { terms: [term(1, ref(c.letter(k), c.under(k, y)))], marks: [ref("M", m)] };
		},
		0: whereGradient(0, m => m !== 0),
		1: whereGradient(1, m => m === 0),
	},
	concat: target => {
		// The stretch of Y that input k fills, and the cell of its input for a cell of Y.
		const begin = (c, k) => range(k).reduce((sum, i) => sum + c.shape(i)[c.attribute("dim")], 0);
		if (target === "Y")
			return (c, y) => {
				const index = unravel(y, c.shape("Y")),
					dim = c.attribute("dim");
				const k = c.op.in.findIndex((_, i) => index[dim] < begin(c, i + 1));
				index[dim] -= begin(c, k);
				return { terms: [term(1, ref(c.letter(k), ravel(index, c.shape(k))))] };
			};
		return (c, x) => {
			const index = unravel(x, c.shape(target));
			index[c.attribute("dim")] += begin(c, target);
			return { terms: [term(1, ref("dY", ravel(index, c.shape("Y"))))] };
		};
	},
	embedding: {
		Y: (c, i) => {
			const n = c.shape(0)[1],
				r = Math.floor(i / n);
			return { terms: [term(1, ref("W", c.at("ids", r) * n + (i % n)))], marks: [ref("ids", r)] };
		},
		0: (c, i) => {
			const n = c.shape(0)[1],
				rows = range(product(c.shape(1))).filter(r => c.at("ids", r) === Math.floor(i / n));
			return {
				terms: rows.map(r => term(1, ref("dY", r * n + (i % n)))),
				marks: rows.map(r => ref("ids", r)),
			};
		},
	},
	index_add: {
		Y: (c, i) => {
			const n = product(c.shape(0).slice(1)),
				rows = range(product(c.shape("ids"))).filter(r => c.at("ids", r) === Math.floor(i / n));
			return {
				terms: [term(1, ref("X", i)), ...rows.map(r => term(1, ref("S", r * n + (i % n))))],
				marks: rows.map(r => ref("ids", r)),
			};
		},
		0: (c, i) => ({ terms: [term(1, ref("dY", i))] }),
		1: (c, i) => {
			const n = product(c.shape(0).slice(1)),
				r = Math.floor(i / n);
			return { terms: [term(1, ref("dY", c.at("ids", r) * n + (i % n)))], marks: [ref("ids", r)] };
		},
	},
});
