// ---- Rules: one tensor, number by number

// Element by element: y = f(x), and the slope that multiplies dY, from x() or y(): the tape may
// have only one of them. Also their sizes before numbers cancelled out.
const sigma = x => 1 / (1 + Math.exp(-x));
function eachRule(name, f, slope, says, size = slope, near = Math.abs) {
	return {
		Y: (c, i) => ({
			refs: [ref("X", i)],
			text: name(c, show(c.at("X", i)), c.at("X", i)),
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
// What the op's formula multiplies dY with: 1 − Y² of "dX = dY∘(1 - Y²)", 1/X of "dX = dY/X".
const slopeFormula = op =>
	withNumbers(op, op.gradient)
		.replace("dX = ", "")
		.replace(/dY∘|·dY/g, "")
		.replaceAll("dY", "1")
		.replace(/^\((.*)\)$/, "$1")
		.replaceAll("-", "−")
		.replaceAll("∘", "·");
const slopeText = (c, i, s) => `${show(c.at("dY", i))} · ${bracketed(show(s))}    (${slopeFormula(c.op)} = ${show(s)})`;
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
Object.assign(RULES, {
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
		slopeText,
	),
	abs: eachRule(
		(c, x) => `|${x}|`,
		Math.abs,
		x => (x() > 0) - (x() < 0),
		slopeText,
	),
	half: roundedRule(2 ** 13, 65520),
	bfloat16: roundedRule(2 ** 16, 2 ** 128),
	dropout_mask: {
		Y: (c, i) => ({ text: c.at("Y", i) ? `1, ${word("keptCell")}` : `0, ${word("droppedCell")}` }),
	},
});

// From x(), y() and the op's arguments: f and its slope.
const argA = c => Math.fround(c.attribute("a")), // as the op compares it
	argB = c => Math.fround(c.attribute("b")),
	unit = () => 1,
	upTo = x => 1 + Math.abs(x());
const inverse = (a, b, power) => (a + b) * Math.abs(a - b) ** power; // of a − b, before it cancelled
for (const [op, f, slope, size, name = op, near] of [
	["exp", Math.exp, (x, y) => y()],
	["log", Math.log, x => 1 / x()],
	["sqrt", Math.sqrt, (x, y) => 1 / (2 * y()), undefined, "√"],
	["tanh", Math.tanh, (x, y) => 1 - y() * y(), unit],
	["sigmoid", sigma, (x, y) => y() * (1 - y()), (x, y) => y(), "σ"],
	["silu", x => x * sigma(x), x => sigma(x()) * (1 + x() * (1 - sigma(x()))), upTo],
	["erf", erf, x => bell(x()), x => bell(x()) * (1 + x() * x())],
	["gelu", gelu, x => normal(x()) + x() * density(x()), upTo, "gelu", (y, x) => Math.abs(y) * (1 + x * x)],
	[
		"gelu_tanh",
		x => (x * (1 + tanhU(x))) / 2,
		x => (1 + tanhU(x()) + x() * (1 - tanhU(x()) ** 2) * slopeOfU(x())) / 2,
		upTo,
		"gelu_tanh",
		(y, x) => Math.abs(x),
	],
	["sin", Math.sin, x => Math.cos(x()), unit],
	["cos", Math.cos, x => -Math.sin(x()), unit],
	["tan", Math.tan, (x, y) => 1 + y() ** 2],
	["asin", Math.asin, x => 1 / Math.sqrt(1 - x() ** 2), x => inverse(1, x() ** 2, -1.5)],
	["acos", Math.acos, x => -1 / Math.sqrt(1 - x() ** 2), x => inverse(1, x() ** 2, -1.5)],
	["atan", Math.atan, x => 1 / (1 + x() ** 2)],
	["sinh", Math.sinh, x => Math.cosh(x())],
	["cosh", Math.cosh, x => Math.sinh(x())],
	["asinh", Math.asinh, x => 1 / Math.sqrt(square(x()) + 1)],
	["acosh", Math.acosh, x => 1 / Math.sqrt(square(x()) - 1), x => inverse(x() ** 2, 1, -1.5)],
	["atanh", Math.atanh, x => 1 / (1 - x() ** 2), x => inverse(1, x() ** 2, -2)],
	["log2", Math.log2, x => 1 / (x() * Math.LN2)],
	["log10", Math.log10, x => 1 / (x() * Math.LN10)],
	["log1p", Math.log1p, x => 1 / (1 + x()), x => upTo(x) / (1 + x()) ** 2],
	["exp2", x => 2 ** x, (x, y) => y() * Math.LN2],
	["expm1", Math.expm1, (x, y) => y() + 1, (x, y) => upTo(y)],
	["erfc", x => 2 * normal(-x * Math.SQRT2), x => -bell(x()), x => bell(x()) * (1 + x() * x())],
	[
		"leaky_relu",
		(x, c) => (x > 0 ? x : argA(c) * x),
		(x, y, c) => (x() > 0 ? 1 : argA(c)),
		undefined,
		(c, x, n) => (n > 0 ? x : `${bracketed(show(argA(c)))}·${bracketed(x)}`),
	],
	[
		"hardtanh",
		(x, c) => Math.min(Math.max(x, argA(c)), argB(c)),
		(x, y, c) => +(x() > argA(c) && x() < argB(c)),
		undefined,
		(c, x) => `min(max(${x}, ${show(argA(c))}), ${show(argB(c))})`,
	],
	[
		"elu",
		(x, c) => (x > 0 ? x : argA(c) * Math.expm1(x)),
		(x, y, c) => (x() > 0 ? 1 : argA(c) * Math.exp(x())),
		undefined,
		(c, x, n) => (n > 0 ? x : `${bracketed(show(argA(c)))}·(exp(${x}) − 1)`),
	],
	[
		"softplus",
		(x, c) => (argA(c) * x > argB(c) ? x : Math.log1p(Math.exp(argA(c) * x)) / argA(c)),
		(x, y, c) => (argA(c) * x() > argB(c) ? 1 : sigma(argA(c) * x())),
		undefined,
		(c, x, n) => (argA(c) * n > argB(c) ? x : `log(1 + exp(${times(argA(c), [n])})) / ${bracketed(show(argA(c)))}`),
	],
])
	RULES[op] = eachRule(typeof name === "string" ? called(name) : name, f, slope, slopeText, size, near);
