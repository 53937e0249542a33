// ---- The page: which step is on show, and what keys, buttons and the address do -------------------

class Page {
  constructor() {
    this.graph = new Graph((s) => this.go(s));
    this.predict = new Predict(this);
    this.pinned = new Set();
    this.step = 0;
    this.controls();
    this.setLanguage(this.chosenLanguage());
    this.graph.draw();
    this.fromAddress();
  }

  go(s, cell = null) {
    if (!steps.length) return;
    this.step = Math.max(0, Math.min(steps.length - 1, s));
    $("slider").value = this.step;
    $("back").disabled = $("first").disabled = this.step === 0;
    $("next").disabled = this.step === steps.length - 1;
    $("turn").disabled = !backward.length;
    $("turn").textContent = word(this.step < ops.length ? "turn" : "turnBack");
    $("pin").setAttribute("aria-pressed", this.pinned.has(this.step));
    this.cell = null, this.held = false;
    showText(this.step);
    this.showCards();
    this.graph.show(this.step, this.predict.on);
    this.hint();
    if (cell) this.lookByName(cell);
    this.address();
  }

  showCards() {
    this.cards = cardsOf(this.step);
    const events = { look: (key, i) => this.look(key, i), point: (key, i, event) => this.point(key, i, event),
                     choose: (key, i) => this.choose(key, i), enter: (key, i) => this.enter(key, i) };
    $("cards").replaceChildren(...this.cards.map((card) => cardOf({ ...card, covered: this.predict.covered(card) }, events)));
  }
  hint() { $("why").replaceChildren(make("p", { class: "note" }, word(this.predict.on ? "predictText" : "hover"))); }

  // A cell is pointed at.
  look(key, i) {
    const card = this.cards.find((one) => one.key === key);
    if (!card || this.predict.picked || this.cell === key + " " + i) return;
    this.cell = key + " " + i;
    pointAt(key, i);
    const covered = this.predict.covered(card).has(i);
    const { parts, places } = explainCell(this.step, card, i, covered);
    if (covered) this.predict.ask(card, i);
    else $("why").replaceChildren(...parts, ...this.links(card, i));
    markCells(places, this.cell);
    this.address(card, i);
  }
  // By a pointer: unless a click holds another cell, or the page moved and not the pointer.
  point(key, i, { screenX, screenY }) {
    const rests = this.pointer === screenX + " " + screenY;
    this.pointer = screenX + " " + screenY;
    if (!this.held && !rests) this.look(key, i);
  }
  choose(key, i) {
    if (this.predict.picked) return this.predict.choosePicked(key, i);
    this.look(key, i);
    this.held = true;
  }
  enter(key, i) {
    const card = this.cards.find((one) => one.key === key);
    const to = this.predict.on ? null : this.madeAt(card, i);
    if (!to) return this.choose(key, i);
    this.go(...to);
    const [at, cell] = (this.cell ?? "").split(" ");
    document.querySelector(`#cards [data-card="${CSS.escape(at)}"] :is(td[data-i="${cell}"], canvas)`)?.focus();
  }
  unlook() {
    this.cell = null, this.held = false, this.predict.picked = null;
    pointAt("", -1), markCells(new Map()), this.hint();
  }

  // The step at which a shown number was made, and its cell there. What this step itself adds comes
  // from one number of dY, or from several.
  madeAt(card, i) {
    if (card.value === undefined) return null;
    const made = values[card.value].op;
    if (!card.result && card.key !== "dY" && made >= 0) return [made, nameOf(card.value) + card.array.place(i)];
    if (typeof card.target === "number") {
      const from = [...new Set(explainCell(this.step, card, i, false).places.get("dY") ?? [])];
      return from.length === 1 ? this.madeAt(this.cards.find((one) => one.key === "dY"), from[0]) : null;
    }
    if (card.key !== "dY" && card.key !== "total" && !card.key.endsWith("-before")) return null;
    const all = gradients.get(card.value) ?? [];
    const before = all.filter((add) => ops.length + add.at < this.step && !add.leaf && add.at >= 0).at(-1);
    return before ? [ops.length + before.at, nameOf(card.value) + ".grad" + card.array.place(i)] : null;
  }
  links(card, i) {
    const to = this.madeAt(card, i);
    return to ? [make("button", { class: "follow", onclick: () => this.go(...to) }, word("follow") + ": " + (steps[to[0]].forward ? word("forward") : word("backward")) + " " + title(ops[steps[to[0]].op]))] : [];
  }

