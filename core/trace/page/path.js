// ---- The path of one number to the loss ---------------------------------------------------------
//
// By the chain rule a gradient is a sum over all ways to the loss, each a product of slopes. This is
// the way that weighs most: at each op the heaviest term of the sum, until the loss.

function pathFrom(value, i) {
  const path = [];
  let whole = false;
  let product = 1;
  for (let guard = 0; guard <= ops.length; ++guard) {
    const parts = (gradients.get(value) ?? []).filter((add) => !add.leaf && add.at >= 0 && numbers(add.part)?.at(i) !== undefined);
    if (!parts.length) { whole = value === backward[0]?.value; break; }
    const heaviest = parts.reduce((a, b) => (Math.abs(numbers(b.part).at(i)) > Math.abs(numbers(a.part).at(i)) ? b : a));
    const step = backward[heaviest.at], part = numbers(heaviest.part).at(i), op = ops[step.op], dY = numbers(step.dY);
    const why = whyCell({ ...step, forward: false }, heaviest.input, i), terms = why.terms ?? [];
    const term = terms.reduce((a, b) => (!a || Math.abs(b.value) > Math.abs(a.value) ? b : a), null);
    const through = term?.refs.find(([letter]) => letter === "dY")?.[1] ?? (sizeOf(dY.shape) === sizeOf(values[value].shape) ? i : 0);
    const arrived = dY.at(through);
    if (arrived === undefined) break;
    // Through an op that mixes a row there is no single slope: all ways at once.
    const contribution = term ? term.value : part, slope = arrived ? contribution / arrived : 0;
    product *= slope;
    path.push({ value, i, op, hooked: step.hooked, cell: numbers(heaviest.part).index(i), step: ops.length + heaviest.at, input: heaviest.input, slope, product, count: why.count ?? 1, mixed: !term, ways: parts.length });
    value = op.out, i = through;
  }
  return { path, end: value, endCell: i, whole };
}
const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

class Path {
  constructor(page) { this.page = page; }

  show(value, i) {
    const { path, end, endCell, whole: reached } = pathFrom(value, i), at = (v, k) => nameShown(v) + (numbers(values[v].value) ?? numbers(gradientAt(v, steps.length)))?.place(k);
    const total = numbers((gradients.get(value) ?? []).filter((add) => !add.leaf).at(-1)?.total)?.at(i), began = numbers(backward[0].dY).at(endCell) ?? 1;
    const rows = path.map((one) => make("li", {},
      make("button", { class: "factor", onclick: () => this.page.follow(one.step, nameOf(one.value) + ".grad" + one.cell.replaceAll(" ", "")) },
        make("b", {}, at(one.value, one.i)), ` → ${title(one.op)} `, make("span", { class: "slope" }, `× ${show(one.slope, 4)}`)),
      make("span", { class: "note" }, [one.mixed ? word("allWays") : one.count > 1 ? word("oneOf", { n: one.count }) : "", one.ways > 1 ? word("oneOfUses", { n: one.ways }) : ""].filter(Boolean).join(" ")),
      make("span", { class: "product" }, "= " + show(one.product, 4))));
    const whole = path.length ? path.at(-1).product * began : began, g = total ?? whole;
    const alone = path.every((one) => one.count === 1 && one.ways === 1 && !one.mixed);
    const verdict = doubts.get(value)?.[0] === "altered" || path.some((one) => one.hooked) ? "pathAltered" : Math.abs(whole - g) > 1e-5 * Math.abs(g) ? "pathShare" : alone ? "pathOnly" : "pathAll";
    const ending = reached ? [make("p", { class: "sum" }, `${path.map((one) => (one.slope < 0 ? `(${show(one.slope, 3)})` : show(one.slope, 3))).join("·")}${began === 1 ? "" : "·" + show(began, 3)} = ${show(whole)}`),
      make("p", {}, word(verdict, { part: show(whole, 4), all: show(g, 4), c: at(value, i) }))] : [make("p", {}, word("pathBroken"))];
    const head = make("li", { class: "note" }, make("span", { class: "factor" }, word("pathSlope")), make("span", {}), make("span", { class: "product" }, word("pathProduct")));
    $("path").replaceChildren(make("h3", {}, word("pathTitle", { c: at(value, i) })), make("ol", {}, head, ...rows, make("li", {}, make("b", {}, at(end, endCell)), reached ? " " + lossWord() : "")), ...ending,
      make("button", { class: "close", onclick: () => this.page.closePath() }, word("close")));
    $("path").hidden = false;
    document.body.classList.add("on-path");
  }
}
