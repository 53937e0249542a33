// ---- Addresses: the meaning of a link, a search or a lesson's place -----------------------------

// Pages of a course that were read to the end are kept in the address and in links to other pages.
const done = new Set((location.hash.match(/done=([^&]*)/)?.[1] ?? "").split(",").filter(Boolean));
const readPages = () => (done.size ? ["done=" + [...done].join(",")] : []);

// #step=12&cell=w1.grad[3,4]&lang=ko, and path or lesson if they are open.
function writeAddress(page, cell, push) {
	if (location.protocol === "about:") return; // in another page, such as a notebook's cell
	const parts = page.atStart ? [] : ["step=" + (page.step + 1)];
	parts.push(...(tape.setupParts ?? []));
	if (cell) parts.push("cell=" + encodeURIComponent(cell));
	if (page.path.of) parts.push("path=" + page.path.of.join("."));
	if (page.lesson.at >= 0) parts.push("lesson=" + (page.lesson.at + 1));
	parts.push(...readPages());
	if (page.chosen) parts.push("lang=" + language);
	const hash = parts.length ? "#" + parts.join("&") : location.pathname + location.search;
	if (parts.length && "#" + parts.join("&") === location.hash) return;
	history[push ? "pushState" : "replaceState"](null, "", hash);
}
