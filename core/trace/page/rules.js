// ---- Where a cell comes from: rules of ops ----------------------------------------------------
//
// A rule says of one cell which recorded cells it is a sum of products of. It serves to show and to
// mark: the result shown is always the recorded one.
//   {terms: [{c: constant, refs: [[letter, index], ...]}], after: {c, text}, text}

const ref = (letter, i) => [letter, i];
const term = (c, ...refs) => ({ c, refs });

function unravel(flat, shape) {
  const index = new Array(shape.length);
  for (let d = shape.length - 1; d >= 0; --d) { index[d] = flat % shape[d]; flat = Math.floor(flat / shape[d]); }
  return index;
}
const ravel = (index, shape) => shape.reduce((flat, size, d) => flat * size + index[d], 0);

// The cell of x that was broadcast to cell `flat` of y; and all cells of y that one of x went to.
function narrowed(flat, y, x) {
  const index = unravel(flat, y).slice(y.length - x.length);
  return ravel(index.map((i, d) => (x[d] === 1 ? 0 : i)), x);
}
function spread(flat, x, y) {
  const index = unravel(flat, x), free = y.length - x.length;
  let found = [0];
  y.forEach((size, d) => {
    const stretched = d < free || (x[d - free] === 1 && size !== 1);
    const choices = stretched ? [...Array(size).keys()] : [index[d - free]];
    found = found.flatMap((f) => choices.map((i) => f * size + i));
  });
  return found;
}
const range = (n) => [...Array(n).keys()];
const keptShape = (op) => op.attributes.kept;

// Products of matrices, in batches or not: A is [.., m, k], B [.., k, n], or [n, k] if transposed.
function productRule(transposed) {
  const parts = (c) => {
    const a = c.shape(0), b = c.shape(1), y = c.shape("Y");
    const batched = b.length > 2;
    const k = a[a.length - 1], n = y[y.length - 1];
    const m = batched || a.length === b.length ? a[a.length - 2] : product(a) / k;
    const batch = batched || a.length > 2 ? y.slice(0, -2) : [];
    const flatA = !batched && a.length > 2;
    return { k, n, m: flatA ? product(a) / k : m, batch: flatA ? [] : batch,
             aBatch: flatA ? [] : a.slice(0, -2), bBatch: b.slice(0, -2) };
  };
  const at = (p, t, which) => (p.batch.length ? narrowed(t, p.batch, which === 0 ? p.aBatch : p.bBatch) : 0);
  const A = (p, t, i, k) => (at(p, t, 0) * p.m + i) * p.k + k;
  const B = (p, t, k, j) => at(p, t, 1) * p.k * p.n + (transposed ? j * p.k + k : k * p.n + j);
  const Y = (p, t, i, j) => (t * p.m + i) * p.n + j;
  const batches = (p, which, b) => range(product(p.batch)).filter((t) => at(p, t, which) === b);
  return {
    Y(c, cell) {
      const p = parts(c), j = cell % p.n, i = Math.floor(cell / p.n) % p.m, t = Math.floor(cell / p.n / p.m);
      return { terms: range(p.k).map((k) => term(1, ref(c.letter(0), A(p, t, i, k)), ref(c.letter(1), B(p, t, k, j)))) };
    },
    0(c, cell) {
      const p = parts(c), k = cell % p.k, i = Math.floor(cell / p.k) % p.m, b = Math.floor(cell / p.k / p.m);
      return { terms: batches(p, 0, b).flatMap((t) => range(p.n).map((j) => term(1, ref("dY", Y(p, t, i, j)), ref(c.letter(1), B(p, t, k, j))))) };
    },
    1(c, cell) {
      const p = parts(c), b = Math.floor(cell / (p.k * p.n)), rest = cell % (p.k * p.n);
      const k = transposed ? rest % p.k : Math.floor(rest / p.n), j = transposed ? Math.floor(rest / p.k) : rest % p.n;
      return { terms: batches(p, 1, b).flatMap((t) => range(p.m).map((i) => term(1, ref(c.letter(0), A(p, t, i, k)), ref("dY", Y(p, t, i, j))))) };
    },
  };
}

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

