// Random actions on a notebook: after each it is as in a plain array of cells, and each cell shows what its
// code must print, which is known here without Python.
"use strict";
const fs = require("node:fs");
require("../trace/browser_test.js");
const { cell: nth, write, done } = require("./cells.js");

// Codes with a number n, and what they show, [[kind, text], ...], in a Python that has x and f, {n, of: the
// cell that defined it}. Of an error: [lines of this cell, its last words, lines of f's cell].
const error = (lines, words, ofF = []) => ["error", [lines, words, ofF]];
const noName = (name, ...lines) => error(lines, `NameError: name '${name}' is not defined`);
const codes = [
	["import torch", () => []],
	["x = #\nx; ", (py, n) => ((py.x = n), [])],
	["print('x is', x)", ({ x }) => [x === undefined ? noName("x", 1) : ["text", `x is ${x}\n`]]],
	[
		"print('#', end='')\nprint('ä')\n\nx * 2",
		({ x }, n) => (x === undefined ? [["text", n + "ä\n"], noName("x", 4)] : [["text", `${n}ä\n${2 * x}\n`]]),
	],
	[
		"class H:\n    def _repr_html_(self): return '<b>#</b>'\nprint('p')\ndisplay(H(), 7)\nprint('q')",
		(_, n) => [
			["text", "p\n"],
			["html", `${n}`],
			["text", "7\nq\n"],
		],
	],
	["def f():\n    y = #\n    return y // x\ny = 0", (py, n, of) => ((py.f = { n, of }), [])],
	[
		"print('#')\n\nf()",
		({ x, f }, n) => {
			if (f && x) return [["text", `${n}\n${Math.floor(f.n / x)}\n`]];
			const zero = error([3], "ZeroDivisionError: integer division or modulo by zero", [3]);
			const none = error([3], "NameError: name 'x' is not defined", [3]);
			return [["text", n + "\n"], f ? (x === 0 ? zero : none) : noName("f", 3)];
		},
	],
	["def g():\n    raise SystemExit(#)\ng()", (_, n) => [error([3, 2], "SystemExit: " + n)]],
	["print(#)\nx = = 1", () => [error([2], "SyntaxError: invalid syntax")]],
];
const stopped = ["error", [[], "Stopped. Python starts anew: its variables are gone, the cells stay."]];
// What a reader sees, or a file has: of an error the places, [[number, line, its text], ...], and the last words.
const told = ([kind, text]) => {
	if (kind !== "error") return [kind, text.replace(/<.*?>/g, "")];
	const places = [...text.matchAll(/File "In\[(\d+)\]", line (\d+).*\n *(.*)/g)].map(([, ...place]) => place);
	return [kind, [places, text.trim().split("\n").at(-1)]];
};

