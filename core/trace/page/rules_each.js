// ---- Rules: element by element ------------------------------------------------------------------

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

// Element by element: y = f(x), and the slope that multiplies dY, from x() or y(): the tape may
// have only one of them. Also their sizes before numbers cancelled out.
const sigma = x => 1 / (1 + Math.exp(-x));
function eachRule(name, f, slope, says, size = slope, near = Math.abs) {
	return {
		Y: (c, i) => ({
			refs: [ref("X", i)],
			text: name(c, show(c.at("X", i))),
			value: f(c.at("X", i), c),
			size: near(f(c.at("X", i), c), c.at("X", i)),
		}),
		0: (c, i) => {
			const of = [() => c.at("X", i), () => c.at("Y", i), c],
				s = slope(...of);
			return {
				terms: [sized(s, size(...of), ref("dY", i))],
				marks: [ref("X", i), ref("Y", i)],
				text: says(c, i, +s),
			};
		},
	};
}
const called = name => (c, x) => `${name}(${x})`;
const slopeText = formula => (c, i, s) =>
	`${show(c.at("dY", i))} · ${bracketed(show(s))}    (${formula} = ${show(s)})`;
const gate = (c, i, s) =>
	`${s ? show(c.at("dY", i)) + " · 1" : "0"}    (${c.has("X") ? "X = " + show(c.at("X", i)) : "Y = " + show(c.at("Y", i))}: ${word(s ? "passes" : "cutOff")})`;

// The normal distribution's Φ(x) − 1/2 by its series, and Φ(−x) of a large x by its continued fraction.
const density = x => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
function central(x) {
	if (Math.abs(x) > 3) return Math.sign(x) * (0.5 - tail(Math.abs(x)));
	let sum = x,
		part = x;
	for (let k = 1; k < 40; ++k) sum += part *= (x * x) / (2 * k + 1);
	return sum * density(x);
}
function tail(x) {
	let rest = 0;
	for (let k = 60; k; --k) rest = k / (x + rest);
	return density(x) / (x + rest);
}
const normal = x => (x < -3 ? tail(-x) : 0.5 + central(x));
const gelu = x => (x === -Infinity ? 0 : x * normal(x)),
	erf = x => 2 * central(x * Math.SQRT2),
	bell = x => (Math.exp(-x * x) * 2) / Math.sqrt(Math.PI);
const tanhU = x => Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)),
	slopeOfU = x => Math.sqrt(2 / Math.PI) * (1 + 3 * 0.044715 * x ** 2);
const square = x => Math.fround(x * x); // it overflows as the op's
const share = (a, b) => (a === b ? 0.5 : !(a < b)); // NaN is not smaller
// A rounded slope is not computed; `unit` is the relative step of a 16-bit number.
const roundedRule = (unit, most) => ({
	Y: (c, i) => ({
		refs: [ref("X", i)],
		text: `16 bits of ${show(c.at("X", i), 9)}`,
		value: Math.abs(c.at("X", i)) < most ? c.at("X", i) : c.at("X", i) * Infinity,
		size: Math.abs(c.at("X", i)) * unit + 1e-4 * unit,
	}),
	0: (c, i) => ({
		terms: [sized(1, unit, ref("dY", i))],
		text: `16 bits of ${show(c.at("dY", i), 9)}`,
	}),
});
// pow's gradient is 0 if dY is 0, even if the slope is infinite.
const reached = (slope, dY) => (dY !== 0 || Number.isFinite(slope) ? slope : false);

// A − n·B, n = A/B rounded towards 0 or −∞.
function restRule(floored) {
	const rest = (a, b) => {
		const r = a % b;
		return floored && r !== 0 && r < 0 !== b < 0 ? r + b : r;
	};
	const n = (a, b) => {
		if (b === 0) return a / b;
		if (Math.abs(b) < Infinity || !Number.isFinite(a)) return Math.round((a - rest(a, b)) / b);
		return rest(a, b) === a ? 0 : -1;
	};
	const whole = (n, b) =>
		n || Number.isFinite(b) ? `${bracketed(show(n))}·${bracketed(show(b))}` : "0";
	const slope = floored ? n : (a, b) => Math.trunc(Math.fround(a / b)); // the op rounds A/B first
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
		(c, y, r) => ({ ...term(-slope(...both(c, r)), r("dY")), marks: pair(r) }),
	);
}
const pair = r => [r("A"), r("B")],
	both = (c, r) => pair(r).map(c.read);
