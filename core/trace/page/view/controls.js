// ---- Buttons, keys, the search, and what the address asks for

const next = () => go(state.step === null ? 0 : state.step + 1),
	back = () => go((state.step ?? 0) - 1);

function drawControls({ step, lesson, predicts, presents, plays }) {
	const at = step ?? 0,
		last = steps.length - 1;
	$("slider").value = at;
	$("slider").setAttribute("aria-valuetext", `${at + 1} / ${steps.length}`);
	$("back").disabled = $("first").disabled = step === 0;
	$("next").disabled = step === last;
	$("turn").disabled = steps.length > 0 && turned(at) < 0;
	$("turn").textContent = word(at < ops.length ? "turn" : "turnBack");
	$("play").textContent = plays ? "❚❚" : "▶";
	$("start").hidden = step !== null;
	$("step").hidden = step === null;
	$("bench").hidden = !state.benchOpen;
	for (const [id, on] of Object.entries({
		play: plays,
		predict: predicts,
		"lesson-open": lesson !== null,
		"present-page": presents,
		present: presents,
	}))
		$(id)?.setAttribute("aria-pressed", on);
}

function listen() {
	const on = (id, run, event = "click") => $(id).addEventListener(event, run);
	if (enlarged() > 1) document.documentElement.style.setProperty("--high", 1);
	$("slider").max = steps.length - 1;
	on("first", () => go(0));
	on("back", back);
	on("next", next);
	on("turn", () => go(turned(state.step ?? 0)));
	on("home", () => showStart(true));
	on("play", togglePlay);
	on("slider", () => go(+$("slider").value, null, false), "input");
	on("predict", togglePredict);
	on("lesson-open", toggleLesson);
	on("save-svg", saveGraph);
	on("print", () => window.print());
	on("present-page", togglePresent);
	on("language", () => setLanguage($("language").value), "change");
	on("search", () => find($("search").value.trim()), "input");
	$("graph").addEventListener("scroll", drawPictures);
	new ResizeObserver(drawPictures).observe($("graph")); // also when it is shown again
	addEventListener("hashchange", showAddress);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawMarks(state));
	listenToCells();
	document.addEventListener("keydown", onKey);
	const names = values.flatMap((value, i) =>
		value.wants && value.op < 0 && backward.length ? [nameOf(i), nameOf(i) + ".grad"] : [nameOf(i)],
	);
	$("names").append(
		...[...new Set([...names, ...ops.map(title)])].slice(0, 500).map(name => make("option", { value: name })),
	);
}
function onKey(event) {
	if (event.key === "Escape") return escape();
	if (
		event.target.closest("input, select, td, canvas, #graph, #source") ||
		event.ctrlKey ||
		event.metaKey ||
		event.altKey
	)
		return;
	const { presents, lesson } = state,
		pages = presents && lesson !== null; // turns the lesson's
	const move = {
		ArrowRight: next,
		ArrowLeft: back,
		Home: () => go(0),
		End: () => go(steps.length - 1),
		PageDown: pages ? () => startLesson(lesson + 1) : next,
		PageUp: pages ? () => startLesson(lesson - 1) : back,
	}[event.key];
	if (move) {
		event.preventDefault();
		move();
	}
}
function escape() {
	if (!$("tip").hidden) $("tip").hidden = true;
	else if (state.path) closePath();
	else if (state.presents) togglePresent();
	else letGo();
}

let timer = null;
function play(on) {
	clearInterval(timer);
	if (!on) return;
	const pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? 4000 : 1600;
	timer = setInterval(() => {
		go((state.step ?? 0) + 1, null, false);
		if (state.step === steps.length - 1) change({ plays: false });
	}, pace);
}
function togglePlay() {
	const { plays, step } = state;
	if (!plays && step === steps.length - 1) go(0);
	change({ plays: !plays });
}

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
function find(text) {
	$("found").textContent = "";
	if (!text) return;
	const first = test => {
		const at = ops.findIndex(test);
		return at < 0 ? null : { step: at };
	};
	const small = text.toLowerCase(),
		found =
			first(op => title(op).toLowerCase() === small) ??
			resolve(text) ??
			resolve(small) ??
			first(op => op.op === small) ??
			first(op => title(op).toLowerCase().includes(small));
	if (!found || found.path || found.step < 0) $("found").textContent = word("unknown");
	else if (found.cell) follow(found.step, found.cell);
	else go(found.step < ops.length ? stepFor(found.step) : found.step);
}
function chosenLanguage() {
	const asked = new URLSearchParams(location.search).get("lang") ?? "";
	const found = [asked, window.name, ...navigator.languages] // a frame may be called "ko"
		.map(tag => tag.slice(0, 2).toLowerCase())
		.find(tag => LANGUAGES.includes(tag));
	return found ?? "en";
}
function setLanguage(tag) {
	if (bench) putBack(); // the lesson is drawn anew
	change({ language: tag, chosen: true });
}
