// ---- What a live page adds: the number that the user changes, and training

function drawBench(tag) {
	const { touched, computing, problem, misread, training } = state;
	part(drawSetup, tag);
	if (!touched) return;
	part(buildTouch, tag);
	drawNumber(touched);
	part(drawOutcome, touched, computing, bench.was, run, tag);
	part(drawProblem, problem, misread, tag);
	part(drawCurve, bench.curve, bench.curve.points.length, run, touched, tag);
	part(drawTraining, training, tag);
	if (!computing) part(drawResult, training, run, tag);
}
const drawSetup = () => maker?.showSetup(),
	drawResult = () => maker?.showResult();

function buildTouch() {
	$("touch").replaceChildren(
		make("p.note", word("touchHow")),
		make(
			"p.touched",
			make("b", { id: "touch-name" }),
			" = ",
			make("input", {
				id: "touch-number",
				type: "text",
				inputmode: "decimal",
				size: 10,
				oninput: event => bench.typed(event.target.value.trim()),
				onblur: () => change({ misread: "" }),
			}),
		),
		make("input", {
			id: "touch-slider",
			type: "range",
			oninput: event => bench.set(Math.fround(+event.target.value)),
		}),
		make("p", { id: "outcome", role: "status" }),
		make("div", { id: "compared" }),
		make("p.wrong", { id: "touch-problem" }),
		make("div", { id: "curve" }),
		make(
			"details",
			{ id: "exact", ontoggle: ({ target }) => target.open && drawCurve() },
			make("summary", word("howExact")),
			make("p", { id: "slopes" }),
		),
	);
}
function drawNumber({ value, i, name, from, to }) {
	const x = bench.given(value)[i],
		box = $("touch-number"),
		slider = $("touch-slider"),
		at = Number.isFinite(x) ? x : (from + to) / 2;
	$("touch-name").textContent = name;
	if (document.activeElement !== box) box.value = show(x).replaceAll("−", "-");
	Object.assign(slider, {
		min: Math.min(from, at),
		max: Math.max(to, at),
		step: bench.isMask(value) ? 1 : (to - from) / 400,
		value: at,
	});
	slider.setAttribute("aria-valuetext", show(x));
	slider.setAttribute("aria-label", name);
	box.setAttribute("aria-label", name);
	for (const card of shownCards()) {
		const td = isShown(card, value) && shownCard(card.key, `td[data-i="${i}"]`);
		if (td && !td.classList.contains("covered")) td.textContent = cellText(x);
	}
}
function drawOutcome(touched, computing) {
	if (computing) return void ($("outcome").textContent = word("computing"));
	const before = bench.lossOf(bench.was),
		now = bench.lossNow(),
		isLoss = nameShown(ops.at(-1).out) === "loss" && lossNumber() !== undefined;
	$("outcome").replaceChildren(
		make("b", isLoss ? "loss" : lossName()),
		" ",
		before !== undefined && !alike(before, now) ? wasIs(before, now) : show(now, 4),
	);
	const { value, i } = touched,
		size = Math.abs(bench.given(value)[i]),
		far = size > 1e18 || (size && size < 1e-9), // its square is infinite, or nothing beside others
		finite = [now, slopeAt(value, i) ?? 0].every(Number.isFinite);
	const note = far || !finite ? [make("p.note", word("endless"))] : [];
	$("compared").replaceChildren(...compared(), ...note);
}
function drawProblem(problem, misread) {
	$("touch-problem").textContent = misread || (problem && word("engineSays", { why: problem }));
}