// Element by element: y = f(x), and the slope that dY is multiplied with.
const sigma = (x) => 1 / (1 + Math.exp(-x));
function eachRule(f, slope, says) {
  return {
    Y: (c, i) => ({ refs: [ref("X", i)], text: `${f}(${show(c.at("X", i))})` }),
    0: (c, i) => {
      const s = slope(c.at("X", i), c.at("Y", i), c);
      return { terms: [term(s, ref("dY", i))], marks: [ref("X", i), ref("Y", i)], text: says(c, i, s) };
    },
  };
}
const slopeText = (formula) => (c, i, s) => `${show(c.at("dY", i))} · ${show(s)}    (${formula} = ${show(s)})`;
const gate = (c, i, s) => `${show(c.at("dY", i))} · ${s}    (X = ${show(c.at("X", i))}: ${s ? "passes" : "cut off"})`;

// Only places change: from(c, y cell) is the cell of X.
function moveRule(from) {
  return {
    Y: (c, y) => { const x = from(c, y); return x === null ? { terms: [], text: "0" } : { terms: [term(1, ref("X", x))] }; },
    0: (c, x) => ({ terms: range(product(c.shape("Y"))).filter((y) => from(c, y) === x).map((y) => term(1, ref("dY", y))) }),
  };
}

// Sums over what `kept` shows as 1.
function reduceRule(mean) {
  const n = (c) => (mean ? product(c.shape(0)) / product(c.shape("Y")) : 1);
  return {
    Y: (c, y) => ({ terms: spread(y, keptShape(c.op), c.shape(0)).map((x) => term(1, ref("X", x))), divide: n(c) }),
    0: (c, x) => ({ terms: [term(1, ref("dY", narrowed(x, c.shape(0), keptShape(c.op))))], divide: n(c) }),
  };
}

// x·Φ(x), with the normal distribution's Φ by its series.
function gelu(x) {
  let sum = x, part = x;
  for (let k = 1; k < 80; ++k) sum += part *= x * x / (2 * k + 1);
  return Math.abs(x) > 6 ? Math.max(x, 0) : x * (0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI));
}
const whereGradient = (which, chosen) => (c, cell) => ({
  terms: spread(cell, c.shape(which), c.shape("Y")).map((y) => {
    const m = narrowed(y, c.shape("Y"), c.shape("M"));
    return { ...term(+chosen(c.at("M", m)), ref("dY", y)), marks: [ref("M", m)] };
  }),
});

const rowOf = (c, i) => { const n = c.shape(0).at(-1); return range(n).map((j) => Math.floor(i / n) * n + j); };

