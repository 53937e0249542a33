// ---- Rules: sums of products, and ops without a rule here

// The terms behind a cell of target ("Y", or an input's number), or all of the op's: the cell of each
// input and, last, of Y. Of a sum by its letters: ["ik", "kj", "ij"]; else element by element.
function termsOf(op, target, cell) {
	const shapes = [...op.in, op.out].map(v => values[v].shape),
		own = target === "Y" ? op.in.length : target;
	if (!op.sums)
		return spread(cell, shapes[own], shapes.at(-1)).map(y => shapes.map(x => narrowed(y, shapes.at(-1), x)));
	const strides = op.sums.map((letters, k) =>
			[...letters].map((letter, d) => [letter, product(shapes[k].slice(d + 1))]),
		),
		sizes = new Map(op.sums.flatMap((letters, k) => [...letters].map((l, d) => [l, shapes[k][d]]))),
		at = new Map(cell === undefined ? [] : unravel(cell, shapes[own]).map((index, d) => [op.sums[own][d], index]));
	return [...sizes].reduce(
		(found, [letter, size]) => {
			const steps = strides.map(all => all.find(([l]) => l === letter)?.[1] ?? 0),
				indices = at.has(letter) ? [at.get(letter)] : range(size);
			return found.flatMap(cells => indices.map(i => cells.map((x, k) => x + i * steps[k])));
		},
		[shapes.map(() => 0)],
	);
}

// What the op's own formulas say that target is.
function ownFormula({ forward, gradient, letters }, target) {
	const name = target === "Y" ? "Y" : "d" + letters[target];
	return [forward.split(/, (?=\S+ = )/)[0], ...gradient.split(/ {2,}/)]
		.map(one => one.match(/^([^ []+)\S* \+?= (.*)$/))
		.find(one => one?.[1] === name)?.[2];
}
// The formula with the numbers of its attributes, and of these cells for its letters.
const withNumbers = (op, formula, letter = () => null) =>
	formula.replace(/\p{L}+[₁₂\d]*/gu, name => {
		const list = op.attributes[name],
			x = list?.length === 1 ? fromJson(list[0]) : letter(name);
		return x === null ? name : bracketed(show(x));
	});

// An op of which only its own words are known.
function ownRule(op, target) {
	if (!op.sums && !op.each) return;
	return (c, cell) => {
		const all = termsOf(op, target, cell),
			names = target === "Y" ? op.letters : [...op.letters, "dY"],
			refs = cells => names.map((name, k) => ref(name, cells[k]));
		if (op.sums && !op.pieces)
			return {
				terms: all.map(cells => {
					const factors = refs(cells).slice(0, op.in.length);
					if (target !== "Y") factors[target] = ref("dY", cells.at(-1));
					return term(1, ...factors);
				}),
			};
		const formula = ownFormula(op, target) ?? (target === "Y" ? op.forward : op.gradient),
			number = name => (all.length === 1 && names.includes(name) ? c.at(name, all[0][names.indexOf(name)]) : null);
		return { text: withNumbers(op, formula, number), refs: all.flatMap(refs) };
	};
}
