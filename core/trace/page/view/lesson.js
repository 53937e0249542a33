// ---- Lessons: a text beside the page that leads through it

// Text with [links](#6 backward dB[1, 3]), also to other pages, **bold** and `code`.
function lessonText(text) {
	return text.split(/(\[[^\]]*(?:\[[^\]]*\][^\]]*)*\]\(<?[^)>]*>?\)|\*\*[^*]+\*\*|`[^`]+`)/).flatMap(part => {
		const link = part.match(/^\[(.*)\]\(<?([^)>]*)>?\)$/);
		const [, page, where] = link?.[2].match(/^([^#]+\.html)#?(.*)$/) ?? [];
		if (page) {
			const to = () => page + "#" + [where, ...readPages(state.read), "lang=" + language].filter(Boolean).join("&"),
				onclick = event => (event.currentTarget.href = to()); // it may have been read since
			return make("a", { href: to(), onclick }, link[1]);
		}
		if (link) return make("button.link", { onclick: () => goTo(link[2]) }, link[1]);
		if (part.startsWith("**")) return make("b", part.slice(2, -2));
		if (part.startsWith("`")) return make("code", part.slice(1, -1));
		return terms(part);
	});
}

// "#6", "#6 backward dB[1, 3]", "w1.grad[2, 3]", "loss", "ask", "path w1[2, 3]"
function goTo(target) {
	const found = resolve(target);
	if (found?.path) openPath(...found.path);
	else if (found) follow(found.step, found.cell);
}

const lessonOnShow = () => parseLesson(lessonSource());
const questionsOf = (steps, at) =>
	steps[at].parts.flatMap((part, k) => (part.question ? [{ ...part, id: at + " " + k }] : []));
const asksWay = options => options.some(({ mark }) => "+-0".includes(mark));
// A lesson's step as the state has it, and what its open questions ask for.
function lessonAt(at) {
	const all = lessonOnShow().steps,
		lesson = Math.max(0, Math.min(all.length - 1, at));
	const open = questionsOf(all, lesson).filter(({ id }) => !state.answered.has(id)),
		asked = open.flatMap(({ equals, touch }) => (equals && !touch ? [equals] : [])),
		hushed = open.flatMap(({ touch, options }) => (touch && asksWay(options) ? [touch] : []));
	return { lesson, lastLesson: lesson, asked, hushed, read: readNow(all, lesson) };
}
// A page of a course counts as read once its questions are answered and its end is shown.
function readNow(steps, at) {
	const name = location.pathname
			.split("/")
			.at(-1)
			.replace(/\.html$/, ""),
		ends = steps[at].parts.some(({ text }) => text?.includes("](index.html)")),
		open = steps.flatMap((_, k) => questionsOf(steps, k)).some(({ id }) => !state.answered.has(id));
	return ends && !open ? readWith(name) : state.read;
}
// The browser keeps them, too, for the course's index.
function readWith(name) {
	try {
		const kept = localStorage.getItem("stepgrad done")?.split(",") ?? [];
		localStorage.setItem("stepgrad done", [...new Set([...kept, name])].join());
	} catch {
		// it keeps nothing here
	}
	return [...new Set([...state.read, name])];
}
function answerQuestion(id) {
	state.answered.add(id);
	const { asked, hushed, read } = lessonAt(state.lesson),
		open = asked.length + hushed.length;
	if (open !== state.asked.length + state.hushed.length || read !== state.read) change({ asked, hushed, read });
}
// Goes where the step leads.
function startLesson(at) {
	if (bench) putBack();
	change(lessonAt(at));
	const { heading, parts } = lessonOnShow().steps[state.lesson],
		targetIn = text => text?.match(/\]\(<?([^)>]*)>?\)/)?.[1],
		first = parts.map(({ text }) => targetIn(text)).find(link => link && !link.includes(".html")) ?? targetIn(heading);
	if (first) goTo(first);
	else if (state.step === null) go(0);
	if (innerWidth <= 820) requestAnimationFrame(() => $("lesson").scrollIntoView()); // it is among other panels there
}
function closeLesson() {
	if (bench) putBack();
	change({ lesson: null, asked: [], hushed: [], presents: false });
}
function toggleLesson() {
	if (state.lesson === null) startLesson(state.lastLesson);
	else closeLesson();
}

function drawLesson(at) {
	$("lesson").hidden = at === null;
	if (at === null) return;
	const lesson = lessonOnShow(),
		step = lesson.steps[at],
		goes = (id, text, to) => make("button", { id, disabled: !lesson.steps[to], onclick: () => startLesson(to) }, text);
	$("lesson").replaceChildren(
		make("p.note", lesson.title),
		...(at ? [] : lesson.goal.map(part => lessonPart(part, { class: "lead" }))),
		make("h2", ...lessonText(step.heading)),
		...step.parts.map((part, k) => lessonPart({ ...part, id: at + " " + k })),
		make(
			"nav",
			{ "aria-label": lesson.title },
			goes("lesson-back", "←", at - 1),
			make("span", `${at + 1} / ${lesson.steps.length}`),
			goes("lesson-next", "→", at + 1),
			make("button", { id: "present", onclick: togglePresent }, word("present")),
			make("button", { id: "lesson-close", onclick: closeLesson }, word("close")),
		),
	);
}
function lessonPart(part, how = {}) {
	if (part.question) return lessonQuestion(part);
	return part.code ? make("pre", make("code", part.code.join("\n"))) : make("p", how, ...lessonText(part.text));
}
// The user first predicts; on a live page the number is then changed; then the answer is shown.
function lessonQuestion({ id, question, options, answer, touch, equals }) {
	const said = make("div.answer", { role: "status" }),
		bySign = asksWay(options),
		exact = options.some(({ mark }) => "x=".includes(mark));
	const rightOf = ({ mark, text }, moved) =>
		({
			x: true,
			" ": false,
			"+": moved > 0,
			"-": moved < 0,
			0: moved === 0,
			"=": mark === "=" && reads(text, numberAt(equals)),
		})[mark];
	const lines = (option, moved) => {
		const right = option && rightOf(option, moved),
			verdict = (right ? "✓ " : "✗ ") + word(right ? "right" : "notSo");
		return [
			option ? make("p", { class: right ? "right" : "wrong" }, verdict) : "",
			...answer.map(line => make("p", ...lessonText(line))),
		];
	};
	// By the change of the loss; on a recorded page by the slope.
	const reveal = option => {
		answerQuestion(id);
		const cell = touch && numberToSet(touch);
		if (cell && bench && offerTrial({ ...cell, exact }, said, moved => lines(option, moved))) return;
		const doubt = cell && bySign && doubtOf(cell.value, cell.i);
		if (doubt) return said.replaceChildren(make("p", word(...doubt))); // its gradient cannot decide
		const how = cell && bySign && !bench ? word("bySign", { g: show(cell.slope) }) : "";
		said.replaceChildren(...lines(option, cell?.slope), how && make("p.note", how));
	};
	const buttons = (options.length ? options : [null]).map(option =>
		make("button", { onclick: () => reveal(option) }, option?.text ?? word("show")),
	);
	return make("div.question", make("p", ...lessonText(question)), make("div.ways", ...buttons), said);
}
function togglePresent() {
	change({ presents: !state.presents });
}