const angle = of => (c, y, r) => {
	const [a, b] = both(c, r);
	return { ...term(of(a, b) / (square(a) + square(b)), r("dY")), marks: pair(r) };
};

const compareRule = (sign, holds) => ({
	Y: (c, y) => {
		const refs = [0, 1].map(k => ref(c.letter(k), c.under(k, y))),
			[a, b] = refs.map(c.read);
		return { refs, text: `[${show(a)} ${sign} ${show(b)}]`, value: +holds(a, b) };
	},
});

Object.assign(RULES, {
	remainder: restRule(true),
	fmod: restRule(false),
	atan2: pairRule(
		(c, y, r) => ({
			refs: pair(r),
			text: `atan2(${both(c, r)
				.map(x => show(x))
				.join(", ")})`,
			value: Math.atan2(...both(c, r)),
		}),
		angle((a, b) => b),
		angle(a => -a),
	),
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
			const [a, b] = both(c, r);
			return {
				...term(b === 0 ? false : reached(b * a ** (b - 1), c.read(r("dY"))), r("dY")),
				marks: pair(r),
			};
		},
		(c, y, r) => {
			const [a, b] = both(c, r);
			return {
				...term(a === 0 && b >= 0 ? false : reached(Math.log(a), c.read(r("dY"))), r("dY"), r("Y")),
				marks: pair(r),
			};
		},
	),
	clamp: eachRule(
		(c, x) => `min(max(${x}, ${show(c.attribute("lo"))}), ${show(c.attribute("hi"))})`,
		(x, c) => Math.min(Math.max(x, c.attribute("lo")), c.attribute("hi")),
		(x, y, c) => x() >= Math.fround(c.attribute("lo")) && x() <= Math.fround(c.attribute("hi")),
		gate,
	),
	relu: eachRule(
		(c, x) => `max(0, ${x})`,
		x => Math.max(0, x),
		(x, y, c) => !((c.has("Y") ? y() : x()) <= 0),
		gate,
	),
	neg: eachRule(
		(c, x) => "−" + bracketed(x),
		x => -x,
		() => -1,
		slopeText("−1"),
	),
	abs: eachRule(
		(c, x) => `|${x}|`,
		Math.abs,
		x => (x() > 0) - (x() < 0),
		slopeText("sign X"),
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
	half: roundedRule(2 ** 13, 65520),
	bfloat16: roundedRule(2 ** 16, 2 ** 128),
	trunc: {
		Y: (c, i) => ({
			refs: [ref("X", i)],
			text: `${show(c.at("X", i))}, ${word("wholePart")}`,
			value: Math.trunc(c.at("X", i)),
		}),
	},
	eq: compareRule("=", (a, b) => a === b),
	gt: compareRule(">", (a, b) => a > b),
	lt: compareRule("<", (a, b) => a < b),
	round: {
		Y: (c, i) => {
			const x = c.at("X", i),
				even = Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x);
			return { refs: [ref("X", i)], text: `round(${show(x)})`, value: even };
		},
	},
	dropout_mask: {
		Y: (c, i) => ({ text: c.at("Y", i) ? `1, ${word("keptCell")}` : `0, ${word("droppedCell")}` }),
	},
});

// From x(), y() and the op's arguments: f, its slope, and the slope's formula.
const a = c => c.attribute("a"),
	b = c => c.attribute("b"),
	one = () => 1,
	upTo = x => 1 + Math.abs(x());
