// Steps, cells, their texts and sources, printing and screen readers.
"use strict";
require("../browser_test.js");
const fs = require("node:fs");

test("hovered sums end in the numbers that C++ computed, and mark where they come from", async () => {
	const page = await open("ffn", "#step=24");
	await page.hover(td("dB", 19));
	near(lastNumber(await page.sum()), printed("ffn")[0], 1e-5, 2e-6);
	for (const card of ["dY", "A"]) await page.has(`[data-card=${card}] td.marked`, 3);
	match(await page.address(), /cell=w1.grad%5B2%2C3%5D/);
	await page.click(td("dB", 19));
	await page.hover(td("A", 0));
	await page.sum(/^dB\[2, 3\]/, "a click holds");
	await page.presses("Escape");
	await page.has("td.marked", 0);
	await page.hover(td("A", 1));
	await page.sum(/^A\[0, 1\] = /, "what was let go holds no more");
});

test("the keyboard alone leads from a leaf's gradient back to the loss", async () => {
	const page = await open("ffn", "#step=26");
	await page.focus("#cards .card:last-child td[data-i='0']");
	for (let presses = 0; !(await page.text("#title")).startsWith("Backward 1 "); ++presses) {
		ok(presses < 20);
		if (!(await page.count("#why .follow"))) await page.focus(td("dY", 0));
		await page.presses("Enter");
	}
});

test("arrows, Home and End stop at the edge, and Tab finds one place", async () => {
	const page = await open("ffn", "#step=1");
	await page.focus(td("Y", 0));
	for (const [key, to] of table(
		"ArrowLeft 0; ArrowUp 0; End 7; ArrowRight 7; ArrowDown 15; ArrowDown 23; ArrowDown 23; ArrowLeft 22; Home 16; ArrowUp 8; ArrowRight 9",
	)) {
		await page.presses(key);
		await page.has(td("Y", to) + ":focus", 1, `${key} to ${to}`);
		await page.sum(new RegExp(`^Y\\[${Math.floor(to / 8)}, ${to % 8}\\] = `));
		await page.has("[data-card=Y] td[tabindex='0']", 1);
		await page.has(td("Y", to) + "[tabindex='0']", 1);
	}
	const last = (await page.count("#graph [role=button]")) - 1;
	await page.focus("#graph [role=button] >> nth=0");
	for (const [key, to] of table(
		`ArrowUp 0; ArrowDown 1; ArrowRight 2; ArrowLeft 1; End ${last}; ArrowDown ${last}; ArrowUp ${last - 1}; Home 0`,
	)) {
		await page.presses(key);
		const here = await page.$$eval("#graph [role=button]", all => all.indexOf(document.activeElement));
		equal(here, to, key);
		await page.has("#graph [tabindex='0']", 1);
	}
	await page.says("#title", /^Forward 1 of/, "they go to no other step");
});

test("of a sum whose numbers are not all on the page, the share of the heaviest is one of all", async () => {
	const page = await pageOf(tapeIn(read("large.html"))),
		mean = page.steps.findIndex(({ op }) => page.ops[op].op === "mean"),
		{ value, shape } = page.values[page.ops[mean].in[0]],
		x = page.numbers(value),
		sizes = x.cells.map(i => Math.abs(x.at(i))).sort((a, b) => b - a),
		heaviest = total(sizes.slice(0, 5)),
		notes = page.explainCell(mean, page.cardsOf(mean).at(-1), 0).notes.join();
	const share = +((100 * heaviest) / (x.stats.size * product(shape))).toPrecision(2);
	ok(notes.includes(`${4 * 10 * 512} terms; these 5 make ${share} % (by size)`), notes);
	ok(sizes.length < product(shape));
});

test("three languages, by the browser, by the address and by hand", async () => {
	for (const [locale, asked, word] of table(
		"ko-KR # 순전파; zh-CN # 前向; fr-FR # Forward; zh-CN ?lang=ko 순전파; ko-KR ?lang=fr 순전파; zh-CN ?lang=ko#lang=en Forward",
	)) {
		const page = await open("ffn", asked, { locale });
		await page.click("#from-first");
		await page.says("#title", new RegExp("^" + word));
		await page.click(td("Y", 3));
		await page.selectOption("#language", "zh");
		await page.says("#title", /^前向/);
		await page.sum(/^Y\[0, 3\] = /, "the cell is still held");
	}
});

