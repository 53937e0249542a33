// ---- Rules: two tensors, number by number

// Two operands that broadcast: factors of dY for each.
function pairRule(forward, forA, forB) {
	const refs = (c, y) => letter => ref(letter, /Y/.test(letter) ? y : c.under(letter, y));
	const gradient = (which, factors) => (c, cell) => ({
		terms: spread(cell, c.shape(which), c.shape("Y")).map(y => factors(c, y, refs(c, y))),
	});
	return {
		Y: (c, y) => forward(c, y, refs(c, y)),
		0: gradient(0, forA),
		1: gradient(1, forB),
	};
}

const share = (a, b) => (a === b ? 0.5 : !(a < b)); // NaN is not smaller

// A − n·B, n = A/B rounded towards −∞.
function restRule() {
	const rest = (a, b) => {
		const r = a % b;
		return r !== 0 && r < 0 !== b < 0 ? r + b : r;
	};
	const n = (a, b) => {
		if (b === 0) return a / b;
		if (Math.abs(b) < Infinity || !Number.isFinite(a)) return Math.round((a - rest(a, b)) / b);
		return rest(a, b) === a ? 0 : -1;
	};
	const whole = (n, b) =>
		n || Number.isFinite(b) ? `${bracketed(show(n))}·${bracketed(show(b))}` : "0";
	return pairRule(
		(c, y, r) => {
			const [a, b] = both(c, r);
			return {
				refs: pair(r),
				value: rest(a, b),
				size: Math.abs(a) + Math.abs(b),
				text: `${show(a)} − ${whole(n(a, b), b)}`,
			};
		},
		(c, y, r) => term(1, r("dY")),
		(c, y, r) => ({ ...term(-n(...both(c, r)), r("dY")), marks: pair(r) }),
	);
}
const pair = r => [r("A"), r("B")],
	both = (c, r) => pair(r).map(c.read);

const compareRule = (sign, holds) => ({
	Y: (c, y) => {
		const refs = [0, 1].map(k => ref(c.letter(k), c.under(k, y))),
			[a, b] = refs.map(c.read);
		return { refs, text: `[${show(a)} ${sign} ${show(b)}]`, value: +holds(a, b) };
	},
});

Object.assign(RULES, {
	remainder: restRule(),
	add: pairRule(
		(c, y, r) => ({ terms: [term(1, r("A")), term(1, r("B"))] }),
		(c, y, r) => term(1, r("dY")),
		(c, y, r) => term(1, r("dY")),
	),
	sub: pairRule(
		(c, y, r) => ({ terms: [term(1, r("A")), term(-1, r("B"))] }),
		(c, y, r) => term(1, r("dY")),
		(c, y, r) => term(-1, r("dY")),
	),
	mul: pairRule(
		(c, y, r) => ({ terms: [term(1, r("A"), r("B"))] }),
		(c, y, r) => term(1, r("dY"), r("B")),
		(c, y, r) => term(1, r("dY"), r("A")),
	),
	div: pairRule(
		(c, y, r) => ({
			refs: pair(r),
			text: `${show(c.read(r("A")))} / ${bracketed(show(c.read(r("B"))))}`,
			value: c.read(r("A")) / c.read(r("B")),
		}),
		(c, y, r) => ({ ...term(1 / c.read(r("B")), r("dY")), marks: [r("B")] }),
		(c, y, r) => ({
			...term(-c.read(r("A")) / c.read(r("B")) ** 2, r("dY")),
			marks: pair(r),
		}),
	),
	pow: pairRule(
		(c, y, r) => ({
			refs: pair(r),
			text: `${bracketed(show(c.read(r("A"))))} ^ ${bracketed(show(c.read(r("B"))))}`,
			value: c.read(r("A")) ** c.read(r("B")),
		}),
		(c, y, r) => {
			const [a, b] = both(c, r),
				s = b !== 0 && Math.fround(b * a ** (b - 1)), // may overflow
				power = Math.abs(b * Math.log(a)); // b − 1 is rounded
			return {
				...sized(s, Math.abs(s) * (1 + (Number.isFinite(power) ? power : 0)), r("dY")),
				marks: pair(r),
			};
		},
		(c, y, r) => {
			const [a, b] = both(c, r);
			return {
				...term((a !== 0 || b < 0) && Math.log(a), r("dY"), r("Y")),
				marks: pair(r),
			};
		},
	),
	maximum: pairRule(
		(c, y, r) => ({
			refs: pair(r),
			text: `max(${both(c, r)
				.map(x => show(x))
				.join(", ")})`,
			value: Math.max(...both(c, r)),
		}),
		(c, y, r) => ({
			...term(share(...both(c, r)), r("dY")),
			marks: pair(r),
		}),
		(c, y, r) => ({
			...term(share(...both(c, r).reverse()), r("dY")),
			marks: pair(r),
		}),
	),
	eq: compareRule("=", (a, b) => a === b),
	gt: compareRule(">", (a, b) => a > b),
	lt: compareRule("<", (a, b) => a < b),
});
