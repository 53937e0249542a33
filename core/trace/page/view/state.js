// ---- The state: what the user has chosen. Events change it, render() draws it

const state = {
	step: null, // null: the first screen
	cell: null, // {key, i}: the number that is explained, and the key of its card
	held: null, // the cell that a click has fixed: the pointer on other cells changes nothing
	wanted: null, // the address's cell, if the page has no such number, or only its block
	path: null, // [value, i], whose path to the loss is shown
	way: null, // how far that path's play has come
	opened: openAtFirst,
	lesson: null, // the lesson's step
	lastLesson: 0,
	asked: [], // numbers that open questions of the lesson's step ask for: "W.grad[2, 0]"
	hushed: [], // changes whose way open questions ask for: "w[1, 1] +0.1"
	answered: new Set(), // questions of the lesson: "step question"
	read: [], // pages of a course whose questions were answered, and whose end was shown
	predicts: false,
	revealed: new Set(), // what was predicted: "step key i"
	told: null, // {cell, ok}: whether the prediction was right
	score: { k: 0, n: 0 },
	presents: false,
	plays: false,
	language: "en",
	chosen: false, // the language, by the user or the address
	// Of a live page:
	benchOpen: false,
	touched: null, // the number to change: {value, i, name, from, to, began}, began: before the change
	drags: false,
	computing: false,
	problem: "", // the engine's
	misread: "", // what is wrong about what was typed
	training: null,
	notLive: tape.notLive,
};
let bench = null, // of a live page
	draw; // all parts: main.js
const FRAME = 16; // ms

function change(some, pushes = false) {
	Object.assign(state, some);
	render();
	writeAddress(state, pushes);
}

// Draws a part of the page if one of the values that it shows has changed.
const drawn = new Map();
function part(draw, ...shown) {
	const before = drawn.get(draw);
	if (before && shown.every((one, k) => Object.is(one, before[k]))) return false;
	drawn.set(draw, shown);
	draw(...shown);
	return true;
}

// Drawing may cause events, such as blur, that change the state: then it is drawn once more.
let renders = 0; // asked for
function render() {
	if (renders++) return;
	try {
		for (let done = 0; done < renders; keepFocus()) done = renders;
	} finally {
		renders = 0;
	}
}

// If drawing replaces the focused element, its replacement gets the focus.
function keepFocus() {
	const had = document.activeElement,
		cell = had.closest("#cards [data-card] :is([data-i], canvas)"),
		key = cell?.closest("[data-card]").dataset.card;
	draw();
	if (had.isConnected) return;
	const now = cell
		? shownCell(key, cell.dataset.i)
		: had.matches(".rise")
			? document.querySelector("#why .rise")
			: had.id
				? $(had.id)
				: null;
	now?.focus({ preventScroll: true });
}
