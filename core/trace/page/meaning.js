// ---- What a gradient's number says of the loss, and where it says nothing --------------------------

// Values whose gradient a hook has changed on its way, and those on whose way a number stands just
// where an op bends: there a rise and a fall need not move the loss alike.
const altered = new Set(), bent = new Set();
function findBends() {
  altered.clear(), bent.clear();
  for (const step of steps.slice(ops.length)) {
    const changed = step.hooked || altered.has(step.value), bends = bent.has(step.value) || bendsAt(step);
    for (const add of step.op < 0 ? [] : step.adds) {
      if (changed) altered.add(add.value);
      if (bends) bent.add(add.value);
    }
    step.altered = changed;
  }
}
findBends();

function bendsAt(step) {
  const op = ops[step.op];
  if (!op || !["relu", "abs", "clamp", "maximum"].includes(op.op)) return false;
  const dY = numbers(step.dY);
  if (!dY?.complete) return false;
  const X = numbers(values[op.in[0]]?.value ?? op.saved.X), among = (list) => X?.complete && range(X.kept.length).some((i) => dY.at(i) !== 0 && list.includes(X.at(i)));
  if (op.op === "relu" || op.op === "abs") return among([0]);
  if (op.op === "clamp") return among([op.attributes.lo[0], op.attributes.hi[0]]);
  const B = numbers(values[op.in[1]]?.value ?? op.saved.B), y = values[op.out].shape;
  return op.op === "maximum" && X?.complete && B?.complete &&
         range(product(y)).some((i) => X.at(narrowed(i, y, X.shape)) === B.at(narrowed(i, y, B.shape)));
}

// What the pass's gradients are slopes of: the loss, if it is one number and began with 1.
function lossWord() {
  if (!tape.fromHere) return word("lossElsewhere");
  const began = numbers(backward[0].dY), y = nameShown(backward[0].value);
  if (began.kept.some((g) => g !== 1) || !began.complete) return word("lossWeighed", { y });
  return began.kept.length === 1 ? word("theLoss") : word("lossSum", { y });
}

// Sentences about cell i of a card that shows the whole gradient of a value, or a part of it.
function meaningOf(s, card, i) {
  const { value, slope, array } = card;
  if (i < 0) return [];
  if (card.older) {
    const part = numbers(steps[s].adds[0].part), [kept] = card.older;
    return [word("ofThisPass", { total: show(array.at(i)), earlier: show(kept.at(i)), part: show(part.at(i)) }),
            ...meaningOf(s, { ...card, older: null, array: part }, i)];
  }
  if (card.so) return [card.so.of ? word("soFar", card.so) : word("inside")];
  if (!slope) return [];
  const g = array.at(i), c = nameShown(value) + array.place(i);
  if (card.key === "dY" || card.key === "total" ? steps[s].altered : altered.has(value)) return [word("altered")];
  if (!Number.isFinite(g)) return [word("noSlope")];
  if (bent.has(value)) return [word("bent")];
  if (g === 0) return [word("still", { c, loss: lossWord() })];
  return [word("meaning", { c, loss: lossWord(), way: word(g < 0 ? "falls" : "rises"), size: show(Math.abs(g) / 100, 3) })];
}
