// ---- Rules: two tensors, number by number

// Operands A and B that broadcast. forward(a, b, r) and the factors of dY for each, forA(a, b, r):
// r(letter) is the cell of an operand, of Y or of dY, and a and b are the operands' numbers.
function pairRule(forward, forA, forB) {
	const at = (rule, c, y) => {
		const r = letter => ref(letter, /Y/.test(letter) ? y : c.under(letter, y));
		return rule(
			() => c.read(r("A")),
			() => c.read(r("B")),
			r,
		);
	};
	const gradient = (which, rule) => (c, cell) => ({
		terms: spread(cell, c.shape(which), c.shape("Y")).map(y => at(rule, c, y)),
	});
	return { Y: (c, y) => at(forward, c, y), 0: gradient(0, forA), 1: gradient(1, forB) };
}
const pair = r => [r("A"), r("B")];
// A sum of products; and what is none: its text and its value, from both numbers.
const sumOf =
	(...terms) =>
	(a, b, r) => ({ terms: terms.map(([c, ...letters]) => term(c, ...letters.map(r))) });
const worth = (text, value) => (a, b, r) => ({
	refs: pair(r),
	text: text(a(), b()),
	value: value(a(), b()),
});
const dYTimes = slope => (a, b, r) => ({ ...term(slope(a(), b()), r("dY")), marks: pair(r) });
const passed = c => (a, b, r) => term(c, r("dY"));

const share = (a, b) => (a === b ? 0.5 : !(a < b)); // NaN is not smaller

Object.assign(RULES, {
	add: pairRule(sumOf([1, "A"], [1, "B"]), passed(1), passed(1)),
	sub: pairRule(sumOf([1, "A"], [-1, "B"]), passed(1), passed(-1)),
	mul: pairRule(
		sumOf([1, "A", "B"]),
		(a, b, r) => term(1, r("dY"), r("B")),
		(a, b, r) => term(1, r("dY"), r("A")),
	),
	div: pairRule(
		worth(
			(a, b) => `${show(a)} / ${bracketed(show(b))}`,
			(a, b) => a / b,
		),
		(a, b, r) => ({ ...term(1 / b(), r("dY")), marks: [r("B")] }),
		dYTimes((a, b) => -a / b ** 2),
	),
	pow: pairRule(
		worth(
			(a, b) => `${bracketed(show(a))} ^ ${bracketed(show(b))}`,
			(a, b) => a ** b,
		),
		(x, y, r) => {
			const [a, b] = [x(), y()],
				s = b !== 0 && Math.fround(b * a ** (b - 1)), // may overflow
				power = Math.abs(b * Math.log(a)), // b − 1 is rounded
				size = Math.abs(s) * (1 + (Number.isFinite(power) ? power : 0));
			return { ...sized(s, size, r("dY")), marks: pair(r) };
		},
		(a, b, r) => {
			const s = (a() !== 0 || b() < 0) && Math.log(a());
			return { ...term(s, r("dY"), r("Y")), marks: pair(r) };
		},
	),
	maximum: pairRule(
		worth(
			(a, b) => `max(${show(a)}, ${show(b)})`,
			(a, b) => Math.max(a, b),
		),
		dYTimes(share),
		dYTimes((a, b) => share(b, a)),
	),
});
