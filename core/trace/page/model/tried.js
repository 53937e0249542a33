// ---- A change's effect as predicted by the slope, and as computed

// The distance from x at which a slope is measured, on either side.
const spanAt = x => 0.005 * Math.max(1, Math.abs(x));

// On which sides of the op's kinks each number is; null for other ops and for large tensors.
function sidesOf(op) {
	const pieces = piecesOf(op).filter(([, sign]) => SIGNS[sign]),
		all = op.gradient === "" ? [] : pieces.map(piece => comparedBy(op, piece));
	if (!all.length || all.includes(null)) return null;
	const holds = (k, [, a, b]) => SIGNS[pieces[k][1]](a, b);
	return all[0].map((_, i) => all.reduce((side, list, k) => 2 * side + holds(k, list[i]), 0));
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
