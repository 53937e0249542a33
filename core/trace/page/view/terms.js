// ---- Technical terms that explain themselves on touch

// A text with its terms as buttons, each once.
function terms(text) {
	const known = Object.values(TERMS).map(row => inLanguage(row).split(/: (.*)/)),
		found = new Set();
	const pattern = new RegExp(
		"(" + known.map(([name]) => (language === "en" ? `\\b${name}\\b` : name)).join("|") + ")",
		"i",
	);
	return text.split(pattern).map((part, k) => {
		const term = k % 2 && known.find(([name]) => name.toLowerCase() === part.toLowerCase());
		if (!term || found.has(term)) return part;
		found.add(term);
		const explain = event => explainTerm(event.currentTarget, term[1]);
		return make(
			"button.term",
			{
				type: "button",
				"aria-describedby": "tip",
				onclick: explain,
				onfocus: explain,
				onblur: () => {
					$("tip").hidden = true;
				},
			},
			part,
		);
	});
}
function explainTerm(button, text) {
	const tip = $("tip"),
		at = rectOf(button);
	tip.textContent = text;
	tip.hidden = false;
	tip.style.left = Math.max(8, Math.min(at.left, innerWidth - tip.offsetWidth - 8)) + "px";
	tip.style.top =
		(at.bottom + tip.offsetHeight + 8 < innerHeight ? at.bottom + 4 : at.top - tip.offsetHeight - 4) + "px";
}
