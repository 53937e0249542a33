// ---- A number's path to the loss
//
// By the chain rule, a gradient is a sum over all paths to the loss, each a product of slopes. This
// is the largest path: at each op, the largest term of the sum. A slope is the term's factor of dY
// in the op's rule.

function pathFrom(value, i) {
	const path = [];
	let product = 1,
		cut = false, // where nothing passes, not even NaN
		error = 0,
		others = 0, // what the other paths add up to, and how far rounding may move that
		noise = 0;
	for (;;) {
		const { parts, add, why, term, stop, whole = false } = largestTerm(value, i);
		if (stop) return { path, end: value, endCell: i, whole, error, others, noise, stop };
		const step = backward[add.at],
			op = ops[step.op],
			part = numbers(add.part).at(i),
			{ slope } = term;
		if (why.count > 1 || parts.length > 1) {
			const total = parts.reduce((sum, add) => sum + numbers(add.part).at(i), 0);
			others += product * (total - term.value);
			noise += Math.abs(product) * rounding(why.count + parts.length, why.size + Math.abs(total));
		}
		cut ||= term.c === false;
		product = cut ? 0 : product * slope;
		error += slope && !op.rounds && rounding(2, term.size) / Math.abs(term.value);
		path.push({
			value,
			i,
			op,
			hooked: step.hooked,
			cell: numbers(add.part).index(i),
			step: ops.length + add.at,
			input: add.input,
			slope,
			product,
			count: why.count,
			part: term.value,
			rest: part - term.value,
			ways: parts.length,
		});
		value = op.out;
		i = term.through;
	}
}
// Of number i's contributions the largest, and its largest term; or why the path stops.
function largestTerm(value, i) {
	const parts = partsOf(value).filter(add => numbers(add.part)?.at(i) !== undefined);
	if (!parts.length) return { stop: ["pathBroken"], whole: value === backward[0]?.value };
	const add = parts.reduce((a, b) => (larger(numbers(b.part).at(i), numbers(a.part).at(i)) ? b : a)),
		step = backward[add.at],
		part = numbers(add.part).at(i),
		why = whyCell({ ...step, forward: false }, add.input, i, part);
	if (why.apart) return { stop: ["apart_", { s: show(why.sum, 9), r: show(part, 9) }] };
	if (why.terms?.length) return { parts, add, why, term: why.terms.reduce((a, b) => (heavier(b, a) ? b : a)) };
	const known = why.terms ? "pathNone" : why.missing ? "pathBroken" : "pathHidden";
	return { stop: [known, { op: title(ops[step.op]) }] };
}
// How the way's slopes, and what backward began with, compare with all of the gradient.
function verdictOf({ path, endCell, error, others, noise }, value, i) {
	const total = numbers((gradients.get(value) ?? []).filter(add => !add.leaf).at(-1)?.total)?.at(i),
		began = numbers(backward[0].dY).at(endCell) ?? 1;
	const whole = path.length ? path.at(-1).product * began : began,
		g = total ?? whole,
		alone = path.every(one => one.count === 1 && one.ways === 1);
	const back = (product, { slope }) => Math.fround(product * Math.fround(slope)), // may overflow
		agree =
			[whole, path.reduceRight(back, began)].some(x => agrees(x, g, 0, 0)) ||
			(Number.isFinite(whole - g) &&
				Math.abs(whole - g) <= error * Math.abs(whole) + rounding(path.length, Math.abs(g)));
	const altered = doubts.get(value)?.[0] === "altered" || path.some(one => one.hooked);
	const verdict = altered
		? "altered"
		: alone
			? agree
				? "pathOnly"
				: path.some(({ op }) => op.rounds)
					? "pathRounds"
					: "apart_"
			: !Number.isFinite(g)
				? "noSlope"
				: agree && Math.abs(others) <= noise
					? "pathAll"
					: "pathShare";
	return { began, whole, g, verdict };
}
// Without a gradient, slopes alone decide.
const heavier = (a, b) =>
	larger(a.value, b.value) || (a.value === 0 && b.value === 0 && Math.abs(a.slope) > Math.abs(b.slope));