// How often each function and branch was run: what grows with the square of the ops is far above it.
test("a thousand ops: under 3 MB, drawn in Chromium by less than a million runs of functions and branches", async () => {
	ok(fs.statSync(pages + "/thousand.html").size < 3e6);
	const page = await open("thousand"),
		coverage = process.env.FIREFOX ? null : page.coverage; // Chromium's
	if (coverage) await coverage.startJSCoverage({ resetOnNavigation: false });
	await page.reloaded();
	await page.presses("End");
	await page.says("#title", /w\.grad/);
	const runs = ((await coverage?.stopJSCoverage()) ?? []).flatMap(({ functions }) =>
		functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)),
	);
	const work = total(runs);
	ok(!coverage || (1e4 < work && work < 1e6), `${work}`); // 200 000 when this was written
	ok((await page.count("*")) < 2000, "what is not in view is not drawn");
});

test("beside each step stand the lines of its op, and a sentence with its tensors' names", async () => {
	const { OPS } = await ran(["words", "ops"].map(script).join("\n") + "; return { OPS };"),
		said = { words: 0, formula: 0, lines: 0 };
	for (const name of ["ffn", "claims-reuse", "examples", "matmul"]) {
		const page = await open(name, "#step=1"),
			{ ops, values, backward, source, arrays } = await page.tape();
		const all = await page.atSteps(span(ops.length + backward.length), () => ({
			lines: [...document.querySelectorAll("#source > .file, #source > .line")].map(
				one => `${one.className}: ${one.textContent}`,
			),
			live: document.getElementById("live").textContent,
		}));
		const nameOf = v => {
			const { name, op, role, shape, value } = values[v];
			if (name || op >= 0) return name || "#" + ops[op].number;
			return role === "leaf" || shape.length
				? `${role === "leaf" ? role : "const"} ${v}`
				: String(+floats(arrays[value])[0].toPrecision(6)).replace("-", "−");
		};
		all.forEach(({ lines, live }, s) => {
			const { op: k, value } = backward[s - ops.length] ?? { op: s },
				user = backward.findLast(({ op, adds }) => op >= 0 && adds.some(add => add.value === value)),
				op = ops[k] ?? ops[user.op],
				what = `${name} step ${s + 1}`;
			const known = [op.caller, op.loc]
				.filter(Boolean)
				.flatMap(([file, line]) => [
					`file: ${file}:${line}`,
					...source[file]
						.filter(([n]) => n >= line - 5 && n <= line + 5)
						.map(([n, text]) => (n === line ? `line current: ▶ ${n}` : `line:   ${n}`) + (text || " ")),
				]);
			deepEqual(lines, known, what), (said.lines += lines.length);
			if (s >= ops.length) {
				const to = [...new Set(backward[s - ops.length].adds.map(add => nameOf(add.value)))].join(", ");
				return ok(k < 0 ? live.includes(nameOf(value)) : live.includes(to), `${what}: ${live}`);
			}
			const names = op.in.map(nameOf),
				y = nameOf(op.out),
				[, formula = op.forward] = op.forward.match(/^Y\S* \+?= (.*?)(?:, \S+ = .*)?$/) ?? [],
				letters = formula.split(/(\p{L}[\p{L}\d₁₂]*)/u).map(one => names[op.letters.indexOf(one)] ?? one),
				words = OPS[op.op]?.[0].replace(/\{(\d)\}/g, (_, k) => names[k] ?? op.letters[k]);
			equal(live, words ? `${y} is ${words}.` : `${y} = ${letters.join("")}`, what);
			++said[words ? "words" : "formula"];
		});
	}
	ok(
		Object.values(said).every(n => n > 20),
		JSON.stringify(said),
	);
});

test("names are text", async () => {
	const page = await open("hostile", "#step=1");
	ok((await page.text("#cards")).includes("</script><img src=x onerror=alert(1)>"));
	await page.has("img", 0);
	ok(await page.fits());
});
