// A notebook's cells: their order, and what they run.
import { editor } from "./editor.js";
import { button, element, markdown, shown } from "./elements.js";
import { say, translate } from "./words.js";

export class Cells {
	list = [];
	past = []; // lists before each change of the order
	ran = 0; // In[ran] was the last
	byNumber = new Map(); // {cell, text}: what ran as In[number]

	// state(key, values): says what happens; changed(): a text or the order has changed
	constructor(root, python, state, changed) {
		Object.assign(this, { root, python, state, changed });
	}

	// ---- What there is
	sources() {
		return this.list.map(({ kind, editor }) => [kind, editor.text]);
	}
	show(sources) {
		this.past = [];
		this.list = sources.map(([kind, text]) => this.cell(kind, text));
		this.draw();
	}
	// The same as a change, which can be undone.
	replace(sources) {
		this.reorder(() => sources.map(([kind, text]) => this.cell(kind, text)));
	}
	// Texts of another tab. What they have shown here stays if the cells are the same.
	take(sources) {
		const kinds = list => list.map(([kind]) => kind).join();
		if (kinds(sources) !== kinds(this.sources())) return this.show(sources);
		sources.forEach(([, text], i) => {
			const { editor, kind } = this.list[i];
			if (editor.text === text) return;
			editor.view.dispatch({ changes: { from: 0, to: editor.text.length, insert: text } });
			if (kind === "markdown") this.render(this.list[i]);
		});
	}

	cell(kind, text) {
		const isPython = kind === "code",
			cell = { kind, outputs: [], number: null };
		const tools = element("div", { className: "tools" });
		const edited = element("div", { className: "edited" });
		cell.output = element("div", { className: "output" });
		cell.element = element("section", { className: kind }, tools, edited, cell.output);
		cell.element.dataset.label = "cell";
		cell.count = element("span", { className: "count" });
		const step = by => () => this.move(cell, by);
		tools.append(
			isPython
				? button("▶", "run", () => this.run(cell))
				: button("✎", "edit", () => (this.open(cell), cell.editor.focus())),
			cell.count,
			button("↑", "up", step(-1)),
			button("↓", "down", step(1)),
			button("+", "addCode", () => this.add(cell, "code")),
			button("+¶", "addText", () => this.add(cell, "markdown")),
			button("✕", "remove", () => this.remove(cell)),
		);
		cell.editor = editor(edited, text, {
			isPython,
			run: () => (this.run(cell), this.next(cell)),
			stay: () => (this.run(cell), isPython || tools.firstChild.focus()), // a text's editor goes
			leave: () => tools.firstChild.focus(),
			ask: (what, name) => this.python.askIdle(what, name),
			changed: () => this.changed(),
		});
		if (!isPython) {
			cell.output.ondblclick = () => (this.open(cell), cell.editor.focus());
			this.render(cell);
			if (!text) this.open(cell);
		}
		return cell;
	}
	// Cells in their order: those that stay where they are keep their frames and the focus.
	draw() {
		const elements = this.list.map(cell => cell.element);
		for (const old of [...this.root.children]) if (!elements.includes(old)) old.remove();
		elements.forEach((each, i) => {
			if (this.root.children[i] !== each) this.root.insertBefore(each, this.root.children[i] ?? null);
			for (const named of [each, ...each.querySelectorAll("[data-label]")]) named.dataset.n = i + 1;
			this.list[i].editor.name(say(this.list[i].kind === "code" ? "code" : "text", { n: i + 1 }));
		});
		translate(this.root);
	}

	// ---- Another order
	reorder(change) {
		const before = [...this.list];
		this.list = change([...this.list]);
		this.past.push(before);
		this.draw();
		this.changed();
	}
	undo() {
		if (!this.past.length) return;
		this.list = this.past.pop();
		this.draw();
		this.changed();
	}
	add(behind, kind) {
		const added = this.cell(kind, "");
		this.reorder(list => list.toSpliced(list.indexOf(behind) + 1, 0, added));
		added.editor.focus();
	}
	move(cell, by) {
		const from = this.list.indexOf(cell),
			to = from + by;
		if (to < 0 || to >= this.list.length) return;
		const focused = document.activeElement;
		this.reorder(list => list.toSpliced(from, 1).toSpliced(to, 0, cell));
		focused.focus();
	}
	remove(cell) {
		const i = this.list.indexOf(cell);
		this.reorder(list => (list.length > 1 ? list.toSpliced(i, 1) : [this.cell("code", "")]));
		this.list[Math.min(i, this.list.length - 1)].element.querySelector("button").focus();
	}
	next(cell) {
		const next = this.list[this.list.indexOf(cell) + 1];
		if (!next) this.add(cell, "code");
		else if (next.kind === "code") next.editor.focus();
		else next.element.querySelector("button").focus();
		(next ?? this.list.at(-1)).element.scrollIntoView({ block: "nearest" });
	}

	// ---- Running
	open(cell) {
		cell.element.classList.add("open");
	}
	render(cell) {
		cell.output.replaceChildren(markdown(cell.editor.text));
		cell.element.classList.remove("open");
	}
	forget() {
		this.ran = 0;
		this.byNumber.clear();
	}
	heard(cell, { kind, text }) {
		const last = cell.outputs.at(-1);
		if (kind === "text" && last?.kind === "text") {
			last.text += text;
			cell.output.lastChild.append(text);
		} else {
			cell.outputs.push({ kind, text });
			cell.output.append(shown({ kind, text }));
		}
	}
	// Whether it has run without an error.
	async run(cell) {
		if (cell.kind === "markdown") return this.render(cell), true;
		const number = ++this.ran,
			n = this.list.indexOf(cell) + 1;
		cell.outputs = [];
		cell.output.replaceChildren();
		cell.editor.mark([]);
		cell.number = number;
		cell.count.textContent = "[…]";
		await this.python.ready;
		this.state("running", { n });
		const { text } = cell.editor;
		this.byNumber.set(number, { cell, text });
		const isLast = () => cell.number === number; // it may have been run again before this ends
		const answer = await this.python.ask("run", [text, number], each => isLast() && this.heard(cell, each));
		const { error, lines = [] } = JSON.parse(answer) ?? { error: this.python.why };
		if (isLast()) {
			cell.count.textContent = `[${number}]`;
			if (error) this.heard(cell, { kind: "error", text: error });
			for (const [other] of lines) {
				const ran = this.byNumber.get(other); // its lines are known while its text is what ran
				if (ran && ran.cell.editor.text === ran.text)
					ran.cell.editor.mark(lines.filter(([k]) => k === other).map(([, line]) => line));
			}
		}
		if (answer) this.state(error ? "failed" : "ran", { n });
		return !error;
	}
	async runAll() {
		for (const cell of [...this.list]) if (!(await this.run(cell))) return false;
		return true;
	}
}
