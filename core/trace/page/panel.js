// ---- The step on show: its tensors, its formulas, its lines -------------------------------------

const dOf = (i) => (values[i].name ? "d" + nameOf(i) : `d(${nameOf(i)})`);

const PACKED = { fused_feed_forward: "H" };  // in an order of the kernel's own, with bits among numbers

// The cards of a step. `name` is what the address calls it, `target` what whyCell explains.
function cardsOf(s) {
  const step = steps[s], cards = [];
  const kept = (i) => (i >= 0 && values[i].value !== null ? null : word("notKept"));
  const value = (key, i, role) => cards.push({ key, label: key + (nameOf(i) !== key ? " = " + nameOf(i) : ""), name: nameOf(i), role, value: i,
    array: numbers(values[i].value), missing: kept(i) });
  const saved = (op) => {  // what only the op has: a mask, ids, a row's mean
    for (const [key, array] of Object.entries(op.saved))
      if (key !== "Y" && key !== PACKED[op.op] && !op.in.some((_, i) => letter(op, i) === key)) cards.push({ key, label: key, role: word("saves"), array: numbers(array) });
  };
  if (step.forward) {
    const op = ops[step.op];
    op.in.forEach((v, i) => value(letter(op, i), v, word("input")));
    saved(op);
    value("Y", op.out, word("output"));
    Object.assign(cards.at(-1), { target: "Y", result: true });
    return cards;
  }
  if (step.op < 0) {
    const [add] = step.adds, name = nameOf(step.value) + ".grad", before = values[step.value].grad;
    if (before !== null) cards.push({ key: "earlier", label: name, role: word("earlier"), note: word("earlierPass"), array: numbers(before) });
    cards.push({ key: "dY", label: dOf(step.value), role: word("arrives"), name: name + ".part", array: numbers(add.part), value: step.value });
    cards.push({ key: "total", label: name, role: word("gradient"), name, array: numbers(add.total), result: true, target: "leaf", value: step.value, isGradient: true });
    return cards;
  }
  const op = ops[step.op];
  cards.push({ key: "dY", label: "dY = " + dOf(op.out), role: step.hooked ? word("hooked") : word("arrives"), name: nameOf(op.out) + ".grad", array: numbers(step.dY), value: op.out, isGradient: true });
  op.in.forEach((v, i) => { if (values[v].value !== null) value(letter(op, i), v, word("value")); });
  saved(op);
  const sums = [];  // what was there before, and the total: behind all parts
  for (const add of [...step.adds].sort((a, b) => a.input - b.input)) {
    const key = "d" + letter(op, add.input), name = nameOf(add.value);
    const before = product(add.before) / product(values[add.value].shape);
    const collapse = before > 1 ? word("collapse", { after: shapeText(values[add.value].shape), before: shapeText(add.before), n: before }) : null;
    cards.push({ key, label: key + " = " + dOf(add.value), role: word("part"), name: name + ".grad.part", array: numbers(add.part), target: add.input, result: true, note: collapse, value: add.value });
    const so = gradients.get(add.value), at = so.findIndex((other) => other.at === step.at && other.input === add.input);
    if (at > 0 && so[at - 1].total !== undefined) {
      sums.push({ key: key + "-before", label: dOf(add.value), role: word("earlier"), array: numbers(so[at - 1].total), value: add.value });
      sums.push({ key: key + "-total", label: dOf(add.value), role: word("total"), name: name + ".grad", array: numbers(add.total), target: "sum", parts: [key + "-before", key], value: add.value, isGradient: true, result: true });
    } else if (cards.at(-1)) {
      cards.at(-1).name = name + ".grad", cards.at(-1).isGradient = so.filter((a) => !a.leaf).length === 1;
      cards.at(-1).alias = name + ".grad.part";
    }
  }
  return [...cards, ...sums];
}

// [3, 8] = [3, 4] · [4, 8]: the formula with the shapes under its letters. In backward only what is
// computed; with the numbers that the op was called with.
function formulaWithShapes(op, step) {
  const added = step.adds?.map((add) => "d" + letter(op, add.input));
  const shown = (step.forward ? op.forward : op.gradient).split(/ {2,}/);
  const computed = step.forward || added.length === op.in.length ? shown : shown.filter((one) => added.includes(one.split(" = ")[0]) || !/^d\S+ = /.test(one));
  const called = Object.entries(op.attributes).filter(([name, list]) => ["lo", "hi", "dim", "diagonal"].includes(name) && list.length === 1)
                       .map(([name, [x]]) => `${name} = ${show(x === "inf" ? Infinity : x === "-inf" ? -Infinity : x)}`);
  const shapes = { Y: values[op.out].shape };
  op.in.forEach((v, i) => { shapes[letter(op, i)] = values[v].shape; });
  return [...computed, ...called].map((one) => {
    const line = make("span", { class: "formula" });
    for (const part of one.split(/(d?[A-Z][₁₂ᵢ]?ᵀ?|b[₁₂])/)) {
      const shape = shapes[part.replace(/ᵀ$/, "")] ?? shapes[part.replace(/^d|ᵀ$/g, "")];
      line.append(shape ? make("span", { class: "letter" }, part, make("small", {}, shapeText(shape) + (part.endsWith("ᵀ") ? "ᵀ" : ""))) : part);
    }
    return line;
  });
}

