// An exercise beside its cells: hints, the solution, the check; and all answers as one file.
import { download, element } from "./elements.js";
import { keep, kept } from "./kept.js";
import { language, said, say } from "./words.js";

const solved = () => kept("solved", []);
export const isSolved = name => solved().includes(name);

export class Exercise {
	constructor(root, cells, python, books, changed) {
		Object.assign(this, { root, cells, python, books, changed });
	}

	show(name) {
		this.name = name;
		this.hints = 0;
		this.draw();
	}
	draw() {
		const it = this.books[this.name]?.exercise,
			{ root } = this;
		root.hidden = !it;
		if (!it) return;
		const act = (word, onclick) => element("button", { type: "button", onclick }, say(word));
		const told = (word, text) => element("p", {}, element("b", {}, say(word)), " ", text);
		this.verdict = element("div", { className: "verdict", role: "status" });
		root.replaceChildren(
			element("h2", {}, said(it.title)),
			element(
				"p",
				{},
				act("check", () => this.check()),
				" ",
				act("hint", () => this.hint()),
				" ",
				act("solution", () => this.solution()),
			),
			...[told("hint", said(it.hint)), told("where", said(it.where))].slice(0, this.hints),
			this.verdict,
			(this.count = element("p")),
		);
		this.tellCount();
	}
	tellCount() {
		const all = Object.keys(this.books).filter(name => this.books[name].exercise);
		this.count.textContent = say("solved", { n: all.filter(isSolved).length, of: all.length });
	}
	hint() {
		this.hints = Math.min(2, this.hints + 1);
		this.draw();
	}
	solution() {
		this.verdict.replaceChildren(element("pre", {}, this.books[this.name].exercise.solution));
	}
	async check() {
		const { name } = this;
		this.verdict.replaceChildren();
		if (!(await this.cells.runAll())) return;
		const { functions } = this.books[name].exercise;
		const told = await this.python.ask("check", [name, functions, language]);
		const [right, verdict] = JSON.parse(told) ?? [false, this.python.why];
		if (name !== this.name) return;
		if (right && !isSolved(name)) {
			keep("solved", [...solved(), name]);
			this.changed();
		}
		const word = element("b", { className: right ? "right" : "wrong" }, say(right ? "right" : "notYet"));
		this.verdict.replaceChildren(word, element("pre", {}, verdict));
		this.tellCount();
	}

	// One file for `demos/run exercise --grade`; what has not been touched is no answer.
	handIn(state) {
		const answers = {};
		for (const name of Object.keys(this.books).filter(name => this.books[name].exercise)) {
			const code = kept(name, []).filter(([kind]) => kind === "code");
			if (code.length) answers[name] = code.map(([, source]) => source).join("\n\n");
		}
		const n = Object.keys(answers).length;
		if (!n) return state("nothing");
		const who = prompt(say("who"), kept("who", ""))?.trim();
		if (!who) return;
		keep("who", who);
		const file = who.replace(/[\\/:*?"<>|]|^\.+/g, "_") + ".json";
		download(file, "application/json", JSON.stringify({ answers }, null, 1));
		state("handedIn", { n, file });
	}
}
