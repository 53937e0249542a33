// The page's scripts by themselves, and pages that have another tape.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const page = path.join(__dirname, "../../core/trace/page");
const script = name => {
	const files = ["model", "view", "."].map(folder => path.join(page, folder, name + ".js"));
	return fs.readFileSync(files.find(fs.existsSync), "utf8");
};

const nothing = { values: [], ops: [], backward: [], arrays: [] };
// The result of code in the page's scripts, with these texts of the page.
const ran = (code, tape = nothing, texts = {}) =>
	new (async () => {}).constructor("textOf", "loaded", code)(
		id => ({ tape: JSON.stringify(tape), ...texts })[id],
		Promise.resolve(),
	);

// A page of this tape without a browser: its model.
const model =
	"words texts ops numbers data layout worked rules why rules_pairs rules_each rules_places rules_products rules_sums meaning cards path explain places tried"
		.split(" ")
		.map(script)
		.join("\n");
const names =
	"madeAt cellName cellCalled numberAt whyCell pathFrom largestTerm partsOf resolve cardsOf explainCell slopeAt verdictOf askedNumber bendsAt sidesOf steps ops values backward numbers readBy doubtOf tape";
const pageOf = (tape, scripts = model) => ran(`${scripts}; return { ${names.replaceAll(" ", ", ")} };`, tape);
// What a page says of each of its numbers.
const textsOf = page =>
	(page.texts ??= page.steps.flatMap((step, s) =>
		page.cardsOf(s).flatMap(card =>
			(card.array?.cells ?? []).map(i => {
				const { names, sum, meaning, notes, places } = page.explainCell(s, card, i);
				return {
					step,
					op: page.ops[step.op]?.op,
					value: page.values[step.value]?.name,
					card,
					i,
					places,
					x: card.array.at(i),
					sum,
					names,
					sentences: meaning,
					notes: [names, sum, ...meaning, ...notes].join("\n"),
				};
			}),
		),
	));

const idIn = (html, id) => html.match(new RegExp(`id="${id}">(.*?)</script>`, "s"))[1];
// A page's engine, here in Node.
const engineOf = html =>
	ran(script("numbers") + script("engine") + "; return Engine.start();", {}, { engine: idIn(html, "engine") });
const replayOf = html => idIn(html, "replay");
const tapeIn = html => JSON.parse(idIn(html, "tape"));
const withTape = (html, tape) =>
	html.replace(
		/id="tape">.*?<\/script>/s,
		() => `id="tape">${JSON.stringify(tape).replaceAll("<", "\\u003c")}</script>`,
	);

module.exports = {
	idIn,
	script,
	ran,
	model,
	pageOf,
	textsOf,
	engineOf,
	replayOf,
	tapeIn,
	withTape,
};
