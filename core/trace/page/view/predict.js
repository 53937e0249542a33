// ---- Predict, then reveal

function togglePredict() {
	change({ predicts: !state.predicts, revealed: new Set() });
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
		button("show", () => answer(null)),
	);
}

// ok: whether it was predicted; null if it was only shown.
function reveal(card, i, ok) {
	const { step, revealed, score } = state,
		cell = { key: card.key, i };
	change({
		cell,
		revealed: new Set([...revealed, placeIn(step, card, i)]),
		told: ok === null ? null : { cell, ok },
		score: ok === null ? score : { k: score.k + ok, n: score.n + 1 },
	});
	uncover();
	shownCell(card.key, i)?.focus({ preventScroll: true });
}
function toldOf({ told, cell, score }) {
	if (told?.cell !== cell) return [];
	const text = `${told.ok ? "✓" : "✗"} ${word(told.ok ? "right" : "notSo")} ${word("score", score)}`;
	return [make("p", { class: told.ok ? "right" : "wrong" }, text)];
}
