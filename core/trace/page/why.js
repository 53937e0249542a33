// ---- Where a cell comes from --------------------------------------------------------------------
//
// A rule says of one cell which recorded cells it is a sum of products of. It serves to show and to
// mark: the result shown is always the recorded one. The rules_*.js add theirs, for Y and for the
// gradient of each input:
//   {terms: [{c: constant, refs: [[letter, index], ...]}], divide, marks, text, note}

const RULES = {};
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

// Along one dimension: the cells of the line that cell y of a reduced tensor stands for, and the way
// back, with the place in the line.
function linesAlong(shape, dim) {
  const n = shape[dim], inner = product(shape.slice(dim + 1));
  return {
    line: (y) => range(n).map((k) => (Math.floor(y / inner) * n + k) * inner + y % inner),
    of: (x) => ({ y: Math.floor(x / (n * inner)) * inner + x % inner, k: Math.floor(x / inner) % n }),
  };
}
const rowOf = (c, i) => { const n = c.shape(0).at(-1); return range(n).map((j) => Math.floor(i / n) * n + j); };

const LETTERS = { linear: ["X", "W"], layer_norm: ["X", "W", "B"], cross_entropy: ["X", "T"], embedding: ["W", "ids"],
                  masked_fill: ["X", "M"], index_add: ["X", "S"], index_put: ["X", "V"],
                  fused_attention: ["Q", "K", "V"],
                  fused_feed_forward: ["X", "W₁", "W₂", "b₁", "b₂"] };
function letter(op, i) {
  if (LETTERS[op.op]) return LETTERS[op.op][i] ?? "X" + i;
  return op.in.length === 1 ? "X" : op.op === "concat" ? "X" + (i + 1) : ["A", "B"][i] ?? "X" + i;
}

// 0.5·(−2); one factor alone has no brackets.
function times(factors) {
  const texts = factors.map((x) => show(x, 5));
  return texts.length === 1 ? texts[0] : texts.map((text) => (text.startsWith("−") ? `(${text})` : text)).join("·");
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
    attribute: (name) => c.list(name)[0],
    list(name) {
      if (!op.attributes[name]) throw new Missing();
      return op.attributes[name].map((x) => ({ inf: Infinity, "-inf": -Infinity, NaN: NaN })[x] ?? x);
    },
    shape: (k) => k === "Y" ? values[op.out].shape : typeof k === "string" ? numbers(op.saved[k]).shape : values[op.in[k]].shape,
    at(name, j) {
      const array = arrayOf(name);
      if (!array?.complete) throw new Missing();
      return array.at(j);
    },
    read: ([name, j]) => c.at(name, j),
    name: ([name, j]) => name + arrayOf(name).index(j),
  };
  try {
    const { terms, refs = [], marks = [], text, note, divide = 1 } = rule(c, i);
    if (!terms) return { text, note, refs: [...refs, ...marks] };
    let sum = 0;
    const shown = terms.map(({ c: factor, refs }) => {
      const factors = refs.map(c.read);
      sum += factors.reduce((a, b) => a * b, factor);
      if (factor === -1) return "−" + times(factors);
      return times(factor === 1 ? factors : [...factors, factor]);
    });
    const whole = divide === 1 ? joined(shown) : `(${joined(shown)}) / ${divide}`;
    return { text: text ?? (whole || "0"), sum: sum / divide, count: terms.length,
             names: joined(terms.map((t) => t.refs.map(c.name).join("·")), 4),
             refs: [...terms.flatMap((t) => [...t.refs, ...(t.marks ?? [])]), ...marks] };
  } catch (error) {
    if (error instanceof Missing) return { missing: true };
    throw error;
  }
}
