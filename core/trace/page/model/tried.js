// ---- A change's effect as predicted by the slope, and as computed -------------------------------

// The distance from x at which a slope is measured, on either side.
const spanAt = x => 0.005 * Math.max(1, Math.abs(x));

Object.assign(Bench.prototype, {
	// A step large enough for the loss to show it: `least`, or tens of it.
	riseOf({ value, i }, least = 0.01) {
		const slope = Math.abs(slopeAt(value, i) ?? 0),
			x = Math.abs(this.given(value)[i]),
			fine = 16 * stepOf(this.lossNow());
		let times = 1;
		while (slope && slope * least * times < fine && least * times < Math.max(1, x)) times *= 10;
		return least * times;
	},
	riseButton(cell) {
		const x = this.given(cell.value)[cell.i];
		if (this.isMask(cell.value) || slopeAt(cell.value, cell.i) === null || !Number.isFinite(x))
			return [];
		const rise = this.riseOf(cell),
			text = "+" + show(rise, 2);
		return [
			make(
				"button.rise",
				{
					"aria-label": `${this.nameOf(cell)} ${text}`,
					onclick: () => {
						this.choose(cell.value, cell.i),
							this.set(Math.fround(this.given(cell.value)[cell.i] + rise));
					},
				},
				text,
			),
		];
	},
	nameOf: ({ value, i }) =>
		nameShown(value) +
		(values[value].shape.length ? "[" + unravel(i, values[value].shape).join(", ") + "]" : ""),

	// Of the number being changed: its slope at the start, and the loss since then.
	compared() {
		const { value, i, name } = this.touched,
			{ x, loss, slope, sides } = this.began,
			now = this.given(value)[i];
		const p = (slope ?? NaN) * (now - x),
			r = this.lossNow() - loss,
			step = stepOf(loss);
		if (x === now || !Number.isFinite(p) || !Number.isFinite(r)) return [];
		const said = [
			word("bySlope", { c: name, a: show(x), b: show(now), p: show(p, 3), r: show(r, 3) }),
		];
		if (p !== 0 && Math.abs(p) < step)
			said.push(word("tooFine", { step: show(step, 2), loss: show(loss, 4), bits: bitsOf() }));
		else if (Math.abs(r - p) > 0.1 * Math.abs(p) + 2 * step) said.push(...crossed(sides));
		return [make("p.compared", said.join(" "))];
	},
});

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

// How many numbers differ between two states, and the largest difference relative to the largest
// number of its tensor. NaN equals NaN.
function apart(one, other) {
	const [all, others] = [one, other].map(state =>
			within(state, () => state.values.map(({ value }) => numbers(value))),
		),
		found = { n: 0, all: 0, d: 0 };
	all.forEach((a, v) => {
		for (const i of a && others[v] ? a.cells : []) {
			const [x, y] = [a.at(i), others[v].at(i)],
				d = alike(x, y) ? 0 : Math.abs(x - y) / a.largest;
			++found.all, (found.n += d !== 0), (found.d = d > found.d || Number.isNaN(d) ? d : found.d);
		}
	});
	return found;
}