const inverse = (a, b, power) => (a + b) * Math.abs(a - b) ** power; // of a − b, before it cancelled
for (const [op, f, slope, formula, size, name = op, near] of [
	["exp", Math.exp, (x, y) => y(), "exp X"],
	["log", Math.log, x => 1 / x(), "1/X"],
	["sqrt", Math.sqrt, (x, y) => 1 / (2 * y()), "1/(2Y)", undefined, "√"],
	["tanh", Math.tanh, (x, y) => 1 - y() * y(), "1 − Y²", one],
	["sigmoid", sigma, (x, y) => y() * (1 - y()), "Y·(1 − Y)", (x, y) => y(), "σ"],
	[
		"silu",
		x => x * sigma(x),
		x => sigma(x()) * (1 + x() * (1 - sigma(x()))),
		"σ(X)·(1 + X·(1 − σ(X)))",
		upTo,
	],
	["erf", erf, x => bell(x()), "exp(−X²)·2/√π", x => bell(x()) * (1 + x() * x())],
	[
		"gelu",
		gelu,
		x => normal(x()) + x() * density(x()),
		"Φ(X) + X·φ(X)",
		upTo,
		"gelu",
		(y, x) => Math.abs(y) * (1 + x * x),
	],
	[
		"gelu_tanh",
		x => (x * (1 + tanhU(x))) / 2,
		x => (1 + tanhU(x()) + x() * (1 - tanhU(x()) ** 2) * slopeOfU(x())) / 2,
		"(1 + tanh U)/2 + X·(1 − tanh² U)·U'/2",
		upTo,
		"gelu_tanh",
		(y, x) => Math.abs(x),
	],
	["sin", Math.sin, x => Math.cos(x()), "cos X", one],
	["cos", Math.cos, x => -Math.sin(x()), "−sin X", one],
	["tan", Math.tan, (x, y) => 1 + y() ** 2, "1 + Y²"],
	[
		"asin",
		Math.asin,
		x => 1 / Math.sqrt(1 - x() ** 2),
		"1/√(1 − X²)",
		x => inverse(1, x() ** 2, -1.5),
	],
	[
		"acos",
		Math.acos,
		x => -1 / Math.sqrt(1 - x() ** 2),
		"−1/√(1 − X²)",
		x => inverse(1, x() ** 2, -1.5),
	],
	["atan", Math.atan, x => 1 / (1 + x() ** 2), "1/(1 + X²)"],
	["sinh", Math.sinh, x => Math.cosh(x()), "cosh X"],
	["cosh", Math.cosh, x => Math.sinh(x()), "sinh X"],
	["asinh", Math.asinh, x => 1 / Math.sqrt(square(x()) + 1), "1/√(X² + 1)"],
	[
		"acosh",
		Math.acosh,
		x => 1 / Math.sqrt(square(x()) - 1),
		"1/√(X² − 1)",
		x => inverse(x() ** 2, 1, -1.5),
	],
	["atanh", Math.atanh, x => 1 / (1 - x() ** 2), "1/(1 − X²)", x => inverse(1, x() ** 2, -2)],
	["log2", Math.log2, x => 1 / (x() * Math.LN2), "1/(X·ln 2)"],
	["log10", Math.log10, x => 1 / (x() * Math.LN10), "1/(X·ln 10)"],
	["log1p", Math.log1p, x => 1 / (1 + x()), "1/(1 + X)", x => upTo(x) / (1 + x()) ** 2],
	["exp2", x => 2 ** x, (x, y) => y() * Math.LN2, "Y·ln 2"],
	["expm1", Math.expm1, (x, y) => y() + 1, "Y + 1", (x, y) => upTo(y)],
	[
		"erfc",
		x => 2 * normal(-x * Math.SQRT2),
		x => -bell(x()),
		"−exp(−X²)·2/√π",
		x => bell(x()) * (1 + x() * x()),
	],
	["leaky_relu", (x, c) => (x > 0 ? x : a(c) * x), (x, y, c) => (x() > 0 ? 1 : a(c)), "1 or a"],
	[
		"hardtanh",
		(x, c) => Math.min(Math.max(x, a(c)), b(c)),
		(x, y, c) => +(x() > a(c) && x() < b(c)),
		"1 or 0",
	],
	[
		"elu",
		(x, c) => (x > 0 ? x : a(c) * Math.expm1(x)),
		(x, y, c) => (x() > 0 ? 1 : a(c) * Math.exp(x())),
		"1 or a·exp X",
	],
	[
		"softplus",
		(x, c) => (a(c) * x > b(c) ? x : Math.log1p(Math.exp(a(c) * x)) / a(c)),
		(x, y, c) => (a(c) * x() > b(c) ? 1 : sigma(a(c) * x())),
		"σ(aX) or 1",
	],
])
	RULES[op] = eachRule(called(name), f, slope, slopeText(formula), size, near);