function showText(s) {
  const step = steps[s], op = ops[step.op];
  const where = step.forward ? `${word("forward")} ${s + 1} ${word("of")} ${ops.length}`
                             : `${word("backward")} ${s - ops.length + 1} ${word("of")} ${backward.length}`;
  $("title").textContent = `${where} · ${op ? title(op) : nameOf(step.value) + ".grad"}`;
  $("title").className = step.forward ? "blue" : "orange";
  $("live").textContent = !op ? word("leafText", { name: nameOf(step.value) })
    : word(step.forward ? "fwText" : "bwText", { op: title(op), y: nameOf(op.out), in: op.in.map(nameOf).join(", ") || "—" });
  $("formulas").replaceChildren(...(op ? formulaWithShapes(op, step) : [make("span", { class: "formula" }, `${nameOf(step.value)}.grad += ${dOf(step.value)}`)]));
  showSource(op);
  showCost(s, op);
}

function showSource(op) {
  const parts = [];
  for (const at of [op?.caller, op?.loc].filter(Boolean)) {
    const [file, line] = at, lines = tape.source[file] ?? [];
    const near = lines.filter(([number]) => Math.abs(number - line) <= 5);
    parts.push(make("div", { class: "file" }, file + ":" + line));
    if (!near.length) parts.push(make("p", {}, word("noSource")));
    for (const [number, text] of near)
      parts.push(make("div", { class: number === line ? "line current" : "line" }, make("span", { class: "number" }, (number === line ? "▶ " : "  ") + number), text || " "));
  }
  $("source").replaceChildren(...parts);
  $("source").hidden = $("source-title").hidden = !parts.length;
}

// Why this cell: its sum in numbers, and the cells that it comes from marked.
function explainCell(s, card, i, covered) {
  const step = steps[s], array = card.array, name = card.label.split(" = ")[0] + array.place(i);
  const parts = [], places = new Map();
  let names = "";
  const mark = (key, j) => { const set = places.get(key) ?? []; set.push(j); places.set(key, set); };
  const recorded = array.at(i);
  if (covered) return { parts: [], places };
  let line = `${name} = ${show(recorded)}`;
  if (array.block) line += "   (" + word("block", { h: array.high, w: array.wide }) + ")";
  const notes = [];
  if (card.parts || card.target === "leaf") {
    const from = card.parts ?? [values[step.value].grad !== null ? "earlier" : null, "dY"].filter(Boolean);
    const found = from.map((key) => cardsOf(s).find((other) => other.key === key)).filter(Boolean);
    if (found.length) names = found.map((other) => other.label.split(" = ")[0] + array.place(i)).join(" + ");
    line = `${name} = ${found.map((other) => show(other.array.at(i))).join(" + ")}${found.length > 1 ? " = " + show(recorded) : ""}`;
    found.forEach((other) => mark(other.key, i));
  } else if (card.target !== undefined && !array.block) {
    const why = whyCell(step, card.target, i);
    if (why.missing) notes.push(word("left"));
    else if (why.none) notes.push(word("noRule", { f: card.target === "Y" ? ops[step.op].forward : ops[step.op].gradient }));
    else {
      line = `${name} = ${why.text} = ${show(recorded)}`;
      names = why.names ?? "";
      if (why.note) notes.push(why.note);
      for (const [key, j] of why.refs) mark(key, j);
      if (why.sum !== undefined && show(why.sum) !== show(recorded) && !(Number.isNaN(why.sum) && Number.isNaN(recorded)))
        notes.push(word("sums", { s: show(why.sum, 9), r: show(recorded, 9) }));
    }
  }
  if (names) parts.push(make("p", { class: "names" }, `${name} = ${names}`));
  parts.push(make("p", { class: "sum" }, line));
  const gradientOf = card.isGradient || card.key === "dY" ? nameOf(card.value) + array.place(i) : null;
  if (gradientOf && !array.block) parts.push(make("p", {}, word("meaning", { c: gradientOf, way: word(recorded < 0 ? "falls" : "rises"), size: show(Math.abs(recorded) / 100, 3) })));
  for (const note of notes) parts.push(make("p", { class: "note" }, note));
  const leaf = values[card.value], alike = (a, b) => Math.min(7, Math.floor(-Math.log10(Math.abs(a - b) / Math.abs(b))));
  if (card.isGradient && leaf?.differences && i < leaf.differences.length && !array.block)
    parts.push(make("details", {}, make("summary", {}, word("check")), make("p", {}, word("difference", { d: show(+leaf.differences[i], 5), g: show(recorded) }) +
      (recorded && alike(+leaf.differences[i], recorded) > 0 ? " " + word("agree", { n: alike(+leaf.differences[i], recorded) }) : ""))));
  return { parts, places };
}
