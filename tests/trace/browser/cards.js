// What stands beside a step's sums: tables, formulas and the reader's lines, beside what the tape in the page says.
"use strict";
const assert = require("node:assert/strict");
const {
	product,
	floats,
	numbersOf,
	places,
	shapeText,
	span,
	degree,
	largestOf,
} = require("../arrays.js");
const { unravel } = require("../reference.js");
const { pageOf, tapeIn, withTape } = require("../scripts.js");
const { test, open, td, number, near, read, write } = require("../browser_test.js");

const tensorsOf = op => [...op.in.map((v, i) => [op.letters[i], v]), ["Y", op.out]];

test("a table has each number in its place, in its colour, and its extremes and mean below", async () => {
	for (const name of ["ffn", "shapes", "hostile", "claims-infinite"]) {
		const page = await open(name, "#step=1"),
			tape = await page.tape();
		let cells = 0,
			blocks = 0;
		const all = await page.atSteps(span(tape.ops.length), () =>
			[...document.querySelectorAll("#cards .card")].map(card => ({
				key: card.dataset.card,
				result: card.classList.contains("result"),
				text: card.textContent,
				stats: card.querySelector(".stats")?.textContent ?? null,
				scale: [...card.querySelectorAll(".scale span")].map(one => one.textContent),
				bars: [...card.querySelectorAll(".scale i")].map(one => one.className),
				heads: [...card.querySelectorAll("th[role=columnheader]")].map(one => one.textContent),
				sides: [...card.querySelectorAll("th[role=rowheader]")].map(one => one.textContent),
				blocks: [...card.querySelectorAll("tr:has(td[data-i])")].map(one => one.className),
				cells: [...card.querySelectorAll("td[data-i]")].map(td => [
					td.textContent,
					td.className,
					td.getAttribute("aria-label"),
				]),
				low: Math.min(
					...[...card.querySelectorAll("td[data-i]")].map(td => td.getBoundingClientRect().height),
				),
				tabs: [...card.querySelectorAll("td[data-i]")].map(td => [+td.dataset.i, td.tabIndex]),
			})),
		);
		for (const [s, cards] of all.entries()) {
			const op = tape.ops[s];
			tensorsOf(op).forEach(([letter, v]) => {
				const card = cards.find(one => one.key === letter),
					{ value, shape } = tape.values[v];
				if (value === null) return;
				const array = tape.arrays[value],
					all = floats(array),
					columns = shape.at(-1) ?? 1,
					outer = shape.slice(0, -1),
					what = `${name} step ${s + 1} ${letter}`;
				if (!all.length) return assert.match(card.text, new RegExp(`^${letter}.*no numbers$`));
				const many = list => (all.length > 1 ? list : []),
					rows = span(all.length / columns),
					matrix = outer.at(-1) ?? 1;
				assert.deepEqual(
					[card.result, card.heads, card.sides, card.blocks, card.tabs],
					[
						letter === "Y",
						many(span(columns).map(String)),
						many(rows.map(r => unravel(r, outer).join(","))),
						rows.map(r => (outer.length > 1 && r && r % matrix === 0 ? "block" : "")),
						all.map((_, i) => [i, i ? -1 : 0]), // Tab finds one cell of a card
					],
					what,
				);
				assert.ok(card.low >= 20, what);
				blocks += card.blocks.filter(Boolean).length;
				card.cells.forEach(([shown, looks, label], i) => {
					const x = all[i],
						rounded = Number(x.toPrecision(Math.abs(x) < 0.1 ? 2 : 3));
					assert.ok(
						Number.isFinite(x)
							? number(shown) === rounded && shown.startsWith("+") === x > 0
							: /NaN|∞/.test(shown),
						`${what} ${i}: ${shown}, ${x}`,
					);
					assert.deepEqual(
						[looks, label],
						[
							"s-" + degree(x, largestOf(array)),
							`${shown} ${shape.length ? shapeText(unravel(i, shape)) : ""}`,
						],
						what,
					);
					++cells;
				});
				const finite = all.filter(Number.isFinite),
					nan = all.filter(Number.isNaN).length,
					[, sizes, mean] = card.stats.match(/(\[[\d, ]*\]) {3}mean (\S+)/),
					counted = name => +(card.stats.match(new RegExp(`(\\d+) ${name}`))?.[1] ?? 0);
				assert.deepEqual(
					[sizes, counted("NaN"), counted("∞")],
					[shapeText(shape), nan, all.length - finite.length - nan],
					what,
				);
				near(
					number(mean),
					finite.reduce((a, b) => a + b, 0) / (finite.length || 1),
					0.006,
					1e-6,
					what,
				);
				if (all.length < 2 || !finite.length) return assert.deepEqual(card.scale, []);
				assert.equal(card.scale.length, 2);
				near(number(card.scale[0]), Math.min(...finite), 0.006, 1e-6, what);
				near(number(card.scale[1]), Math.max(...finite), 0.006, 1e-6, what);
				const [low, high] = [array.stats.min, array.stats.max];
				card.bars.forEach((looks, k) => {
					const x = low + ((high - low) * k) / 8;
					assert.ok(
						Math.abs(x) < 1e-6 || looks === "s-" + degree(x, largestOf(array)),
						`${what}: ${k} ${looks}`,
					);
				});
				assert.equal(card.bars.length, 9);
			});
		}
		assert.ok(cells > ({ hostile: 2, "claims-infinite": 12 }[name] ?? 20), name);
		if (name === "shapes") assert.ok(blocks > 0);
	}
});