  // ---- The address: #step=12&cell=w1.grad[3,4]
  address(card = null, i = 0) {
    if (location.protocol === "about:") return;  // inside of another page, as in a notebook's cell
    const cell = card ? "&cell=" + encodeURIComponent((card.name ?? card.key) + card.array.place(i).replaceAll(" ", "")) : "";
    history.replaceState(null, "", "#step=" + (this.step + 1) + cell);
  }
  fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    this.go((parseInt(asked.get("step"), 10) || 1) - 1, asked.get("cell"));
  }
  lookByName(text) {
    const at = text.lastIndexOf("["), name = text.slice(0, at);
    const card = this.cards.find((one) => one.name === name && one.array && one.result) ??
                 this.cards.find((one) => [one.name, one.alias, one.key].includes(name) && one.array);
    const inner = text.slice(at + 1, -1), index = inner ? inner.split(",").map(Number) : [];
    const i = card?.array.cell(index);
    if (i === null || i === undefined) return;
    this.look(card.key, i);
    document.querySelector(`#cards [data-card="${CSS.escape(card.key)}"]`)?.scrollIntoView?.({ block: "nearest" });
  }

  // ---- Buttons and keys
  controls() {
    $("slider").max = steps.length - 1;
    const on = (id, event, run) => $(id).addEventListener(event, run);
    on("first", "click", () => this.go(0));
    on("back", "click", () => this.go(this.step - 1));
    on("next", "click", () => this.go(this.step + 1));
    on("turn", "click", () => this.go(this.step < ops.length ? ops.length : 0));
    on("play", "click", () => this.play());
    on("slider", "input", () => this.go(+$("slider").value));
    on("predict", "click", () => {
      this.predict.toggle();
      $("predict").setAttribute("aria-pressed", this.predict.on);
      this.go(this.step);
    });
    on("pin", "click", () => {
      this.pinned.has(this.step) ? this.pinned.delete(this.step) : this.pinned.add(this.step);
      $("pin").setAttribute("aria-pressed", this.pinned.has(this.step));
      this.countKept();
    });
    on("print", "click", () => window.print());
    on("language", "change", () => { this.setLanguage($("language").value); this.graph.draw(); this.go(this.step); });
    on("search", "input", () => this.find($("search").value.trim().toLowerCase()));
    window.addEventListener("hashchange", () => this.fromAddress());
    window.addEventListener("beforeprint", () => this.handout());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => markCells(new Map()));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") return this.unlook();
      if (event.target.closest("input, select, td, canvas, #graph, #source") || event.ctrlKey || event.metaKey || event.altKey) return;
      const to = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, Home: 0, End: steps.length - 1 }[event.key];
      if (to !== undefined) { event.preventDefault(); this.go(to); }
    });
    const all = new Set([...values.map((_, i) => nameOf(i)), ...ops.map(title)]);
    $("names").append(...[...all].slice(0, 500).map((name) => make("option", { value: name })));
  }
  countKept() { $("pin").textContent = word("pin") + (this.pinned.size ? ` (${this.pinned.size})` : ""); }
  find(text) {
    $("found").textContent = "";
    if (!text) return;
    const op = ops.findIndex((one) => [title(one), one.op, nameOf(one.out)].some((name) => name.toLowerCase() === text));
    const value = values.findIndex((_, i) => nameOf(i).toLowerCase() === text);
    const by = op >= 0 ? op : value >= 0 ? this.graph.consumer(value) : ops.findIndex((one) => title(one).toLowerCase().includes(text));
    if (by >= 0) this.go(this.graph.stepFor(by));
    else $("found").textContent = word("unknown");
  }
  play() {
    const stop = () => { clearInterval(this.timer); this.timer = null; $("play").setAttribute("aria-pressed", false); $("play").textContent = "▶"; };
    if (this.timer) return stop();
    if (this.step === steps.length - 1) this.go(0);
    $("play").setAttribute("aria-pressed", true), $("play").textContent = "❚❚";
    const pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? 4000 : 1600;
    this.timer = setInterval(() => { this.go(this.step + 1); if (this.step === steps.length - 1) stop(); }, pace);
  }

  // The steps that were kept, or this one, one after the other on paper.
  handout() {
    const here = this.step, pages = [];
    for (const s of this.pinned.size ? [...this.pinned].sort((a, b) => a - b) : [here]) {
      this.go(s);
      const copy = $("right").cloneNode(true);
      copy.querySelectorAll("[id]").forEach((one) => one.removeAttribute("id"));
      copy.querySelectorAll("canvas").forEach((one, i) => one.getContext("2d").drawImage($("right").querySelectorAll("canvas")[i], 0, 0));
      pages.push(copy);
    }
    $("handout").replaceChildren(...pages);
    this.go(here);
  }

  // ---- Languages
  chosenLanguage() {
    const found = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => WORDS[tag]);
    return found ?? "en";
  }
  setLanguage(tag) {
    language = tag;
    document.documentElement.lang = tag, $("language").value = tag;
    for (const one of document.querySelectorAll("[data-word]")) one.textContent = word(one.dataset.word);
    for (const one of document.querySelectorAll("[data-title]")) one.title = word(one.dataset.title), one.setAttribute("aria-label", one.title);
    this.countKept();
    $("search").placeholder = word("search");
    $("source").setAttribute("aria-label", word("source"));
    const notices = [tape.leftOut && word("leftOut", { m: ops.length, n: tape.leftOut }),
                     ops.some((op) => values[op.out].value === null) && word("keptNot"), !backward.length && word("noBackward")].filter(Boolean);
    $("notice").textContent = notices.join(" "), $("notice").hidden = !notices.length;
  }
}

new Page();
document.documentElement.dataset.ready = 1;
