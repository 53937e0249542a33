// The page: which notebook it shows, its buttons, its address (#book=NAME&lang=ko), what is kept.
import { Cells } from "./cells.js";
import { download, element } from "./elements.js";
import { Exercise, isSolved } from "./exercises.js";
import { keep, kept, whenChanged } from "./kept.js";
import { read, written } from "./notebook.js";
import { Python } from "./python.js";
import { choose, language, said, say } from "./words.js";

const at = id => document.getElementById(id);
// {first: NAME, books: {NAME: {title, cells: [[kind, text], ...], exercise: {...}}}}: a text may be one
// for each language
const { first, books } = JSON.parse(at("books").textContent);
for (const name of kept("opened", [])) books[name] ??= { cells: [] };
let book,
	last = ["unpacking"],
	later;

function state(key, values) {
	last = [key, values];
	at("state").textContent = say(key, values);
	if (key === "ready") document.documentElement.dataset.ready = "yes";
}
const python = new Python(state);
python.onBusy = busy => (at("stop").disabled = !busy);
const cells = new Cells(at("cells"), python, state, () => {
	clearTimeout(later);
	later = setTimeout(keepNow, 300);
});
const exercise = new Exercise(at("exercise"), cells, python, books, drawMenu);

const original = () => books[book].cells.map(([kind, text]) => [kind, said(text)]);
function keepNow() {
	if (later === undefined) return;
	clearTimeout(later);
	later = undefined;
	const sources = cells.sources(),
		same = JSON.stringify(sources) === JSON.stringify(original());
	if (!keep(book, same ? undefined : sources)) state("notKept");
}
function drawMenu() {
	const options = names =>
		names.map(name => {
			const { title, lesson } = books[name];
			const text =
				name === "empty"
					? say("empty")
					: lesson
						? `${say("lesson", { n: lesson })}: ${said(title)}`
						: (said(title) ?? name);
			return element("option", { value: name }, text + (isSolved(name) ? " ✓" : ""));
		});
	const kind = name => (books[name].exercise ? "exercises" : books[name].lesson ? "lessons" : "notebooks");
	at("book").replaceChildren(
		...["notebooks", "lessons", "exercises"].map(group =>
			element("optgroup", { label: say(group) }, ...options(Object.keys(books).filter(name => kind(name) === group))),
		),
	);
	at("book").value = book;
}
function restart(why) {
	delete document.documentElement.dataset.ready;
	cells.forget();
	python.start(why);
}
function show(name) {
	book = name;
	if (cells.ran) restart();
	cells.show(kept(book, original()));
	exercise.show(book);
	drawMenu();
}

// ---- The address
const asked = () => new URLSearchParams(location.hash.slice(1));
function go(name, tag = language) {
	location.hash = new URLSearchParams({ book: name, lang: tag });
}
function follow() {
	keepNow(); // while book and language are still of the cells
	const tag = asked().get("lang") ?? kept("language") ?? navigator.language;
	const wanted = asked().get("book"),
		name = books[wanted] ? wanted : (book ?? first),
		before = language;
	choose(tag);
	at("language").value = language;
	if (name !== book) show(name);
	else if (language !== before) {
		if (!kept(book)) cells.take(original());
		cells.draw();
		exercise.draw();
		drawMenu();
	}
	if (last) state(...last);
}

// ---- The buttons
async function opened(file) {
	if (!file) return;
	let sources;
	try {
		sources = read(await file.text());
	} catch {
		return state("notANotebook", { file: file.name });
	}
	const name = file.name.replace(/( ?\(\d+\))?\.ipynb$/, "");
	if (!books[name]) keep("opened", [...kept("opened", []), name]);
	books[name] ??= { cells: [] };
	keep(name, sources);
	if (name === book) cells.replace(sources);
	else go(name);
}
const actions = {
	all: () => cells.runAll(),
	stop: () => restart(say("stopped")),
	restart: () => restart(say("stopped")),
	undo: () => cells.undo(),
	original: () => cells.replace(original()),
	open: () => at("file").click(),
	save: () =>
		download(
			book + ".ipynb",
			"application/x-ipynb+json",
			written(
				cells.sources(),
				cells.list.map(({ outputs }) => outputs),
				cells.list.map(({ number }) => number),
			),
		),
	hand: () => (keepNow(), exercise.handIn(state)),
};
for (const [id, act] of Object.entries(actions)) at(id).onclick = act;
document.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
	if (key === "." && (ctrlKey || metaKey)) at("stop").click(); // which does nothing while it is disabled
});
at("file").onchange = ({ target }) => opened(target.files[0]).finally(() => (target.value = ""));
at("book").onchange = ({ target }) => go(target.value);
at("language").onchange = ({ target }) => (keep("language", target.value), go(book, target.value));
addEventListener("hashchange", follow);
addEventListener("pagehide", keepNow);
whenChanged(
	() => book,
	() => (cells.take(kept(book, original())), state("elsewhere")),
);
follow();
