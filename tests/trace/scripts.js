// The page's scripts by themselves, and pages that have another tape.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const script = name =>
	fs.readFileSync(path.join(__dirname, `../../core/trace/page/${name}.js`), "utf8");

// The result of code in the page's scripts, with this tape.
const ran = (code, tape = {}) =>
	new (async () => {}).constructor("document", code)({
		getElementById: () => ({ textContent: JSON.stringify(tape) }),
	});

const idIn = (html, id) => html.match(new RegExp(`id="${id}">(.*?)</script>`, "s"))[1];
// A page's engine, here in Node.
const engineOf = html => {
	const document = { getElementById: () => ({ textContent: idIn(html, "engine") }) },
		bytesOf = base64 => Buffer.from(base64, "base64");
	return new Function("document", "bytesOf", script("engine") + "; return Engine;")(
		document,
		bytesOf,
	).start();
};
const replayOf = html => idIn(html, "replay");
const tapeIn = html => JSON.parse(idIn(html, "tape"));
const withTape = (html, tape) =>
	html.replace(
		/id="tape">.*?<\/script>/s,
		() => `id="tape">${JSON.stringify(tape).replaceAll("<", "\\u003c")}</script>`,
	);

module.exports = { idIn, script, ran, engineOf, replayOf, tapeIn, withTape };