const RULES = {
  matmul: productRule(false), batched_matmul: productRule(false), linear: productRule(true),
  add: pairRule((c, y, r) => ({ terms: [term(1, r("A")), term(1, r("B"))] }), (c, y, r) => term(1, r("dY")), (c, y, r) => term(1, r("dY"))),
  sub: pairRule((c, y, r) => ({ terms: [term(1, r("A")), term(-1, r("B"))] }), (c, y, r) => term(1, r("dY")), (c, y, r) => term(-1, r("dY"))),
  mul: pairRule((c, y, r) => ({ terms: [term(1, r("A"), r("B"))] }), (c, y, r) => term(1, r("dY"), r("B")), (c, y, r) => term(1, r("dY"), r("A"))),
  div: pairRule((c, y, r) => ({ refs: [r("A"), r("B")], text: `${show(c.read(r("A")))} / ${show(c.read(r("B")))}` }),
    (c, y, r) => ({ ...term(1 / c.read(r("B")), r("dY")), marks: [r("B")] }),
    (c, y, r) => ({ ...term(-c.read(r("A")) / c.read(r("B")) ** 2, r("dY")), marks: [r("A"), r("B")] })),
  pow: pairRule((c, y, r) => ({ refs: [r("A"), r("B")], text: `${show(c.read(r("A")))} ^ ${show(c.read(r("B")))}` }),
    (c, y, r) => ({ ...term(c.read(r("B")) * c.read(r("A")) ** (c.read(r("B")) - 1), r("dY")), marks: [r("A"), r("B")] }),
    (c, y, r) => ({ ...term(Math.log(c.read(r("A"))), r("dY"), r("Y")), marks: [r("A"), r("B")] })),
  clamp: { ...eachRule("clamp", (x, y, c) => +(x >= c.attribute("lo") && x <= c.attribute("hi")), gate),
    Y: (c, i) => ({ refs: [ref("X", i)], text: `min(max(${show(c.at("X", i))}, ${show(c.attribute("lo"))}), ${show(c.attribute("hi"))})` }) },
  relu: { ...eachRule("relu", (x, y) => +(y > 0), gate), Y: (c, i) => ({ refs: [ref("X", i)], text: `max(0, ${show(c.at("X", i))})` }) },
  exp: eachRule("exp", (x, y) => y, slopeText("exp X")),
  log: eachRule("log", (x) => 1 / x, slopeText("1/X")),
  sqrt: eachRule("√", (x, y) => 1 / (2 * y), slopeText("1/(2Y)")),
  tanh: eachRule("tanh", (x, y) => 1 - y * y, slopeText("1 − Y²")),
  sigmoid: eachRule("σ", (x, y) => y * (1 - y), slopeText("Y·(1 − Y)")),
  silu: eachRule("silu", (x) => sigma(x) * (1 + x * (1 - sigma(x))), slopeText("σ(X)·(1 + X·(1 − σ(X)))")),
  erf: eachRule("erf", (x) => Math.exp(-x * x) * 2 / Math.sqrt(Math.PI), slopeText("exp(−X²)·2/√π")),
  neg: eachRule("−", () => -1, slopeText("−1")),
  clone: moveRule((c, y) => y), reshape: moveRule((c, y) => y),
  expand: moveRule((c, y) => narrowed(y, c.shape("Y"), c.shape(0))),
  permute: moveRule((c, y) => {
    const index = unravel(y, c.shape("Y")), from = [];
    c.op.attributes.order.forEach((d, i) => { from[d] = index[i]; });
    return ravel(from, c.shape(0));
  }),
  slice: moveRule((c, y) => {
    const index = unravel(y, c.shape("Y"));
    index[c.attribute("dim")] += c.attribute("begin");
    return ravel(index, c.shape(0));
  }),
  triu: moveRule((c, y) => { const [i, j] = unravel(y, c.shape("Y")).slice(-2); return j - i >= c.attribute("diagonal") ? y : null; }),
  masked_fill: { Y: (c, i) => ({ refs: [ref("X", i)], text: `M ≠ 0 ? value : ${show(c.at("X", i))}` }),
    0: (c, i) => { const m = narrowed(i, c.shape(0), c.shape(1)), s = +(c.at("M", m) === 0); return { terms: [term(s, ref("dY", i))], marks: [ref("M", m)] }; } },
  sum: reduceRule(false), mean: reduceRule(true),
  softmax: {
    Y: (c, i) => ({ refs: rowOf(c, i).map((j) => ref("X", j)), text: `exp(${show(c.at("X", i))}) / (${joined(rowOf(c, i).map((j) => `exp(${show(c.at("X", j))})`))})` }),
    0: (c, i) => ({ refs: [ref("Y", i), ref("dY", i), ...rowOf(c, i).flatMap((j) => [ref("Y", j), ref("dY", j)])],
      text: `${show(c.at("Y", i))} · (${show(c.at("dY", i))} − (${joined(rowOf(c, i).map((j) => `${show(c.at("Y", j))}·${show(c.at("dY", j))}`))}))` }),
  },
  log_softmax: {
    Y: (c, i) => ({ refs: rowOf(c, i).map((j) => ref("X", j)), text: `${show(c.at("X", i))} − log(${joined(rowOf(c, i).map((j) => `exp(${show(c.at("X", j))})`))})` }),
    0: (c, i) => ({ refs: [ref("Y", i), ...rowOf(c, i).map((j) => ref("dY", j))],
      text: `${show(c.at("dY", i))} − exp(${show(c.at("Y", i))}) · (${joined(rowOf(c, i).map((j) => show(c.at("dY", j))))})` }),
  },
  concat: (target) => {
    // The stretch of Y that input k fills, and where a cell of Y lies in its input.
    const begin = (c, k) => range(k).reduce((sum, i) => sum + c.shape(i)[c.attribute("dim")], 0);
    if (target === "Y") return (c, y) => {
      const index = unravel(y, c.shape("Y")), dim = c.attribute("dim");
      const k = c.op.in.findIndex((_, i) => index[dim] < begin(c, i + 1));
      index[dim] -= begin(c, k);
      return { terms: [term(1, ref(c.letter(k), ravel(index, c.shape(k))))] };
    };
    return (c, x) => {
      const index = unravel(x, c.shape(target));
      index[c.attribute("dim")] += begin(c, target);
      return { terms: [term(1, ref("dY", ravel(index, c.shape("Y"))))] };
    };
  },
  gelu: eachRule("gelu", (x) => { const h = 1e-4; return (gelu(x + h) - gelu(x - h)) / (2 * h); }, slopeText("Φ(X) + X·φ(X)")),
  where: { Y: (c, y) => { const at = (k) => narrowed(y, c.shape("Y"), c.shape(k)), k = c.at("M", at("M")) !== 0 ? 0 : 1;
      return { terms: [term(1, ref(c.letter(k), at(k)))], marks: [ref("M", at("M"))] }; },
    0: whereGradient(0, (m) => m !== 0), 1: whereGradient(1, (m) => m === 0) },
  repeat: moveRule((c, y) => {
    const index = unravel(y, c.shape("Y")), x = c.shape(0), free = index.length - x.length;
    return ravel(x.map((size, d) => index[d + free] % size), x);
  }),
  index_add: {
    Y: (c, i) => { const n = product(c.shape(0).slice(1)), rows = range(product(c.shape("ids"))).filter((r) => c.at("ids", r) === Math.floor(i / n));
      return { terms: [term(1, ref("X", i)), ...rows.map((r) => term(1, ref("S", r * n + i % n)))], marks: rows.map((r) => ref("ids", r)) }; },
    0: (c, i) => ({ terms: [term(1, ref("dY", i))] }),
    1: (c, i) => { const n = product(c.shape(0).slice(1)), r = Math.floor(i / n); return { terms: [term(1, ref("dY", c.at("ids", r) * n + i % n))], marks: [ref("ids", r)] }; },
  },
  layer_norm: layerNormRule(),
  cross_entropy: {
    Y: (c) => {
      const n = c.shape(0).at(-1), rows = c.attribute("rows"), s = c.attribute("smoothing");
      const used = range(product(c.shape(1))).filter((r) => c.at("T", r) !== c.attribute("ignore"));
      return { terms: used.flatMap((r) => s ? range(n).map((j) => term(-(s / n + (1 - s) * (j === c.at("T", r))), ref("P", r * n + j))) : [term(-1, ref("P", r * n + c.at("T", r)))]),
               divide: rows, marks: used.flatMap((r) => [ref("T", r), ...range(n).map((j) => ref("X", r * n + j))]) };
    },
    0: (c, i) => {
      const n = c.shape(0).at(-1), r = Math.floor(i / n), j = i % n, s = c.attribute("smoothing"), t = c.at("T", r);
      const marks = [ref("P", i), ref("T", r), ref("dY", 0), ...rowOf(c, i).map((k) => ref("X", k))];
      if (t === c.attribute("ignore")) return { refs: marks, text: "0 (ignored)" };
      const q = (1 - s) * (j === t) + s / n;
      return { refs: marks, text: `(softmax − Q) · dY / rows = (${show(Math.exp(c.at("P", i)))} − ${show(q)}) · ${show(c.at("dY", 0))} / ${c.attribute("rows")}` };
    },
  },
  embedding: {
    Y: (c, i) => { const n = c.shape(0)[1], r = Math.floor(i / n); return { terms: [term(1, ref("W", c.at("ids", r) * n + i % n))], marks: [ref("ids", r)] }; },
    0: (c, i) => { const n = c.shape(0)[1], rows = range(product(c.shape(1))).filter((r) => c.at("ids", r) === Math.floor(i / n));
      return { terms: rows.map((r) => term(1, ref("dY", r * n + i % n))), marks: rows.map((r) => ref("ids", r)) }; },
  },
};