test("of a large tensor the rows and columns that the recording has are shown, with a gap where some are left out", async () => {
	const page = await open("large", "#step=1"),
		{ ops, values, arrays } = await page.tape();
	let gaps = 0;
	for (const s of [0, 1, 6]) {
		await page.toStep(s);
		for (const [letter, v] of tensorsOf(ops[s])) {
			const array = arrays[values[v].value],
				{ shape, crops } = array;
			if (!crops?.length) continue;
			const card = page.locator(`[data-card=${letter}]`),
				columns = shape.at(-1),
				[rows, across] = [places(crops[0].rows), places(crops[0].columns)],
				gap = list => list.map((x, k) => k > 0 && x !== list[k - 1] + 1),
				known = numbersOf(array);
			const heads = await card
				.locator("th[role=columnheader]")
				.evaluateAll(all => all.map(one => [one.textContent, one.className]));
			assert.deepEqual(
				heads,
				across.map((c, k) => [String(c), gap(across)[k] ? "gap" : ""]),
				letter,
			);
			const lines = await card
				.locator("tr:has(td[role=gridcell])")
				.evaluateAll(all =>
					all.map(tr => [
						tr.classList.contains("gap"),
						[...tr.querySelectorAll("td[role=gridcell]")].map(td => [
							td.dataset.i ?? null,
							td.textContent,
							td.classList.contains("gap"),
						]),
					]),
				);
			assert.deepEqual(
				lines.map(([begins]) => begins),
				gap(rows),
				letter,
			);
			lines.forEach(([, cells], r) =>
				cells.forEach(([i, shown, begins], c) => {
					const at = rows[r] * columns + across[c],
						x = known.get(at);
					assert.equal(begins, gap(across)[c]);
					if (x === undefined) return assert.deepEqual([i, shown], [null, "·"]);
					assert.ok(
						i === String(at) && number(shown) === Number(x.toPrecision(Math.abs(x) < 0.1 ? 2 : 3)),
						`${letter} ${at}: ${shown}, ${x}`,
					);
				}),
			);
			gaps += gap(across).filter(Boolean).length + gap(rows).filter(Boolean).length;
		}
	}
	assert.ok(gaps > 0);
});

test("under the letters of a formula stand names and shapes, in backward of what is computed there", async () => {
	for (const name of ["ffn", "claims-broadcast", "claims-elsewhere"]) {
		const page = await open(name, "#step=1"),
			{ ops, backward, values } = await page.tape();
		const all = await page.atSteps(span(ops.length + backward.length), () =>
			[...document.querySelectorAll("#formulas .formula")].map(one => [
				one.textContent,
				[...one.querySelectorAll(".letter")].map(letter => [
					letter.firstChild.textContent,
					letter.querySelector("small").textContent,
				]),
			]),
		);
		for (const [s, formulas] of all.entries()) {
			const step = s < ops.length ? { op: s } : backward[s - ops.length],
				op = ops[step.op];
			if (!op) {
				assert.equal(
					formulas[0][0],
					`${values[step.value].name}.grad += ∂loss/∂${values[step.value].name}`,
				);
				continue;
			}
			const of = letter => {
				const at = op.letters.indexOf(letter);
				return at < 0 ? op.out : op.in[at];
			};
			for (const [letter, small] of formulas.flatMap(([, letters]) => letters)) {
				const plain = letter.replace(/^d(?=[A-Z])|ᵀ$/g, ""),
					{ shape, name: called } = values[of(plain)];
				assert.ok(small.includes(shapeText(shape)), `${op.op}: ${letter} ${small}`);
				assert.equal(small.endsWith("ᵀ"), letter.endsWith("ᵀ"));
				if (!letter.startsWith("d") && called && called !== plain)
					assert.ok(small.startsWith(called.slice(0, 13)), `${op.op}: ${letter} ${small}`);
			}
			const computed = formulas.map(([line]) => line.match(/^d([A-Z])/)?.[1]).filter(Boolean);
			if (s >= ops.length && computed.length && op.letters.length > 1)
				assert.deepEqual(
					computed.sort(),
					[...new Set(step.adds.map(add => op.letters[add.input]))].sort(),
					`${name} ${op.op}`,
				);
			if (s < ops.length && op.in.length) assert.match(formulas[0][0], /^Y/);
		}
	}
});

