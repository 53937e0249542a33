// ---- Predict, then reveal

function togglePredict() {
	change({ predicts: !state.predicts, revealed: new Set(), picked: null });
	go(state.step ?? 0);
}

// The question about a covered cell.
function askAbout(card, i) {
	const right = card.array.at(i),
		answer = ok => reveal(card, i, ok),
		button = (key, onclick) => make("button", { type: "button", onclick }, word(key));
	const value = make("input", {
		type: "text",
		inputmode: "decimal",
		size: 9,
		"aria-label": word("or"),
	});
	const onsubmit = event => {
		event.preventDefault();
		answer(isRight(numberIn(value.value), right));
	};
	return make(
		"form.ask",
		{ onsubmit },
		make("b", word("ask", { c: labelOf(card) + card.array.place(i) })),
		button("negative", () => answer(right < 0)),
		button("zero", () => answer(right === 0)),
		button("positive", () => answer(right > 0)),
		make("label", word("or") + " ", value),
		make("button", word("check")),
		button("feed", () => change({ picked: { cell: state.cell, places: new Map() } })),
		button("show", () => answer(null)),
	);
}

// The learner selects the cells that this one comes from.
function pickingOf({ cell }) {
	const name = labelOf(cardCalled(cell.key)) + cardCalled(cell.key).array.place(cell.i);
	return [
		make("p", word("feedText", { c: name })),
		make("button", { onclick: checkPicked }, word("check")),
	];
}
function pickCell(key, i) {
	const { cell, places } = state.picked,
		cells = new Set(places.get(key) ?? []);
	if (!cells.delete(i)) cells.add(i);
	change({ picked: { cell, places: new Map(places).set(key, [...cells]) } });
}
function checkPicked() {
	const { cell, places } = state.picked,
		card = cardCalled(cell.key);
	reveal(card, cell.i, feeds(places, state.step, card, cell.i));
}

// ok: whether it was predicted; null if it was only shown.
function reveal(card, i, ok) {
	const { step, revealed, score } = state,
		cell = { key: card.key, i };
	change({
		cell,
		picked: null,
		revealed: new Set([...revealed, placeIn(step, card, i)]),
		told: ok === null ? null : { cell, ok },
		score: ok === null ? score : { k: score.k + ok, n: score.n + 1 },
	});
	uncover();
	shownCell(card.key, i)?.focus({ preventScroll: true });
}
function toldOf({ told, cell, score }) {
	if (told?.cell !== cell) return [];
	const text = `${told.ok ? "✓" : "✗"} ${word(told.ok ? "right" : "wrong")} ${word("score", score)}`;
	return [make("p", { class: told.ok ? "right" : "wrong" }, text)];
}
