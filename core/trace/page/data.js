// ---- The tape, as it was recorded -------------------------------------------------------------

const tape = JSON.parse(document.getElementById("tape").textContent);
const { values, ops, backward, arrays } = tape;
const steps = [...ops.map((op, i) => ({ forward: true, op: i, value: op.out })),
               ...backward.map((step, i) => ({ ...step, forward: false, at: i }))];

const product = (sizes) => sizes.reduce((a, b) => a * b, 1);
const shapeText = (shape) => "[" + shape.join(", ") + "]";

// A recorded array: its numbers, or the number that stands out most of each block of them.
class Numbers {
  constructor({ shape, v, block, stats }) {
    Object.assign(this, { shape, block, stats });
    const bytes = Uint8Array.from(atob(v), (c) => c.charCodeAt(0));
    this.kept = new Float32Array(bytes.buffer);
    this.columns = shape.length ? shape[shape.length - 1] : 1;
    this.rows = this.columns ? product(shape) / this.columns : 0;
    [this.high, this.wide] = block ?? [1, 1];
    this.down = Math.ceil(this.rows / this.high);
    this.across = Math.ceil(this.columns / this.wide);
    this.largest = Math.max(Math.abs(+stats.min || 0), Math.abs(+stats.max || 0)) || 1;
  }
  get complete() { return !this.block; }
  at(i) { return this.kept[i]; }
  // 7 -> "[0, 1, 3]", of a cell as drawn
  place(cell) {
    const row = Math.floor(cell / this.across) * this.high, column = (cell % this.across) * this.wide;
    return this.index(row * this.columns + column);
  }
  index(flat) {
    const index = [];
    for (const size of [...this.shape].reverse()) { index.unshift(flat % size); flat = Math.floor(flat / size); }
    return "[" + index.join(", ") + "]";
  }
  cell(index) {  // the way back
    let flat = 0;
    this.shape.forEach((size, i) => { flat = flat * size + index[i]; });
    if (index.length !== this.shape.length || this.shape.some((size, i) => !(index[i] >= 0 && index[i] < size))) return null;
    return Math.floor(Math.floor(flat / this.columns) / this.high) * this.across +
           Math.floor((flat % this.columns) / this.wide);
  }
}
const decoded = [];
function numbers(i) { return i === null || i === undefined ? null : decoded[i] ??= new Numbers(arrays[i]); }

// 0.1234, -12.3, 1.2e-05; short ones for cells.
function show(x, digits = 6) {
  if (Number.isNaN(x)) return "NaN";
  if (!Number.isFinite(x)) return x < 0 ? "−∞" : "∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size < 1e-4 || size >= 1e6 ? x.toExponential(Math.max(digits - 2, 1)) : String(+x.toPrecision(digits));
  return text.replaceAll("-", "−").replace("e+", "e");
}
function bytesText(n) {
  for (const unit of ["B", "kB", "MB"]) { if (n < 1000) return +n.toPrecision(3) + " " + unit; n /= 1000; }
  return +n.toPrecision(3) + " GB";
}

const shorten = (name) => name.length > 40 ? name.slice(0, 38) + "…" : name;
function nameOf(i) {
  const value = values[i];
  if (value.name) return shorten(value.name);
  if (value.op >= 0) return "#" + ops[value.op].number;
  if (value.role === "leaf") return "leaf " + i;
  return value.shape.length || value.value === null ? "const " + i : show(numbers(value.value).at(0));
}
const title = (op) => "#" + op.number + " " + op.op;

// What is known of a value at a step: its value, and the gradient so far with where it came from.
const firstUse = new Map(), gradients = new Map();
backward.forEach((step, at) => {
  if (step.op < 0) return;
  for (const add of step.adds) push(gradients, add.value, { at, ...add });
});
backward.forEach((step, at) => {
  if (step.op < 0) push(gradients, step.value, { at, leaf: true, ...step.adds[0] });
});
if (backward.length) push(gradients, backward[0].value, { at: -1, total: backward[0].dY });
function push(map, key, item) { map.has(key) ? map.get(key).push(item) : map.set(key, [item]); }
const valueKnown = (i, s) => values[i].op < 0 || values[i].op <= s;
function gradientAt(i, s) {  // null: not yet
  let found = null;
  for (const add of gradients.get(i) ?? []) if (ops.length + add.at <= s && s >= ops.length) found = add.total;
  return found;
}