function layerNormRule() {
  const h = (c, i) => (c.at("X", i) - c.at("M", rowIndex(c, i))) * c.at("R", rowIndex(c, i));
  const rowIndex = (c, i) => Math.floor(i / c.shape(0).at(-1));
  const column = (c, j) => range(product(c.shape(0)) / c.shape(0).at(-1)).map((r) => r * c.shape(0).at(-1) + j);
  return {
    Y: (c, i) => { const j = i % c.shape(0).at(-1), r = rowIndex(c, i);
      return { refs: [...rowOf(c, i).map((k) => ref("X", k)), ref("W", j), ref("B", j)],
        text: `(${show(c.at("X", i))} − ${show(c.at("M", r))}) · ${show(c.at("R", r))} · ${show(c.at("W", j))} + ${show(c.at("B", j))}` }; },
    0: (c, i) => { const n = c.shape(0).at(-1), row = rowOf(c, i), dH = (k) => c.at("dY", k) * c.at("W", k % n);
      const mean = row.reduce((s, k) => s + dH(k), 0) / n, meanH = row.reduce((s, k) => s + dH(k) * h(c, k), 0) / n;
      return { refs: row.flatMap((k) => [ref("X", k), ref("dY", k), ref("W", k % n)]),
        text: `R·(dH − mean dH − H·mean(H∘dH)) = ${show(c.at("R", rowIndex(c, i)))} · (${show(dH(i))} − ${show(mean)} − ${show(h(c, i))}·${show(meanH)})` }; },
    1: (c, j) => ({ terms: column(c, j).map((i) => ({ ...term(h(c, i), ref("dY", i)), marks: [ref("X", i)] })) }),
    2: (c, j) => ({ terms: column(c, j).map((i) => term(1, ref("dY", i))) }),
  };
}

