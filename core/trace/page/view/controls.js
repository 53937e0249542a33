// ---- Buttons and keys

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
	on("search", () => find($("search").value.trim().toLowerCase()), "input");
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
		...[...new Set([...names, ...ops.map(title)])]
			.slice(0, 500)
			.map(name => make("option", { value: name })),
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
function togglePresent() {
	change({ presents: !state.presents });
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

listen();
if (typeof Bench === "function") bench = new Bench();
state.language = chosenLanguage();
state.read = readAddress().read;
showAddress();
$("broken").remove();
document.documentElement.dataset.ready = 1;
bench?.start();
