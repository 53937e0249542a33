// The README's picture, .github/picture.svg, of a page and a debugger at the gradient of a product.
"use strict";
require("../browser_test.js");
const fs = require("node:fs");

const tree = __dirname + "/../../../",
	bare = text => text.replace(/\s/g, "").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
// What gdb printed at the gradient of w1: walk_through_test.py holds it true.
const session = fs
	.readFileSync(tree + "demos/step/step.md", "utf8")
	.match(/^Breakpoint 3, .*matmul #1 [^]*?^\(gdb\) .*$/m)[0];

test("the README's picture has the texts of a page and of the debugger", async () => {
	let said = bare(session);
	for (const [address, parts] of [
		["", "#title, #formulas, .card, #why"],
		["&path=1.2", "#path"],
	]) {
		const page = await open("matmul", `#step=9&cell=W.grad[1,0]&lang=en${address}`);
		said += bare((await page.texts(parts)).join(""));
	}
	const svg = fs.readFileSync(tree + ".github/picture.svg", "utf8");
	for (const [, text] of svg.matchAll(/<text[^>]*>([^<]*)/g)) ok(said.includes(bare(text)), text);
});
