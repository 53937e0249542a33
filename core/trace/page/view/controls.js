// ---- Buttons and keys ---------------------------------------------------------------------------

function controls(page) {
	$("slider").max = steps.length - 1;
	const on = (id, run, event = "click") => $(id).addEventListener(event, run);
	const next = () => page.go(page.atStart ? 0 : page.step + 1);
	on("first", () => page.go(0));
	on("back", () => page.go(page.step - 1));
	on("next", next);
	on("turn", () => page.go(page.other()));
	on("home", () => {
		page.shutPath(), page.showStart(), writeAddress(page, null, true);
	});
	on("play", () => play(page));
	on("slider", () => page.go(+$("slider").value, null, false), "input");
	on("predict", () => {
		page.predict.toggle();
		press("predict", page.predict.on);
		page.go(page.step);
	});
	on("lesson-open", () => page.lesson.toggle());
	on("pin", () => page.handout.keep());
	on("print", () => window.print());
	on("present-page", () => page.present());
	on("language", () => changeLanguage(page), "change");
	on("search", () => page.find($("search").value.trim().toLowerCase()), "input");
	addEventListener("hashchange", () => page.fromAddress());
	addEventListener("beforeprint", () => page.handout.write());
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => markCells(new Map()));
	document.addEventListener("keydown", event => {
		if (event.key === "Escape") return escape(page);
		if (
			event.target.closest("input, select, td, canvas, #graph, #source") ||
			event.ctrlKey ||
			event.metaKey ||
			event.altKey
		)
			return;
		const presented = modes.contains("present") && page.lesson.at >= 0;
		const move = {
			ArrowRight: next,
			ArrowLeft: () => page.go(page.step - 1),
			Home: () => page.go(0),
			End: () => page.go(steps.length - 1),
			PageDown: presented ? () => page.lesson.start(page.lesson.at + 1) : next,
			PageUp: presented
				? () => page.lesson.start(page.lesson.at - 1)
				: () => page.go(page.step - 1),
		}[event.key];
		if (move) event.preventDefault(), move();
		if (modes.contains("present") && (event.key === "b" || event.key === "."))
			modes.toggle("blank");
	});
	const names = values.flatMap((value, i) =>
		value.wants && value.op < 0 && backward.length ? [nameOf(i), nameOf(i) + ".grad"] : [nameOf(i)],
	);
	$("names").append(
		...[...new Set([...names, ...ops.map(title)])]
			.slice(0, 500)
			.map(name => make("option", { value: name })),
	);
}

function escape(page) {
	if (!$("tip").hidden) return void ($("tip").hidden = true);
	if (page.path.of) return page.closePath();
	if (modes.contains("present")) return page.present();
	page.unlook();
}

function changeLanguage(page) {
	const cell = page.cellInAddress(),
		{ held } = page,
		path = page.path.of;
	page.chosen = true;
	page.setLanguage($("language").value);
	page.graph.draw();
	page.bench?.translate();
	if (page.lesson.at >= 0) page.lesson.draw(page.lesson.at);
	if (page.atStart) return page.showStart(), writeAddress(page, null, false);
	page.go(page.step, cell, false);
	if (held) page.hold();
	if (path) page.showPath(...path);
}

function play(page) {
	const stop = () => {
		clearInterval(page.timer);
		page.timer = null;
		press("play", false);
		$("play").textContent = "▶";
	};
	if (page.timer) return stop();
	if (page.step === steps.length - 1) page.go(0);
	press("play", true), ($("play").textContent = "❚❚");
	const pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? 4000 : 1600;
	page.timer = setInterval(() => {
		page.go(page.step + 1, null, false);
		if (page.step === steps.length - 1) stop();
	}, pace);
}

thePage = new Page();
$("broken").remove();
document.documentElement.dataset.ready = 1;
thePage.bench?.start();