async function acts(seed, times) {
	const page = await open("tab", "#book=empty");
	const drawn = draws(seed);
	const rendered = text => text.replaceAll("*", "");
	const made = (kind, text = "", says = () => []) =>
		kind === "code"
			? { kind, text, says, number: null, marks: [], shows: [] }
			: { kind, text, number: null, marks: [], shows: rendered(text), open: !text };
	const again = ({ kind, text, says }) => made(kind, text, says);
	const code = ([text, says] = drawn(codes), n = drawn(span(4))) =>
		made("code", text.replaceAll("#", n), (py, of) => says(py, n, of));
	let py = {},
		ran = 0,
		past = [],
		cells = [code(codes[0])];
	const reorder = change => (past.push(cells), change((cells = [...cells])));
	const restarts = () => void ((py = {}), (ran = 0));
	const leave = () => ((past = []), (cells = cells.map(again)), restarts());
	// Whether it had no error.
	const run = cell => {
		if (cell.kind === "markdown") return Object.assign(cell, { shows: rendered(cell.text), open: false });
		Object.assign(cell, { number: ++ran, marks: [] });
		cell.shows = cell.says(py, { cell, number: ran, text: cell.text });
		const last = cell.shows.at(-1);
		if (last?.[0] !== "error") return true;
		const [lines, words, ofF] = last[1],
			{ of } = py.f ?? {};
		cell.marks = [...lines].sort();
		if (ofF.length && of.cell.text === of.text) of.cell.marks = ofF;
		const place = ({ number, text }, line) => [`${number}`, `${line}`, text.split("\n")[line - 1].trim()];
		last[1] = [[...lines.map(line => place(cell, line)), ...ofF.map(line => place(of, line))], words];
		return false;
	};

	const press = (i, label) => page.click(`${nth(i + 1)} [data-label=${label}]`);
	const enter = async i => {
		if (cells[i].open === false) await press(i, "edit"), (cells[i].open = true);
		await page.click(nth(i + 1) + " .cm-content");
	};
	const put = async (i, { text, says }) => {
		await enter(i), await write(page, i + 1, text);
		Object.assign(cells[i], { text, says, marks: [] });
	};
	const add = (kind, label) => async i => {
		await press(i, label);
		reorder(list => list.splice(i + 1, 0, made(kind)));
		return i + 1;
	};
	const move = (by, label) => async i => {
		await press(i, label);
		if (!cells[i + by]) return i;
		reorder(list => list.splice(i + by, 0, ...list.splice(i, 1)));
		return i + by;
	};
	const load = async list => {
		const written = list.map(({ kind, text }) => ({ cell_type: kind, source: text }));
		fs.writeFileSync(pages + "/empty (12).ipynb", JSON.stringify({ cells: written }));
		await page.$eval("#cells > section", section => (section.id = "before"));
		await page.setInputFiles("#file", pages + "/empty (12).ipynb");
		await page.waitForSelector("#before", { state: "detached" });
		reorder(() => (cells = list.map(again)));
	};
	// What a reader does, with cell i; and in which cell the keyboard is then, if that is of interest.
	const often = {
		edit: i => put(i, cells[i].kind === "code" ? code() : made("markdown", `**t${drawn(span(9))}** of text`)),
		// Four cells in turn, once or twice.
		click: async () => {
			for (const cell of span(4).map(() => drawn(cells))) {
				if (cell.kind !== "code") continue;
				const clickCount = drawn([1, 2]);
				await page.click(`${nth(cells.indexOf(cell) + 1)} [data-label=run]`, { clickCount }), await done(page);
				for (let k = 0; k < clickCount; ++k) run(cell);
			}
		},
		stay: async i => (await enter(i), await page.keyboard.press("Control+Enter"), run(cells[i]), i),
		goOn: async i => {
			await enter(i), await page.keyboard.press("Shift+Enter");
			run(cells[i]);
			if (!cells[i + 1]) reorder(list => list.push(made("code")));
			return i + 1;
		},
	};
	const sometimes = {
		all: async () => (await page.click("#all"), cells.every(run)),
		addCode: add("code", "addCode"),
		addText: add("markdown", "addText"),
		remove: async i => {
			await press(i, "remove");
			reorder(list => (list.splice(i, 1), list.length || list.push(made("code"))));
			return Math.min(i, cells.length - 1);
		},
		up: move(-1, "up"),
		down: move(1, "down"),
		undo: async () => (await page.click("#undo"), (cells = past.pop() ?? cells)),
	};
	const seldom = {
		// f's cell has another text when it fails.
		stale: async i => {
			const j = cells.findIndex(({ kind }, j) => j !== i && kind === "code");
			if (j < 0 || cells[i].kind !== "code") return;
			for (const [k, of, n] of [
				[i, 1, 0],
				[i, 5, 1],
				[j, 6, 2],
			]) {
				await put(k, code(codes[of], n)), await often.stay(k), await done(page);
				if (of === 5) await put(i, code(codes[4]));
			}
		},
		// As it was at first, and back.
		original: async () => (await page.click("#original"), page.click("#undo")),
		load: () => load(cells),
		// At once after an edit, which no language undoes.
		language: async i => {
			await often.edit(i);
			for (const language of ["ko", "en"]) await page.selectOption("#language", language);
		},
		restart: async () => (await page.click("#restart"), restarts()),
		// An endless loop behind another cell, which also waits for it again, and the end of both.
		stop: async i => {
			if (cells[i].kind !== "code") return;
			await put(i, { text: "print('s')\nwhile True: pass" });
			const other = cells.findIndex((cell, j) => j !== i && cell.kind === "code"),
				order = other < 0 ? [i] : [other, i, other];
			if (other >= 0) await put(other, code(codes[8]));
			await page.evaluate(
				all => all.forEach(one => document.querySelector(one).click()),
				order.map(k => `${nth(k + 1)} [data-label=run]`),
			);
			for (const k of order) Object.assign(cells[k], { number: ++ran, marks: [], shows: [stopped] });
			cells[i].shows.unshift(["text", "s\n"]);
			await page.waitForSelector(nth(i + 1) + " .output pre:text('s')");
			await page.keyboard.press("Control+.");
			restarts();
			await done(page);
			await put(i, code());
		},
		// At once after an edit.
		elsewhere: async i => {
			await often.edit(i), await page.evaluate(() => void (location.hash = "book=1"));
			await page.to("book=empty");
			leave();
		},
		reload: async () => (await page.reloaded(), leave()),
	};
	const seen = () =>
		page.$$eval("#cells > section", sections =>
			sections.map(section => {
				const lines = [...section.querySelectorAll(".cm-line")],
					output = section.querySelector(".output"),
					[kind] = section.classList;
				return {
					kind,
					text: lines.map(line => line.textContent).join("\n"),
					number: section.querySelector(".count").textContent,
					marks: lines.flatMap((line, i) => (line.classList.contains("wrong") ? [i + 1] : [])),
					shows:
						kind === "code"
							? [...output.children].map(each => [each.className, each.textContent])
							: output.textContent.trim(),
					...(kind === "markdown" && { open: section.classList.contains("open") }),
					names: [section.ariaLabel, section.querySelector(".cm-content").ariaLabel],
					focused: section.contains(document.activeElement),
				};
			}),
		);
	const some = (times, actions) => Array(times).fill(Object.entries(actions)).flat();
	const all = [...some(5, often), ...some(2, sometimes), ...some(1, seldom)],
		took = [];
	await load(codes.map(each => code(each)));
	while (took.length < times) {
		const [name, act] = drawn(all),
			i = drawn(span(cells.length));
		took.push(`${name} ${i + 1}`);
		const focus = await act(i);
		await done(page);
		const found = await seen();
		deepEqual(
			found.map(({ focused, shows, ...cell }, i) => [
				{ ...cell, shows: cell.kind === "code" ? shows.map(told) : shows },
				focused || focus !== i,
			]),
			cells.map(({ kind, says, number, ...cell }, i) => [
				{
					...{ kind, ...cell, number: number ? `[${number}]` : "" },
					names: [`Cell ${i + 1}`, `${kind === "code" ? "Code" : "Text"} of cell ${i + 1}`],
				},
				true,
			]),
			took.join(", "),
		);
		const [file, kept] = await page.evaluate(() => {
			dispatchEvent(new Event("pagehide"));
			const { createObjectURL } = URL;
			const made = new Promise(done => (URL.createObjectURL = blob => (done(blob.text()), createObjectURL(blob))));
			document.getElementById("save").click();
			URL.createObjectURL = createObjectURL;
			return Promise.all([made, localStorage.getItem("stepgrad tab.html empty")]);
		});
		const sources = cells.map(({ kind, text }) => [kind, text]);
		deepEqual(JSON.parse(kept) ?? [["code", "import torch"]], sources, took.join(", "));
		const kinds = { stream: "text", display_data: "html", error: "error" };
		const output = ({ output_type, text, data, traceback }) =>
			told([kinds[output_type], text ?? data?.["text/html"] ?? traceback.join("\n")]);
		deepEqual(
			JSON.parse(file).cells.map(({ cell_type, source, execution_count, outputs }) =>
				outputs ? [cell_type, source, execution_count, outputs.map(output)] : [cell_type, source],
			),
			cells.map(({ kind, text, number, shows }) => (kind === "code" ? [kind, text, number, shows] : [kind, text])),
			took.join(", "),
		);
	}
	await page.shut();
}

test("after any actions a notebook is as an array of cells, and its cells show what they must print", async () => {
	for (const seed of [1, 2]) await acts(seed, 50);
});
