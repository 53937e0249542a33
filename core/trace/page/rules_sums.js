// ---- Rules: products, and what goes over rows ---------------------------------------------------

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

// Sums over what `kept` shows as 1.
function reduceRule(mean) {
  const n = (c) => (mean ? product(c.shape(0)) / product(c.shape("Y")) : 1);
  return {
    Y: (c, y) => ({ terms: spread(y, c.list("kept"), c.shape(0)).map((x) => term(1, ref("X", x))), divide: n(c) }),
    0: (c, x) => ({ terms: [term(1, ref("dY", narrowed(x, c.shape(0), c.list("kept"))))], divide: n(c) }),
  };
}

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


// The cells over which std at x's place goes, and their mean.
function spreadAround(c, x) {
  const cells = spread(narrowed(x, c.shape(0), c.list("kept")), c.list("kept"), c.shape(0));
  return { cells, mean: cells.reduce((sum, i) => sum + c.at("X", i), 0) / cells.length };
}

Object.assign(RULES, {
  matmul: productRule(false), batched_matmul: productRule(false), linear: productRule(true),
  sum: reduceRule(false), mean: reduceRule(true), layer_norm: layerNormRule(),
  softmax: {
    Y: (c, i) => ({ refs: rowOf(c, i).map((j) => ref("X", j)), text: `exp(${show(c.at("X", i))}) / (${joinedFirst(rowOf(c, i).map((j) => `exp(${show(c.at("X", j))})`))})` }),
    0: (c, i) => ({ refs: [ref("Y", i), ref("dY", i), ...rowOf(c, i).flatMap((j) => [ref("Y", j), ref("dY", j)])],
      text: `${show(c.at("Y", i))} · (${show(c.at("dY", i))} − (${joinedFirst(rowOf(c, i).map((j) => `${show(c.at("Y", j))}·${show(c.at("dY", j))}`))}))` }),
  },
  log_softmax: {
    Y: (c, i) => ({ refs: rowOf(c, i).map((j) => ref("X", j)), text: `${show(c.at("X", i))} − log(${joinedFirst(rowOf(c, i).map((j) => `exp(${show(c.at("X", j))})`))})` }),
    0: (c, i) => ({ refs: [ref("Y", i), ...rowOf(c, i).map((j) => ref("dY", j))],
      text: `${show(c.at("dY", i))} − exp(${show(c.at("Y", i))}) · (${joinedFirst(rowOf(c, i).map((j) => show(c.at("dY", j))))})` }),
  },
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
      if (t === c.attribute("ignore")) return { refs: marks, text: `0 (${word("ignored")})` };
      const q = (1 - s) * (j === t) + s / n;
      return { refs: marks, text: `(softmax − Q) · dY / rows = (${show(Math.exp(c.at("P", i)))} − ${show(q)}) · ${show(c.at("dY", 0))} / ${c.attribute("rows")}` };
    },
  },
  cumsum: {
    Y: (c, i) => { const { line, of } = linesAlong(c.shape(0), c.attribute("dim")), { y, k } = of(i);
      return { terms: line(y).slice(0, k + 1).map((x) => term(1, ref("X", x))) }; },
    0: (c, i) => { const { line, of } = linesAlong(c.shape(0), c.attribute("dim")), { y, k } = of(i);
      return { terms: line(y).slice(k).map((x) => term(1, ref("dY", x))) }; },
  },
  prod: {
    Y: (c, y) => ({ terms: [term(1, ...linesAlong(c.shape(0), c.attribute("dim")).line(y).map((x) => ref("X", x)))] }),
    0: (c, i) => { const { line, of } = linesAlong(c.shape(0), c.attribute("dim")), { y } = of(i);
      return { terms: [term(1, ref("dY", y), ...line(y).filter((x) => x !== i).map((x) => ref("X", x)))] }; },
  },
  amax: {
    Y: (c, y) => { const cells = linesAlong(c.shape(0), c.attribute("dim")).line(y);
      return { refs: cells.map((i) => ref("X", i)), text: `max(${joinedFirst(cells.map((i) => show(c.at("X", i))), ", ")})` }; },
    0: (c, i) => { const { line, of } = linesAlong(c.shape(0), c.attribute("dim")), { y } = of(i), largest = c.at("Y", y);
      const ties = line(y).filter((x) => c.at("X", x) === largest);
      return { terms: [term(ties.includes(i) ? 1 / ties.length : 0, ref("dY", y))], marks: [ref("X", i), ref("Y", y), ...ties.map((x) => ref("X", x))] }; },
  },
  std: {
    Y: (c, y) => { const { cells, mean } = spreadAround(c, spread(y, c.list("kept"), c.shape(0))[0]);
      return { refs: cells.map((i) => ref("X", i)), text: `√((${joinedFirst(cells.map((i) => `(${show(c.at("X", i))} − ${show(mean)})²`))}) / ${c.attribute("degrees")})` }; },
    0: (c, i) => { const { cells, mean } = spreadAround(c, i), y = narrowed(i, c.shape(0), c.list("kept"));
      return { refs: [ref("dY", y), ref("Y", y), ...cells.map((x) => ref("X", x))],
        text: c.at("Y", y) === 0 ? "0    (Y = 0)" : `${show(c.at("dY", y))} · (${show(c.at("X", i))} − ${show(mean)}) / (${show(c.at("Y", y))} · ${c.attribute("degrees")})` }; },
  },
  // Of these the tape keeps not enough to show all.
  checkpoint: { Y: () => ({ text: "f(X)", note: word("checkpointed") }), 0: () => ({ text: "dX", note: word("checkpointed") }) },
  fused_attention: (target) => () => ({ text: target === "Y" ? "(softmax(scale·Q·Kᵀ)∘M / keep)·V" : ["scale·dS·K", "scale·dSᵀ·Q", "(P∘M / keep)ᵀ·dY"][target], note: word("fused_attention") }),
  fused_feed_forward: (target) => target === 4
    ? (c, j) => { const n = c.shape(4)[0]; return { terms: range(product(c.shape("Y")) / n).map((r) => term(1, ref("dY", r * n + j))) }; }
    : (c) => ({ text: target === "Y" ? "(clamp(X·W₁ + b₁, 0)∘M)·W₂ + b₂" : ["dZ·W₁ᵀ", "Xᵀ·dZ", "Hᵀ·dY", "Σ dZ"][target], note: word("fused") }),
});
