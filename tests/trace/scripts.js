// The page's scripts by themselves, and pages that have another tape.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const page = path.join(__dirname, "../../core/trace/page");
const script = name => {
	const files = ["model", "view", "."].map(folder => path.join(page, folder, name + ".js"));
	return fs.readFileSync(files.find(fs.existsSync), "utf8");
};

// The result of code in the page's scripts, with this tape.
const ran = (code, tape = {}) =>
	new (async () => {}).constructor("document", code)({
		getElementById: () => ({ textContent: JSON.stringify(tape) }),
	});

// A page of this tape without a browser: its rules, on elements that only have their text.
const make = (kind, ...children) => ({
	kind: kind.split(".")[1],
	textContent: children
		.map(one => (typeof one === "object" ? (one?.textContent ?? "") : one))
		.join(""),
});
const rules =
	"words words_en ops_en data why rules_pairs rules_each rules_places rules_products rules_sums meaning cards panel path start tried"
		.split(" ")
		.map(script)
		.join("\n");
const names =
	"whyCell pathFrom cardsOf explainCell slopeAt verdictOf Start bendsAt sidesOf steps ops values backward numbers asRecorded notFollowed doubts findDoubts";
const pageOf = tape =>
	ran(
		`let thePage = null; const make = ${make};\nclass Bench {}\n${rules}; return { ${names.replaceAll(" ", ", ")} };`,
		tape,
	);
// What a page says of each of its numbers.
const textsOf = page =>
	(page.texts ??= page.steps.flatMap((step, s) =>
		page.cardsOf(s).flatMap(card =>
			(card.array?.cells ?? []).map(i => {
				const { parts, places } = page.explainCell(s, card, i, false),
					of = name => parts.filter(({ kind }) => kind === name).map(one => one.textContent);
				return {
					step,
					op: page.ops[step.op]?.op,
					value: page.values[step.value]?.name,
					card,
					i,
					places,
					x: card.array.at(i),
					sum: of("sum")[0],
					names: of("names")[0],
					sentences: of("meaning"),
					notes: parts.map(one => one.textContent).join("\n"),
				};
			}),
		),
	));

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

module.exports = { idIn, script, ran, pageOf, textsOf, engineOf, replayOf, tapeIn, withTape };
