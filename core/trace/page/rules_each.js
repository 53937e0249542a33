// ---- Rules: element by element ------------------------------------------------------------------

// Of two operands that broadcast: factors of dY for each.
function pairRule(forward, forA, forB) {
  const gradient = (which, factors) => (c, cell) => ({
    terms: spread(cell, c.shape(which), c.shape("Y")).map((y) => factors(c, y, (letter) =>
      letter === "dY" || letter === "Y" ? ref(letter, y) : ref(letter, narrowed(y, c.shape("Y"), c.shape(letter === "A" ? 0 : 1))))),
  });
  return {
    Y: (c, y) => forward(c, y, (letter) => ref(letter, narrowed(y, c.shape("Y"), c.shape(letter === "A" ? 0 : 1)))),
    0: gradient(0, forA), 1: gradient(1, forB),
  };
}

// Element by element: y = f(x), and the slope that dY is multiplied with, of x() or y(): either may
// be all that the tape has kept.
const sigma = (x) => 1 / (1 + Math.exp(-x));
function eachRule(f, slope, says) {
  return {
    Y: (c, i) => ({ refs: [ref("X", i)], text: `${f}(${show(c.at("X", i))})` }),
    0: (c, i) => {
      const s = slope(() => c.at("X", i), () => c.at("Y", i), c);
      return { terms: [term(s, ref("dY", i))], marks: [ref("X", i), ref("Y", i)], text: says(c, i, s) };
    },
  };
}
const slopeText = (formula) => (c, i, s) => `${show(c.at("dY", i))} · ${show(s)}    (${formula} = ${show(s)})`;
const gate = (c, i, s) => `${show(c.at("dY", i))} · ${s}    (${c.has("X") ? "X = " + show(c.at("X", i)) : "Y = " + show(c.at("Y", i))}: ${word(s ? "passes" : "cutOff")})`;

// x·Φ(x), with the normal distribution's Φ by its series.
function gelu(x) {
  let sum = x, part = x;
  for (let k = 1; k < 80; ++k) sum += part *= x * x / (2 * k + 1);
  return Math.abs(x) > 6 ? Math.max(x, 0) : x * (0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI));
}
function geluTanh(x) { return x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))) / 2; }
const slopeOf = (f, x, h = 1e-4) => (f(x + h) - f(x - h)) / (2 * h);
const share = (a, b) => (a > b ? 1 : a === b ? 0.5 : 0);
const roundedRule = { Y: (c, i) => ({ refs: [ref("X", i)], text: `16 bits of ${show(c.at("X", i), 9)}` }),
                      0: (c, i) => ({ refs: [ref("dY", i)], text: `16 bits of ${show(c.at("dY", i), 9)}` }) };

Object.assign(RULES, {
  add: pairRule((c, y, r) => ({ terms: [term(1, r("A")), term(1, r("B"))] }), (c, y, r) => term(1, r("dY")), (c, y, r) => term(1, r("dY"))),
  sub: pairRule((c, y, r) => ({ terms: [term(1, r("A")), term(-1, r("B"))] }), (c, y, r) => term(1, r("dY")), (c, y, r) => term(-1, r("dY"))),
  mul: pairRule((c, y, r) => ({ terms: [term(1, r("A"), r("B"))] }), (c, y, r) => term(1, r("dY"), r("B")), (c, y, r) => term(1, r("dY"), r("A"))),
  div: pairRule((c, y, r) => ({ refs: [r("A"), r("B")], text: `${show(c.read(r("A")))} / ${show(c.read(r("B")))}` }),
    (c, y, r) => ({ ...term(1 / c.read(r("B")), r("dY")), marks: [r("B")] }),
    (c, y, r) => ({ ...term(-c.read(r("A")) / c.read(r("B")) ** 2, r("dY")), marks: [r("A"), r("B")] })),
  pow: pairRule((c, y, r) => ({ refs: [r("A"), r("B")], text: `${show(c.read(r("A")))} ^ ${show(c.read(r("B")))}` }),
    (c, y, r) => ({ ...term(c.read(r("B")) * c.read(r("A")) ** (c.read(r("B")) - 1), r("dY")), marks: [r("A"), r("B")] }),
    (c, y, r) => ({ ...term(Math.log(c.read(r("A"))), r("dY"), r("Y")), marks: [r("A"), r("B")] })),
  clamp: { ...eachRule("clamp", (x, y, c) => +(x() >= Math.fround(c.attribute("lo")) && x() <= Math.fround(c.attribute("hi"))), gate),
    Y: (c, i) => ({ refs: [ref("X", i)], text: `min(max(${show(c.at("X", i))}, ${show(c.attribute("lo"))}), ${show(c.attribute("hi"))})` }) },
  relu: { ...eachRule("relu", (x, y, c) => +!((c.has("Y") ? y() : x()) <= 0), gate), Y: (c, i) => ({ refs: [ref("X", i)], text: `max(0, ${show(c.at("X", i))})` }) },
  exp: eachRule("exp", (x, y) => y(), slopeText("exp X")),
  log: eachRule("log", (x) => 1 / x(), slopeText("1/X")),
  sqrt: eachRule("√", (x, y) => 1 / (2 * y()), slopeText("1/(2Y)")),
  tanh: eachRule("tanh", (x, y) => 1 - y() * y(), slopeText("1 − Y²")),
  sigmoid: eachRule("σ", (x, y) => y() * (1 - y()), slopeText("Y·(1 − Y)")),
  silu: eachRule("silu", (x) => sigma(x()) * (1 + x() * (1 - sigma(x()))), slopeText("σ(X)·(1 + X·(1 − σ(X)))")),
  erf: eachRule("erf", (x) => Math.exp(-x() * x()) * 2 / Math.sqrt(Math.PI), slopeText("exp(−X²)·2/√π")),
  neg: eachRule("−", () => -1, slopeText("−1")),
  gelu: eachRule("gelu", (x) => slopeOf(gelu, x()), slopeText("Φ(X) + X·φ(X)")),
  gelu_tanh: eachRule("gelu_tanh", (x) => slopeOf(geluTanh, x()), slopeText("(1 + tanh U)/2 + X·(1 − tanh² U)·U'/2")),
  abs: { ...eachRule("abs", (x) => Math.sign(x()), slopeText("sign X")), Y: (c, i) => ({ refs: [ref("X", i)], text: `|${show(c.at("X", i))}|` }) },
  maximum: pairRule((c, y, r) => ({ refs: [r("A"), r("B")], text: `max(${show(c.read(r("A")))}, ${show(c.read(r("B")))})` }),
    (c, y, r) => ({ ...term(share(c.read(r("A")), c.read(r("B"))), r("dY")), marks: [r("A"), r("B")] }),
    (c, y, r) => ({ ...term(share(c.read(r("B")), c.read(r("A"))), r("dY")), marks: [r("A"), r("B")] })),
  half: roundedRule, bfloat16: roundedRule,
  trunc: { Y: () => ({ text: word("wholePart") }) },
  dropout_mask: { Y: (c, i) => ({ text: c.at("Y", i) ? `1, ${word("keptCell")}` : `0, ${word("droppedCell")}` }) },
});
