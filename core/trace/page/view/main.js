// ---- The page: its state is drawn, part by part

draw = () => {
	const { step, cell, language, predicts, told, asked, hushed } = state,
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
			why = part(drawWhy, shownCards(), cell, revealed, asked, hushed, told);
		if (cards || why) drawMarks(state);
	}
	part(drawPath, state.path, state.way, run, language);
	part(drawWay, state.path, state.way, run, language, state.opened);
	if (bench) drawBench(language);
};
// Classes of the body, and whether each is on.
const modesOf = state => ({
	"at-start": state.step === null,
	explains: Boolean(state.cell),
	holds: Boolean(state.held),
	"on-path": Boolean(state.path),
	"has-lesson": state.lesson !== null,
	asks: state.asked.length > 0, // for numbers: the loss may be one
	hushes: state.hushed.length > 0,
	"has-bench": state.benchOpen,
	predicts: state.predicts,
	present: state.presents,
	drags: state.drags,
});

// ---- Words, in three languages
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
		tape.refused && word("refused", { why: tape.refused }),
		tape.pass === "freed" ? word("freed") : !backward.length && !tape.refused && word("noBackward"),
		tape.pass === "under way" && word("underWay", { n: backward.length }),
		notLive && word("notLive", { why: notLive }),
	].filter(Boolean);
	$("notice").textContent = notices.join(" ");
	$("notice").hidden = !notices.length;
}

listen();
if (typeof Bench === "function") bench = new Bench();
state.language = chosenLanguage();
state.read = readAddress().read;
showAddress();
$("broken").remove();
document.documentElement.dataset.ready = 1;
bench?.start();