const LETTERS = { linear: ["X", "W"], layer_norm: ["X", "W", "B"], cross_entropy: ["X", "T"], embedding: ["W", "ids"],
                  masked_fill: ["X", "M"], index_add: ["X", "S"],
                  fused_feed_forward: ["X", "W₁", "W₂", "b₁", "b₂"] };
function letter(op, i) {
  if (LETTERS[op.op]) return LETTERS[op.op][i] ?? "X" + i;
  return op.in.length === 1 ? "X" : op.op === "concat" ? "X" + (i + 1) : ["A", "B"][i] ?? "X" + i;
}

// "a + b + c", shortened in the middle
function joined(texts, most = 12) {
  const shown = texts.length > most ? [...texts.slice(0, most), word("more", { n: texts.length - most })] : texts;
  return shown.join(" + ").replaceAll("+ −", "− ").replaceAll("+ …", "…");
}

// Why cell i of target ("Y", or the number of an input) is what it is: {text, refs, sum}, or null if
// there is no rule or a number that it needs was left out.
class Missing extends Error {}
function whyCell(step, target, i) {
  const op = ops[step.op], rules = RULES[op.op];
  const rule = typeof rules === "function" ? rules(target) : rules?.[target];
  if (!rule) return { none: true };
  const arrayOf = (name) => {
    if (name === "dY") return numbers(step.dY);
    if (name === "Y") return numbers(values[op.out].value ?? op.saved.Y);
    const input = op.in.findIndex((_, k) => letter(op, k) === name);
    return numbers(input >= 0 ? values[op.in[input]].value ?? op.saved[name] : op.saved[name]);
  };
  const c = {
    op,
    letter: (k) => letter(op, k),
    attribute: (name) => ({ inf: Infinity, "-inf": -Infinity, NaN: NaN })[op.attributes[name][0]] ?? op.attributes[name][0],
    shape: (k) => k === "Y" ? values[op.out].shape : typeof k === "string" ? numbers(op.saved[k]).shape : values[op.in[k]].shape,
    at(name, j) {
      const array = arrayOf(name);
      if (!array?.complete) throw new Missing();
      return array.at(j);
    },
    read: ([name, j]) => c.at(name, j),
  };
  try {
    const { terms, refs = [], marks = [], text, divide = 1 } = rule(c, i);
    if (!terms) return { text, refs: [...refs, ...marks] };
    let sum = 0;
    const shown = terms.map(({ c: factor, refs }) => {
      const factors = refs.map(c.read);
      sum += factors.reduce((a, b) => a * b, factor);
      const parts = factors.map((x) => show(x, 5));
      if (factor === -1) return "−" + parts.join("·");
      return (factor === 1 ? parts : [...parts, show(factor, 5)]).join("·");
    });
    const whole = divide === 1 ? joined(shown) : `(${joined(shown)}) / ${divide}`;
    return { text: text ?? (whole || "0"), sum: sum / divide, count: terms.length,
             refs: [...terms.flatMap((t) => [...t.refs, ...(t.marks ?? [])]), ...marks] };
  } catch (error) {
    if (error instanceof Missing) return { missing: true };
    throw error;
  }
}
