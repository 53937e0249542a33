// An editor for a cell: CodeMirror, with Python's own completion.
import { autocompletion, acceptCompletion, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { completionKeymap, completionStatus, startCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip, keymap, lineNumbers, showTooltip } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const field = (effect, none, shown, provide) =>
	StateField.define({
		create: () => none,
		update: (value, { effects, docChanged, selection, state }) => {
			for (const each of effects) if (each.is(effect)) return shown(each.value, state);
			return docChanged || (selection && effect === noting) ? none : value;
		},
		provide,
	});

// Lines that an error names.
const marking = StateEffect.define();
const wrong = Decoration.line({ class: "wrong" });
const marks = field(
	marking,
	Decoration.none,
	(lines, { doc }) => Decoration.set(lines.filter(n => n <= doc.lines).map(n => wrong.range(doc.line(n).from))),
	marks => EditorView.decorations.from(marks),
);

// A name's signature and documentation, beside it.
const noting = StateEffect.define();
const note = field(
	noting,
	null,
	note => note,
	note => showTooltip.from(note),
);
function paragraph(text) {
	const dom = document.createElement("pre");
	dom.className = "note";
	dom.role = "status";
	dom.textContent = text;
	return dom;
}
function nameAt(state, position) {
	const line = state.doc.lineAt(position),
		at = position - line.from;
	for (const { 0: name, index } of line.text.matchAll(/[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*/gu))
		if (index <= at && at <= index + name.length + 1) return { name, from: line.from + index };
	return null;
}
const noteOf = ask => async (view, position) => {
	const found = nameAt(view.state, position);
	const text = found && (await ask("explain", found.name));
	return text ? { pos: found.from, above: true, create: () => ({ dom: paragraph(text) }) } : null;
};
const showNote = ask => view => {
	noteOf(ask)(view, view.state.selection.main.head).then(
		found => found && view.dispatch({ effects: noting.of(found) }),
	);
	return true;
};

const completions = ask => async context => {
	const typed = context.matchBefore(/[\p{L}_][\p{L}\p{N}_.]*/u);
	const names = typed && JSON.parse((await ask("complete", typed.text)) ?? "[]");
	if (!names?.length) return null;
	const stem = typed.text.slice(0, typed.text.lastIndexOf(".") + 1);
	const info = async ({ label }) => {
		const text = await ask("explain", stem + label);
		return text ? paragraph(text) : null;
	};
	const options = names.map(label => ({ label, info }));
	return { from: typed.from + stem.length, options, validFor: /^[\p{L}\p{N}_]*$/u };
};

const behindName = ({ selection: { main }, doc }) =>
	main.empty && /[\p{L}\p{N}_.(]$/u.test(doc.sliceString(doc.lineAt(main.head).from, main.head));
const complete = view => acceptCompletion(view) || (behindName(view.state) ? startCompletion(view) : indentMore(view));

// parent: its element; run(): Shift-Enter; leave(): Escape; ask(function, name): of
// Python, or null; changed(): after each edit.
export function editor(parent, doc, { isPython, run, stay, leave, ask, changed }) {
	const keys = [
		{ key: "Shift-Enter", run: () => (run(), true) },
		{ key: "Ctrl-Enter", mac: "Cmd-Enter", run: () => (stay(), true) },
		{
			key: "Escape",
			run: ({ state }) => !completionStatus(state) && !state.field(note) && (leave(), true),
		},
		{
			key: "Escape",
			run: view => !completionStatus(view.state) && (view.dispatch({ effects: noting.of(null) }), true),
		},
	];
	const ofPython = [
		python(),
		lineNumbers(),
		indentUnit.of("    "),
		indentOnInput(),
		bracketMatching(),
		closeBrackets(),
		autocompletion({ override: [completions(ask)], activateOnTyping: false }),
		hoverTooltip(noteOf(ask)),
		keymap.of([
			{
				key: "Tab",
				run: complete,
				shift: view => (behindName(view.state) ? showNote(ask)(view) : indentLess(view)),
			},
			...closeBracketsKeymap,
			...completionKeymap,
		]),
	];
	const view = new EditorView({
		parent,
		doc,
		extensions: [
			Prec.highest(keymap.of(keys)),
			history(),
			marks,
			note,
			isPython ? ofPython : [],
			EditorView.lineWrapping,
			keymap.of([...defaultKeymap, ...historyKeymap]),
			syntaxHighlighting(classHighlighter),
			EditorState.tabSize.of(4),
			EditorView.darkTheme.of(matchMedia("(prefers-color-scheme: dark)").matches),
			EditorView.updateListener.of(({ docChanged }) => docChanged && changed()),
		],
	});
	return {
		view,
		focus: () => view.focus(),
		name: label => (view.contentDOM.ariaLabel = label),
		get text() {
			return view.state.doc.toString();
		},
		mark: lines => view.dispatch({ effects: marking.of([...new Set(lines)].sort((a, b) => a - b)) }),
	};
}
