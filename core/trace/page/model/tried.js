// ---- A change's effect as predicted by the slope, and as computed -------------------------------

// The distance from x at which a slope is measured, on either side.
const spanAt = x => 0.005 * Math.max(1, Math.abs(x));

// The side of the op's kink on which each number is; null for other ops and for large tensors.
function sidesOf(op) {
	const X = ofInput(op, 0, "X");
	const [lo, hi] = boundsOf(op),
		side = { relu: x => x > 0, abs: x => x > 0, clamp: x => (x >= lo) + (x > hi) }[op.op];
	if (side) return X?.complete ? [...X.kept].map(side) : null;
	const A = ofInput(op, 0, "A"),
		B = ofInput(op, 1, "B"),
		y = values[op.out].shape;
	return op.op === "maximum" && A?.complete && B?.complete
		? range(product(y)).map(i => A.at(narrowed(i, y, A.shape)) > B.at(narrowed(i, y, B.shape)))
		: null;
}
function crossed(before) {
	const after = ops.map(sidesOf);
	return ops.flatMap((op, k) => {
		const n = before[k]?.filter((side, i) => side !== after[k][i]).length;
		return n ? [word("switched", { op: title(op), n })] : [];
	});
}

// Why a measured slope differs from the computed one: the loss's precision, or a kink.
function fineness(m, g, width, loss) {
	const e = stepOf(loss) / width,
		gap = Math.abs(m - g);
	if (!(gap > 0.005 * Math.abs(g))) return "";
	return (
		" " +
		(gap > 16 * e
			? word("curves", { h: show(width / 2, 2) })
			: word("fineSlope", { e: show(e, 2), loss: show(loss, 4), bits: bitsOf() }))
	);
}

// How many numbers differ between two runs, and the largest difference relative to the largest
// number of its tensor. NaN equals NaN.
function apart(one, other) {
	const [all, others] = [one, other].map(of =>
			within(of, () => of.values.map(({ value }) => numbers(value))),
		),
		found = { n: 0, all: 0, d: 0 };
	all.forEach((a, v) => {
		for (const i of a && others[v] ? a.cells : []) {
			const [x, y] = [a.at(i), others[v].at(i)],
				d = alike(x, y) ? 0 : Math.abs(x - y) / a.largest;
			++found.all;
			found.n += d !== 0;
			if (d > found.d || Number.isNaN(d)) found.d = d;
		}
	});
	return found;
}
