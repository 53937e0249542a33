// ---- Rules: numbers that only move

// from(c, y cell) is the cell of X, or of another letter; null: Y is 0 there. marks(c, y): what chooses it.
function moveRule(from, letter = "X", marks = () => []) {
	return {
		Y: (c, y) => {
			const x = from(c, y);
			return x === null ? { terms: [], text: "0" } : { terms: [term(1, ref(letter, x))], marks: marks(c, y) };
		},
		0: (c, x) => {
			const ys = range(product(c.shape("Y"))).filter(y => from(c, y) === x);
			return { terms: ys.map(y => term(1, ref("dY", y))), marks: ys.flatMap(y => marks(c, y)) };
		},
	};
}
const same = moveRule((c, y) => y);
// The cell of X at the index that change() makes of Y's.
const indexRule = change => moveRule((c, y) => ravel(change(unravel(y, c.shape("Y")), c), c.shape(0)));

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
	return (Math.floor(y / inner / c.shape("Y")[dim]) * c.shape(0)[dim] + c.at("I", y)) * inner + (y % inner);
}

// index_put: the elements of V that stay at a place of Y: the last one, or all if they accumulate.
function put(c, place) {
	const js = range(c.list("places").length).filter(j => c.list("places")[j] === place);
	return c.op.attributes.accumulate ? js : js.slice(-1);
}

// The row of Y that a cell is in, and the cell of row r of X at its column.
const rowSize = c => product(c.shape(0).slice(1)),
	inRow = (c, r, i) => r * rowSize(c) + (i % rowSize(c)),
	rowAt = (c, i) => Math.floor(i / rowSize(c));

Object.assign(RULES, {
	detach: same,
	shift: same,
	clone: same,
	lost_view: same,
	reshape: same,
	expand: moveRule((c, y) => c.under(0, y)),
	permute: indexRule((index, c) => {
		const from = [];
		c.op.attributes.order.forEach((d, i) => {
			from[d] = index[i];
		});
		return from;
	}),
	slice: indexRule((index, c) => index.map((i, d) => (d === c.attribute("dim") ? i + c.attribute("begin") : i))),
	repeat: indexRule((index, c) => c.shape(0).map((size, d) => index[d + index.length - c.shape(0).length] % size)),
	index: moveRule((c, y) => c.list("places")[y]),
	gather: moveRule(gathered, "X", (c, y) => [ref("I", y)]),
	embedding: moveRule(
		(c, i) => inRow(c, c.at("ids", rowAt(c, i)), i),
		"W",
		(c, i) => [ref("ids", rowAt(c, i))],
	),
	triu: moveRule((c, y) => {
		const [i, j] = unravel(y, c.shape("Y")).slice(-2);
		return j - i >= c.attribute("diagonal") ? y : null;
	}),
	index_put: {
		Y: (c, y) => {
			const terms = put(c, y).map(j => term(1, ref("V", j))),
				stays = !terms.length || c.op.attributes.accumulate;
			return { terms: [...(stays ? [term(1, ref("X", y))] : []), ...terms] };
		},
		0: (c, x) => {
			const stays = Boolean(c.op.attributes.accumulate) || !c.list("places").includes(x);
			return { terms: [term(stays, ref("dY", x))] };
		},
		1: (c, j) => {
			const place = c.list("places")[j];
			return { terms: [term(put(c, place).includes(j), ref("dY", place))] };
		},
	},
	masked_fill: {
		Y: (c, i) => {
			const m = c.under(1, i),
				[x, value] = [c.at("X", i), c.attribute("value")];
			return {
				refs: [ref("X", i), ref("M", m)],
				text: `M ≠ 0 ? ${show(value)} : ${show(x)}`,
				value: c.at("M", m) ? value : x,
			};
		},
		0: whereGradient(0, m => m === 0),
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
	concat: target => (c, cell) => {
		// Input k fills Y from begin(k) on.
		const dim = c.attribute("dim"),
			begin = k => range(k).reduce((sum, i) => sum + c.shape(i)[dim], 0),
			index = unravel(cell, c.shape(target)),
			k = target === "Y" ? c.op.in.findIndex((_, i) => index[dim] < begin(i + 1)) : target;
		index[dim] += (target === "Y" ? -1 : 1) * begin(k);
		return {
			terms: [
				target === "Y"
					? term(1, ref(c.letter(k), ravel(index, c.shape(k))))
					: term(1, ref("dY", ravel(index, c.shape("Y")))),
			],
		};
	},
	index_add: {
		Y: (c, i) => {
			const rows = range(product(c.shape("ids"))).filter(r => c.at("ids", r) === rowAt(c, i));
			return {
				terms: [term(1, ref("X", i)), ...rows.map(r => term(1, ref("S", inRow(c, r, i))))],
				marks: rows.map(r => ref("ids", r)),
			};
		},
		0: (c, i) => ({ terms: [term(1, ref("dY", i))] }),
		1: (c, i) => ({
			terms: [term(1, ref("dY", inRow(c, c.at("ids", rowAt(c, i)), i)))],
			marks: [ref("ids", rowAt(c, i))],
		}),
	},
});
