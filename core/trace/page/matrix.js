// ---- A tensor in numbers, or as a picture if it is large ----------------------------------------

const MOST_ROWS = 24, MOST_COLUMNS = 16;

// A card: {key, label, role, array, value?, covered}. Cells can be pointed at and moved to.
function cardOf(spec, events) {
  const { label, role, array, key, covered } = spec;
  const card = make("section", { class: "card", "data-card": key });
  const id = "card-" + key.replace(/\W/g, "_");
  card.append(make("h3", { id }, make("b", {}, label), make("span", { class: "role" }, role)));
  if (spec.note) card.append(make("p", { class: "note" }, spec.note));
  if (!array) {
    card.append(make("div", { class: "hatched" }, make("span", {}, spec.missing)));
    return card;
  }
  const small = array.complete && array.rows <= MOST_ROWS && array.columns <= MOST_COLUMNS;
  card.append(small ? table(spec, events, id) : picture(spec, events, id));
  if (covered.size) return card;  // they would tell
  const { min, max, mean, nan, inf } = array.stats;
  let text = `${shapeText(array.shape)}   ${word("min")} ${show(+min, 4)}   ${word("max")} ${show(+max, 4)}   ${word("mean")} ${show(+mean, 4)}`;
  if (nan) text += `   ${nan} NaN`;
  if (inf) text += `   ${inf} ∞`;
  card.append(make("p", { class: "stats" }, text));
  if (array.block) card.append(make("p", { class: "stats" }, word("reduced", { h: array.high, w: array.wide })));
  return card;
}

function cellText(x) {
  if (Number.isNaN(x)) return "NaN";
  return (x > 0 ? "+" : "") + show(x, 3);
}

function table({ array, key, covered }, events, labelled) {
  const grid = make("div", { class: "scroll" }), body = make("table", { role: "grid", "aria-labelledby": labelled });
  for (let r = 0; r < array.rows; ++r) {
    const row = make("tr", { role: "row" });
    for (let c = 0; c < array.columns; ++c) {
      const i = r * array.columns + c;
      row.append(make("td", { role: "gridcell", tabindex: i ? -1 : 0, "data-i": i, "aria-label": `${covered.has(i) ? "?" : cellText(array.at(i))} ${array.index(i)}`,
        class: covered.has(i) ? "covered" : "s-" + shade(array.at(i), array.largest) }, covered.has(i) ? "?" : cellText(array.at(i))));
    }
    body.append(row);
  }
  const cellAt = (target) => target.closest?.("td");
  const index = (td) => +td.dataset.i;
  body.addEventListener("pointerover", (event) => { const td = cellAt(event.target); if (td) events.point(key, index(td), event); });
  body.addEventListener("click", (event) => { const td = cellAt(event.target); if (td) { events.choose(key, index(td)); focus(td); } });
  body.addEventListener("focusin", (event) => { const td = cellAt(event.target); if (td) events.look(key, index(td)); });
  body.addEventListener("keydown", (event) => {
    const td = cellAt(event.target), i = td && index(td), n = array.columns;
    const to = { ArrowLeft: i % n ? i - 1 : i, ArrowRight: i % n < n - 1 ? i + 1 : i, ArrowUp: i - n, ArrowDown: i + n,
                 Home: i - i % n, End: i - i % n + n - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); return events.enter(key, i); }
    if (to === undefined) return;
    event.preventDefault(), event.stopPropagation();
    const cell = body.querySelector(`td[data-i="${to}"]`);
    if (cell) focus(cell);
  });
  const focus = (td) => {
    body.querySelector('td[tabindex="0"]').tabIndex = -1;
    td.tabIndex = 0, td.focus();
  };
  grid.append(body);
  return grid;
}

// A canvas, with a frame around the cell that is pointed at and round those that it comes from.
function picture({ array, key, label, covered }, events, labelled) {
  const hidden = covered.size > 0;
  const size = Math.max(1, Math.min(12, Math.floor(520 / array.across), Math.floor(360 / array.down) || 1));
  const width = array.across * size, height = array.down * size;
  const canvas = make("canvas", { width, height, tabindex: 0, role: "application", "aria-labelledby": labelled, "data-across": array.across });
  const box = make("div", { class: "scroll" }, canvas);
  let here = 0;
  canvas.paint = (marked = new Set(), chosen = -1) => {
    const style = getComputedStyle(document.documentElement), pen = canvas.getContext("2d");
    const colours = {};
    const colour = (name) => (colours[name] ??= style.getPropertyValue("--" + name));
    for (let i = 0; i < array.kept.length; ++i) {
      pen.fillStyle = hidden ? colour("zero") : colour(shade(array.at(i), array.largest));
      pen.fillRect((i % array.across) * size, Math.floor(i / array.across) * size, size, size);
    }
    pen.lineWidth = 2, pen.strokeStyle = colour("mark");
    for (const i of marked) frame(pen, i);
    pen.strokeStyle = colour("text");
    if (chosen >= 0) frame(pen, chosen);
  };
  const look = (i) => { here = i; events.look(key, i); };
  const frame = (pen, i) => pen.strokeRect((i % array.across) * size, Math.floor(i / array.across) * size, size, size);
  canvas.addEventListener("pointermove", (event) => {
    const rect = canvas.getBoundingClientRect();
    const c = Math.min(array.across - 1, Math.floor((event.clientX - rect.left) / rect.width * array.across));
    const r = Math.min(array.down - 1, Math.floor((event.clientY - rect.top) / rect.height * array.down));
    const i = Math.max(0, r) * array.across + Math.max(0, c);
    if (i !== here) here = i, events.point(key, i, event);
  });
  canvas.addEventListener("focus", () => look(here));
  canvas.addEventListener("click", () => events.choose(key, here));
  canvas.addEventListener("keydown", (event) => {
    const n = array.across;
    const to = { ArrowLeft: here - 1, ArrowRight: here + 1, ArrowUp: here - n, ArrowDown: here + n }[event.key];
    if (event.key === "Enter") events.enter(key, here);
    if (to === undefined) return;
    event.preventDefault(), event.stopPropagation();
    if (to >= 0 && to < array.kept.length) look(to);
  });
  canvas.paint();
  return box;
}

// Marks cells of the cards on show: {card key: [recorded place]}.
function markCells(places, chosen = "") {
  for (const card of document.querySelectorAll("#cards .card")) {
    const marked = new Set(places.get(card.dataset.card) ?? []);
    card.classList.toggle("has-marks", marked.size > 0);
    for (const td of card.querySelectorAll("td")) td.classList.toggle("marked", marked.has(+td.dataset.i));
    const [key, cell] = chosen.split(" ");
    card.querySelector("canvas")?.paint(marked, key === card.dataset.card ? +cell : -1);
  }
}
function pointAt(key, i) {
  for (const td of document.querySelectorAll("#cards td.looked")) td.classList.remove("looked");
  document.querySelector(`#cards [data-card="${CSS.escape(key)}"] td[data-i="${i}"]`)?.classList.add("looked");
}
