// ---- Why a cell has its value, by its op's rule

class Missing extends Error {}
// What a rule may ask about an op at a step. Throws Missing.
function askedOf(step, op) {
	const array = name => {
		if (name === "dY") return numbers(step.dY);
		if (name === "Y") return numbers(values[op.out].value ?? op.saved.Y);
		const input = op.letters.indexOf(name);
		return numbers(input >= 0 ? (values[op.in[input]].value ?? op.saved[name]) : op.saved[name]);
	};
	const c = {
		op,
		array,
		letter: k => op.letters[k],
		attribute: name => c.list(name)[0],
		list(name) {
			if (!op.attributes[name]) throw new Missing();
			return op.attributes[name].map(fromJson);
		},
		shape: k => values[k === "Y" ? op.out : op.in[typeof k === "string" ? op.letters.indexOf(k) : k]].shape,
		at(name, j) {
			const x = array(name)?.at(j);
			if (x === undefined) throw new Missing();
			return x;
		},
		// The cell of input k that was broadcast to y.
		under: (k, y) => narrowed(y, c.shape("Y"), c.shape(k)),
		has: name => Boolean(array(name)),
		read: ([name, j]) => c.at(name, j),
		name: ([name, j]) => name + array(name).place(j),
	};
	return c;
}
// Why cell i of target ("Y", or an input's number) has its value: {text, refs, sum}; {none} without a
// rule, {missing} without a number that the rule needs.
function whyCell(step, target, i, recorded) {
	const op = ops[step.op],
		rules = RULES[op.op],
		rule = (typeof rules === "function" ? rules(target) : rules?.[target]) ?? ownRule(op, target);
	if (!rule) return { none: true };
	const c = askedOf(step, op);
	try {
		const why = rule(c, i),
			{ terms, refs = [], marks = [], text, note, value, size = Math.abs(value) } = why;
		if (terms) return whySum(c, why, recorded);
		return {
			text,
			note,
			apart: isApart(value, recorded, 1, size),
			sum: value,
			refs: [...refs, ...marks],
		};
	} catch (error) {
		if (error instanceof Missing)
			return { missing: true, changed: op.in.filter(v => values[v].changed).map(nameShown) };
		throw error;
	}
}
const isApart = (sum, recorded, ...how) =>
	sum !== undefined && recorded !== undefined && !agrees(sum, recorded, ...how);

// A rule's term with its factors' numbers, its value, and the slope by which a number of dY goes through
// it. Null if a number is missing.
function valued(c, one, divide) {
	const factors = one.refs.map(([name, i]) => c.array(name)?.at(i)),
		through = one.refs.findIndex(([letter]) => letter === "dY"),
		product = (c, list) => (one.c === false ? 0 : list.reduce((a, b) => a * b, +c) / divide);
	return factors.includes(undefined)
		? null
		: {
				...one,
				factors,
				value: product(one.c, factors),
				size: Math.abs(product(one.size ?? one.c, factors)),
				through: one.refs[through]?.[1],
				slope: product(
					one.c,
					factors.filter((_, k) => k !== through),
				),
			};
}
function whySum(c, { terms, divide = 1, marks = [], text, note }, recorded) {
	const found = terms.map(one => valued(c, one, divide)).filter(Boolean),
		all = found.length === terms.length,
		add = what => found.reduce((sum, one) => sum + one[what], 0),
		known = all ? add("value") : undefined,
		shown = terms.length > MOST_TERMS ? heaviest(found, terms, c, divide) : { terms: found };
	if (!all && !shown.share && shown.share !== null) throw new Missing();
	const texts = shown.terms.map(({ c: factor, factors }) => (factor === false ? "0" : times(factor, factors))),
		rest = terms.length - shown.terms.length,
		folded = rest ? foldedSum(shown.terms, known ?? recorded, divide) : undefined,
		over = text => (divide === 1 || !text ? text : `(${text}) / ${divide}`),
		share = { n: terms.length, k: shown.terms.length, p: shown.share };
	return {
		text: text ?? (over(joined(texts, rest, " + ", folded)) || "0"),
		sum: known,
		apart: isApart(known, recorded, terms.length, add("size"), divide),
		count: terms.length,
		terms: shown.terms,
		moves: all ? found.flatMap(({ slope, through }) => (slope !== 0 ? [through] : [])) : undefined,
		size: add("size"),
		note: rest && !text ? word(shown.share === null ? "foldedInfinite" : "folded", share) : note,
		names: over(
			joined(
				shown.terms.slice(0, HEAVIEST).map(t => named(t, c)),
				terms.length - Math.min(HEAVIEST, shown.terms.length),
			),
		),
		refs: [...shown.terms.flatMap(t => [...t.refs, ...(t.marks ?? [])]), ...marks],
	};
}

// The largest terms by size, and their share of all in per cent. In a plain sum over a tensor,
// missing numbers count with its mean size.
const HEAVIEST = 5;
function heaviest(found, terms, c, divide) {
	const size = one => sizeOf(one.value);
	const top = [...found].sort((a, b) => larger(b.value, a.value) - larger(a.value, b.value)).slice(0, HEAVIEST);
	const add = list => list.reduce((sum, one) => sum + size(one), 0);
	if (!Number.isFinite(add(top))) return { terms: top, share: null }; // NaN and infinity have no share
	let all = add(found);
	if (found.length < terms.length) {
		const x = c.array(terms[0].refs[0][0]);
		if (!x || terms.length !== product(x.shape) || terms.some(t => t.refs.length !== 1)) return { terms: top };
		all = (x.stats.size * terms.length * Math.abs(terms[0].c)) / divide;
	}
	return { terms: top, share: all ? +((100 * add(top)) / all).toPrecision(2) : 100 };
}
