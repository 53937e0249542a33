// ---- Lessons: a text beside the page that leads through it --------------------------------------

function lessonSource() {
	const given = tape.lesson,
		tour =
			document.querySelector(`script[data-lesson=${language}]`) ??
			document.querySelector("script[data-lesson=en]");
	return given
		? (given[language] ?? given.en ?? given[""] ?? Object.values(given)[0])
		: tour.textContent;
}
// The words of trace(…, rows) or of "rows: The cat sat down", if there are as many as rows or columns.
function rowWords(n) {
	const inLesson = () =>
			lessonSource()
				.match(/^rows: (.*)$/m)?.[1]
				.split(" "),
		found =
			Object.values(tape.rows ?? {}).find(words => words.length === n) ??
			(tape.lesson && inLesson());
	return found?.length === n ? found : null;
}

// Text with [links](#6 backward dB[1, 3]), also to other pages, **bold** and `code`.
function lessonText(text, go) {
	return text
		.split(/(\[[^\]]*(?:\[[^\]]*\][^\]]*)*\]\(<?[^)>]*>?\)|\*\*[^*]+\*\*|`[^`]+`)/)
		.flatMap(part => {
			const link = part.match(/^\[(.*)\]\(<?([^)>]*)>?\)$/);
			if (link?.[2].endsWith(".html"))
				return make(
					"a",
					{ href: link[2] + "#" + [...readPages(), "lang=" + language].join("&") },
					link[1],
				);
			if (link) return make("button.link", { onclick: () => go(link[2]) }, link[1]);
			if (part.startsWith("**")) return make("b", part.slice(2, -2));
			if (part.startsWith("`")) return make("code", part.slice(1, -1));
			return terms(part);
		});
}

class LessonView {
	constructor(page) {
		(this.page = page), (this.at = -1);
	}

	toggle() {
		this.at < 0 ? this.start(this.last ?? 0) : this.close();
	}
	start(at = 0) {
		const first = this.draw(at);
		if (first) this.go(first);
		else if (this.page.atStart) this.page.go(0);
		this.page.address();
		if (innerWidth <= 820) requestAnimationFrame(() => $("lesson").scrollIntoView()); // it is among other panels there
	}
	part(part, go, how = {}) {
		if (part.question) return this.question(part, go);
		return part.code
			? make("pre", make("code", part.code.join("\n")))
			: make("p", how, ...lessonText(part.text, go));
	}
	// In the page's language; returns where the step leads.
	draw(at) {
		const lesson = parseLesson(lessonSource());
		this.page.bench?.putBack();
		this.at = this.last = Math.max(0, Math.min(lesson.steps.length - 1, at));
		press("lesson-open", true);
		const step = lesson.steps[this.at],
			go = target => this.go(target),
			inCourse = step.parts.some(({ text }) => text?.includes("](index.html)"));
		if (inCourse)
			done.add(
				location.pathname
					.split("/")
					.at(-1)
					.replace(/\.html$/, ""),
			);
		const first =
			step.parts
				.map(part => part.text?.match(/\]\(<?([^)>]*)>?\)/)?.[1])
				.find(link => link && !link.endsWith(".html")) ??
			step.heading.match(/\]\(<?([^)>]*)>?\)/)?.[1];
		($("lesson").hidden = false), modes.add("has-lesson");
		$("lesson").replaceChildren(
			make("p.note", lesson.title),
			...(this.at ? [] : lesson.goal.map(part => this.part(part, go, { class: "lead" }))),
			make("h2", ...lessonText(step.heading, go)),
			...step.parts.map(part => this.part(part, go)),
			make(
				"nav",
				{ "aria-label": lesson.title },
				make(
					"button",
					{ id: "lesson-back", disabled: this.at === 0, onclick: () => this.start(this.at - 1) },
					"←",
				),
				make("span", `${this.at + 1} / ${lesson.steps.length}`),
				make(
					"button",
					{
						id: "lesson-next",
						disabled: this.at === lesson.steps.length - 1,
						onclick: () => this.start(this.at + 1),
					},
					"→",
				),
				make(
					"button",
					{
						id: "present",
						"aria-pressed": modes.contains("present"),
						onclick: () => this.page.present(),
					},
					word("present"),
				),
				make("button", { id: "lesson-close", onclick: () => this.close() }, word("close")),
			),
		);
		return first;
	}
	// The user first predicts; on a live page the number is then changed; then the answer is shown.
	question({ question, options, answer, touch, equals }, go) {
		const said = make("div.answer", { role: "status" }),
			bySign = options.some(({ mark }) => "+-0".includes(mark));
		const rightOf = ({ mark, text }, moved) =>
			({
				x: true,
				" ": false,
				"+": moved > 0,
				"-": moved < 0,
				0: moved === 0,
				"=": mark === "=" && reads(text, numberAt(equals)),
			})[mark];
		const reveal = option => {
			// by the change of the loss; on a recorded page by the slope
			const cell = touch && numberToSet(touch),
				exact = options.some(({ mark }) => "x=".includes(mark));
			const lines = moved => {
				const right = option && rightOf(option, moved);
				return [
					option
						? make(
								"p",
								{ class: right ? "right" : "wrong" },
								(right ? "✓ " : "✗ ") + word(right ? "right" : "notSo"),
							)
						: "",
					...answer.map(line => make("p", ...lessonText(line, go))),
				];
			};
			if (cell && this.page.bench?.offer({ ...cell, exact }, said, lines)) return;
			const doubt = cell && bySign && doubts.get(cell.value);
			said.replaceChildren(
				...(doubt
					? [make("p", word(...doubt))] // its gradient cannot decide
					: [
							...lines(cell?.slope),
							cell && bySign && !this.page.bench
								? make("p.note", word("bySign", { g: show(cell.slope) }))
								: "",
						]),
			);
		};
		return make(
			"div.question",
			make("p", ...lessonText(question, go)),
			make(
				"div.ways",
				...(options.length ? options : [null]).map(option =>
					make("button", { onclick: () => reveal(option) }, option?.text ?? word("show")),
				),
			),
			said,
		);
	}
	close() {
		this.page.bench?.putBack(), (this.at = -1);
		($("lesson").hidden = true), press("lesson-open", false);
		modes.remove("has-lesson");
		if (modes.contains("present")) this.page.present();
		this.page.address();
	}

	// "#6", "#6 backward dB[1, 3]", "w1.grad[2, 3]", "loss", "ask", "path w1[2, 3]"
	go(target) {
		const found = resolve(target);
		if (found)
			found.path ? this.page.showPath(...found.path) : this.page.follow(found.step, found.cell);
	}
}