test("the gradients of a step stand in the order of its inputs, each with what it was broadcast to", async () => {
	let copied = 0,
		turned = 0;
	for (const name of ["ffn", "examples", "claims-reuse"]) {
		const { steps, ops, values, cardsOf } = await pageOf(tapeIn(read(`${name}.html`)));
		steps.forEach(({ op, adds }, s) => {
			if (!adds || op < 0) return;
			const ordered = [...adds].sort((a, b) => a.input - b.input);
			turned += ordered.some((add, i) => add !== adds[i]);
			const expected = ordered.map(({ input, before, value }) => {
				const { shape } = values[value],
					n = product(before) / product(shape);
				copied += n > 1;
				return [
					"d" + ops[op].letters[input],
					n > 1
						? `This gradient has shape ${shapeText(shape)}, and was broadcast to ${shapeText(before)}: the contributions of its ${n} copies are added.`
						: null,
				];
			});
			const shown = cardsOf(s).filter(({ result, key }) => result && !key.endsWith("-total"));
			assert.deepEqual(
				shown.map(({ key, note }) => [key, note]),
				expected,
				`${name} ${ops[op].op}`,
			);
		});
	}
	assert.ok(copied > 6 && turned > 1, `${copied}, ${turned}`);
});

test("as many digits are said to agree as do, of those that the page was given", async () => {
	const html = read("ffn.html"),
		tape = tapeIn(html),
		v = tape.values.findIndex(({ name }) => name === "w1");
	const step = tape.backward.find(
			({ op, adds }) => op >= 0 && adds.some(({ value }) => value === v),
		),
		all = floats(tape.arrays[step.adds.find(({ value }) => value === v).part]);
	const given = [
		[0.5, null],
		[-0.05, null],
		[0.005, 2],
		[-0.002, 2],
		[0.0005, 3],
		[-3e-5, 4],
		[0, 7],
		["inf", null],
		["-inf", null],
		["NaN", null],
	];
	given.forEach(([by], i) => {
		tape.values[v].differences[i] = typeof by === "string" ? by : all[i] * (1 + by);
	});
	write("agreed.html", withTape(html, tape));
	const page = await open("agreed", `#step=${tape.ops.length + tape.backward.indexOf(step) + 1}`);
	for (const [i, [by, digits]] of given.entries()) {
		await page.click(td("dB", i));
		await page.click("#why summary");
		const said = await page.text("#why details p");
		const shown = said.match(/2h = (\S+):/)[1];
		if (typeof by === "string") assert.equal(shown, by.replace("-", "−").replace("inf", "∞"));
		else near(number(shown) / all[i], 1 + by, 0, 2e-4, said);
		assert.equal(
			said.match(/agree to (\d) digits/)?.[1] ?? null,
			digits && String(digits),
			`${by}: ${said}`,
		);
	}
});

test("the lines around an op's call are those of the file, its own marked, and of an op without a line there are none", async () => {
	const html = read("ffn.html"),
		tape = tapeIn(html),
		[first, second, third] = tape.ops;
	first.loc = second.caller = third.loc = third.caller = null;
	delete tape.source[tape.ops.at(-1).loc[0]];
	write("lineless.html", withTape(html, tape));
	for (const name of ["ffn", "lineless"]) {
		const page = await open(name, "#step=1"),
			{ ops, source } = await page.tape();
		for (let s = 0; s < ops.length; ++s) {
			await page.toStep(s);
			const called = [ops[s].caller, ops[s].loc].filter(Boolean),
				known = called.filter(([file]) => source[file]);
			assert.equal(await page.isHidden("#source"), true, "folded");
			assert.equal(await page.$eval("#source", one => one.hidden), called.length === 0);
			assert.deepEqual(
				await page.locator("#source .file").allTextContents(),
				called.map(([file, line]) => `${file}:${line}`),
			);
			await page.has("#source p", called.length - known.length); // it cannot be read
			const lines = await page
				.locator("#source .line")
				.evaluateAll(all => all.map(one => [one.classList.contains("current"), one.textContent]));
			const expected = known.flatMap(([file, line]) =>
				source[file]
					.filter(([at]) => Math.abs(at - line) <= 5)
					.map(([at, code]) => [at === line, `${at === line ? "▶ " : "  "}${at}${code || " "}`]),
			);
			assert.deepEqual(lines, expected);
			assert.equal(expected.filter(([current]) => current).length, known.length);
		}
	}
});
