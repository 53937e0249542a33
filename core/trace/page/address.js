// ---- The address: what of the state a link keeps

// #step=12&cell=w1.grad[3,4]&path=3.17&lesson=2&done=ffn&lang=ko; cell=:dB[1,3] by the op's letter
function hashOf({ step, cell, wanted, path, lesson, read, language, chosen }) {
	const parts = step === null ? [] : ["step=" + (step + 1)],
		cards = cell ? cardsOf(step) : [],
		card = cards.find(({ key }) => key === cell.key),
		named = wanted ?? (card && cellName(card, cell.i, cards));
	parts.push(...(tape.setupParts ?? []));
	if (named) parts.push("cell=" + encodeURIComponent(named));
	if (path) parts.push("path=" + path.join("."));
	if (lesson !== null) parts.push("lesson=" + (lesson + 1));
	parts.push(...readPages(read));
	if (chosen) parts.push("lang=" + language);
	return parts.length ? "#" + parts.join("&") : location.pathname + location.search;
}
// Pages of a course that were read to the end: in the address, and in links to other pages.
const readPages = read => (read.length ? ["done=" + read.join(",")] : []);

const opensAt = tape.refused ? ops.length - 1 : null;
// What an address asks for; null: nothing.
function readAddress() {
	written = location.hash;
	const asked = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B")),
		path = asked.get("path")?.split(".").map(Number),
		known = path && backward.length && values[path[0]];
	return {
		step: asked.has("step") || path ? (parseInt(asked.get("step"), 10) || 1) - 1 : opensAt,
		cell: asked.get("cell"),
		path: known ? path : null,
		lesson: asked.get("lesson") > 0 ? asked.get("lesson") - 1 : null,
		read: (asked.get("done") ?? "").split(",").filter(Boolean),
		language: LANGUAGES.find(tag => tag === asked.get("lang")) ?? null,
	};
}

// Written when the page has come to rest: WebKit refuses more than 100 changes in 10 s.
const REST = 150; // ms
let waiting = null, // {timer, pushes}
	written = location.hash;
function writeAddress(state, pushes = false) {
	pushes ||= waiting?.pushes;
	stopWriting();
	if (location.protocol === "about:") return; // in another page, such as a notebook's cell
	const timer = setTimeout(() => {
		waiting = null;
		const address = hashOf(state);
		if (location.hash !== written) return; // another one is being read
		if (address === written || (address[0] !== "#" && !written)) return;
		history[pushes ? "pushState" : "replaceState"](null, "", address);
		written = location.hash;
	}, REST);
	waiting = { timer, pushes };
}
function stopWriting() {
	clearTimeout(waiting?.timer);
	waiting = null;
}
