// ---- The page: a state is drawn, and the events that lead from step to step

let bench = null; // of a live page

// Drawing may cause events, such as blur, that change the state: then it is drawn once more.
let draws = false,
	again = false;
function render() {
	again = true;
	if (draws) return;
	draws = true;
	try {
		while (again) {
			again = false;
			keepFocus(draw);
		}
	} finally {
		draws = false;
	}
}
function draw() {
	const { step, cell, language, predicts, told, asked } = state,
		revealed = predicts && state.revealed;
	part(drawWords, language);
	part(drawNotices, language, state.notLive);
	for (const [name, on] of Object.entries(modesOf(state))) document.body.classList.toggle(name, on);
	part(drawLesson, state.lesson, language);
	drawControls(state);
	part(play, state.plays);
	part(drawGraph, language, state.opened);
	if (step === null) part(drawStart, run, language);
	else {
		part(showText, step, language);
		part(drawSteps, step, predicts, run, language, state.opened);
		part(scrollGraph, step, language, state.opened);
		const near = JSON.stringify(nearHeld(state)),
			cards = part(drawCards, shownCards(), revealed, asked, bench?.was, near),
			why = part(drawWhy, shownCards(), cell, revealed, asked, told);
		if (cards || why) drawMarks(state);
	}
	part(drawPath, state.path, state.way, run, language);
	part(drawWay, state.path, state.way, run, language, state.opened);
	if (bench) drawBench(language);
}
// Classes of the body, and whether each is on.
const modesOf = state => ({
	"at-start": state.step === null,
	explains: Boolean(state.cell),
	holds: Boolean(state.held),
	"on-path": Boolean(state.path),
	"has-lesson": state.lesson !== null,
	asks: state.asked.length > 0, // for numbers: the loss may be one
	"has-bench": state.benchOpen,
	predicts: state.predicts,
	present: state.presents,
	drags: state.drags,
});

// ---- The step
function go(to, cell = null, pushes = true) {
	if (!steps.length) return;
	const step = Math.max(0, Math.min(steps.length - 1, to)),
		found = cell && cellCalled(cell, cardsOf(step)),
		group = groupOf.get(steps[step].op),
		opens = group?.heads && !state.opened.has(group);
	change(
		{
			step,
			cell: found ? { key: found.card.key, i: found.i } : null,
			wanted: found && (found.i >= 0 || cell.includes("~")) ? null : cell,
			held: null,
			path: null,
			opened: opens ? new Set([...state.opened, group]) : state.opened,
		},
		pushes && step !== state.step,
	);
	if (found) uncover();
}
// Holds the cell too, since the pointer is now over another one.
function follow(step, cell) {
	go(step, cell);
	if (state.cell) hold();
}
function showStart(pushes = false) {
	change({ step: null, cell: null, wanted: null, held: null, path: null, plays: false }, pushes);
}
// The step of the same op in the other direction.
function turned(step) {
	const { op, value } = steps[step];
	if (step >= ops.length) return op >= 0 ? op : firstUser(value);
	const at = backward.findIndex(one => one.op === op);
	return backward.length ? ops.length + Math.max(0, at) : -1;
}
// ---- The address
function showAddress() {
	stopWriting();
	const asked = readAddress(),
		{ lesson } = asked,
		{ language } = state;
	if (asked.language && asked.language !== language) setLanguage(asked.language);
	if (lesson !== null && lesson !== state.lesson) {
		if (asked.step === null) return startLesson(lesson); // where it leads
		if (bench) putBack();
		change(lessonAt(lesson));
	}
	if (asked.step === null) {
		if (lesson === null) showStart();
		return;
	}
	go(asked.step, asked.cell, false);
	if (state.cell) hold();
	if (asked.path) change({ path: asked.path });
}

// ---- The search
function find(text) {
	$("found").textContent = "";
	if (!text) return;
	const first = test => {
		const at = ops.findIndex(test);
		return at < 0 ? null : { step: at };
	};
	const found =
		first(op => title(op).toLowerCase() === text) ??
		resolve(text) ??
		first(op => op.op === text) ??
		first(op => title(op).toLowerCase().includes(text));
	if (!found || found.path || found.step < 0) $("found").textContent = word("unknown");
	else if (found.cell) follow(found.step, found.cell);
	else go(found.step < ops.length ? stepFor(found.step) : found.step);
}

// ---- Words, in three languages
function chosenLanguage() {
	const asked = new URLSearchParams(location.search).get("lang") ?? "";
	const found = [asked, ...navigator.languages]
		.map(tag => tag.slice(0, 2).toLowerCase())
		.find(tag => LANGUAGES.includes(tag));
	return found ?? "en";
}
function setLanguage(tag) {
	if (bench) putBack(); // the lesson is drawn anew
	change({ language: tag, chosen: true });
}
function drawWords(tag) {
	language = tag;
	document.documentElement.lang = tag;
	if (tape.lesson) document.title = lessonOnShow().title;
	$("language").value = tag;
	for (const one of $$("[data-word]")) one.textContent = word(one.dataset.word);
	for (const one of $$("[data-title]")) {
		one.title = word(one.dataset.title);
		one.setAttribute("aria-label", one.title);
	}
	for (const one of $$("[data-label]")) one.setAttribute("aria-label", word(one.dataset.label));
	$("search").placeholder = word("search");
}
function drawNotices(tag, notLive) {
	const notices = [
		tape.leftOut && word("leftOut", { m: ops.length, n: tape.leftOut }),
		ops.some(op => values[op.out].value === null) && word("keptNot"),
		tape.pass === "freed" ? word("freed") : !backward.length && word("noBackward"),
		tape.pass === "under way" && word("underWay", { n: backward.length }),
		notLive && word("notLive", { why: notLive }),
	].filter(Boolean);
	$("notice").textContent = notices.join(" ");
	$("notice").hidden = !notices.length;
}
