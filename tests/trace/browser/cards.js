// What stands beside a step's sums: tables and formulas, beside what the tape in the page says.
"use strict";
const assert = require("node:assert/strict");
const { product, numbersOf, places, shapeText, span, degree, largestOf } = require("../arrays.js");
const { unravel } = require("../reference.js");
const { pageOf, tapeIn, withTape } = require("../scripts.js");
const { test, open, td, number, near, read, write } = require("../browser_test.js");

const tensorsOf = op => [...op.in.map((v, i) => [op.letters[i], v]), ["Y", op.out]];

test("a table has each number that is on the page, or those of the crop, in its place and colour, a gap where some are left out, and its extremes and mean below", async () => {
	for (const name of ["ffn", "shapes", "hostile", "claims-infinite", "large"]) {
		const page = await open(name, "#step=1"),
			tape = await page.tape();
		let cells = 0,
			marks = 0;
		const all = await page.atSteps(span(tape.ops.length), () =>
			[...document.querySelectorAll("#cards .card")].map(card => {
				const of = (selector, read) => [...card.querySelectorAll(selector)].map(read),
					text = one => one.textContent,
					looks = one => one.className;
				return {
					key: card.dataset.card,
					result: card.classList.contains("result"),
					text: card.textContent,
					stats: card.querySelector(".stats")?.textContent ?? null,
					scale: of(".scale span", text),
					bars: of(".scale i", looks),
					heads: of("th[role=columnheader]", one => text(one) + looks(one)),
					sides: of("th[role=rowheader]", text),
					rows: of("tr:has(td[role=gridcell])", looks),
					low: Math.min(...of("td[data-i]", td => td.getBoundingClientRect().height)),
					cells: of("td[role=gridcell]", td => [
						text(td),
						looks(td),
						td.getAttribute("aria-label"),
						td.dataset.i,
						td.tabIndex,
					]),
				};
			}),
		);
		for (const [s, cards] of all.entries())
			for (const [letter, v] of tensorsOf(tape.ops[s])) {
				const card = cards.find(one => one.key === letter),
					{ value, shape } = tape.values[v];
				if (value === null) continue;
				const array = tape.arrays[value],
					known = numbersOf(array),
					n = product(shape),
					columns = shape.at(-1) ?? 1,
					high = n / columns,
					outer = shape.slice(0, -1),
					matrix = outer.at(-1) ?? 1,
					what = `${name} step ${s + 1} ${letter}`;
				if (!n) {
					assert.match(card.text, new RegExp(`^${letter}.*no numbers$`));
					continue;
				}
				const [crop] = array.crops ?? [],
					whole = high <= 24 && columns <= 16,
					[rows, across] = crop
						? [places(crop.rows), places(crop.columns)]
						: whole
							? [span(high), span(columns)]
							: [[], []],
					gap = (list, k) => (k > 0 && list[k] !== list[k - 1] + 1 ? "gap" : ""),
					many = list => (n > 1 ? list : []),
					places_ = rows.flatMap(r => across.map((c, k) => [r * columns + c, gap(across, k)])),
					first = places_.findIndex(([i]) => known.has(i));
				assert.deepEqual(
					[card.result, card.heads, card.sides, card.rows],
					[
						letter === "Y",
						many(across.map((c, k) => c + gap(across, k))),
						many(rows.map(r => unravel(r, outer).join(","))),
						rows.map(
							(r, k) => gap(rows, k) || (outer.length > 1 && k && r % matrix === 0 ? "block" : ""),
						),
					],
					what,
				);
				assert.ok(card.low >= 20, what);
				marks += card.rows.filter(Boolean).length;
				assert.equal(card.cells.length, places_.length);
				card.cells.forEach(([shown, ...others], k) => {
					const [i, begins] = places_[k],
						x = known.get(i),
						gap = begins && " gap";
					if (x === undefined) return assert.deepEqual([shown, others[0]], ["·", "unknown" + gap]);
					const rounded = Number(x.toPrecision(Math.abs(x) < 0.1 ? 2 : 3));
					assert.ok(
						Number.isFinite(x)
							? number(shown) === rounded && shown.startsWith("+") === x > 0
							: /NaN|∞/.test(shown),
						`${what} ${i}: ${shown}, ${x}`,
					);
					const place = shape.length ? shapeText(unravel(i, shape)) : "";
					assert.deepEqual(
						others,
						[
							`s-${degree(x, largestOf(array))}${gap}`,
							`${shown} ${place}`,
							String(i),
							k === first ? 0 : -1,
						], // Tab finds one
						what,
					);
					++cells;
				});
				if (array.block) continue;
				const numbers = [...known.values()],
					finite = numbers.filter(Number.isFinite),
					nan = numbers.filter(Number.isNaN).length,
					[, sizes, mean] = card.stats.match(/(\[[\d, ]*\]) {3}mean (\S+)/),
					counted = name => +(card.stats.match(new RegExp(`(\\d+) ${name}`))?.[1] ?? 0),
					total = finite.reduce((a, b) => a + b, 0);
				assert.deepEqual(
					[sizes, counted("NaN"), counted("∞")],
					[shapeText(shape), nan, n - finite.length - nan],
					what,
				);
				near(number(mean), total / (finite.length || 1), 0.006, 1e-6, what);
				const [low, top] = finite.length && n > 1 ? [Math.min(...finite), Math.max(...finite)] : [];
				assert.deepEqual(
					[card.scale.length, card.bars.length],
					low === undefined ? [0, 0] : [2, 9],
				);
				card.scale.forEach((shown, k) => near(number(shown), [low, top][k], 0.006, 1e-6, what));
				card.bars.forEach((looks, k) => {
					const x = low + ((top - low) * k) / 8;
					assert.ok(
						Math.abs(x) < 1e-6 || looks === "s-" + degree(x, largestOf(array)),
						`${what}: ${k} ${looks}`,
					);
				});
			}
		assert.ok(cells > ({ hostile: 2, "claims-infinite": 12 }[name] ?? 20), name);
		assert.equal(marks > 0, ["shapes", "large"].includes(name), name);
	}
});

test("under the letters of a formula stand names and shapes, in backward of what is computed there", async () => {
	const html = read("claims-clamp.html"),
		unbounded = tapeIn(html);
	unbounded.ops[0].attributes.lo = ["-inf"];
	write("unbounded.html", withTape(html, unbounded));
	for (const name of ["ffn", "claims-broadcast", "claims-elsewhere", "unbounded"]) {
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
			for (const [given] of formulas
				.map(([line]) => line.match(/^(lo|hi|dim|diagonal) = .*/) ?? [])
				.filter(([line]) => line)) {
				const [called, x] = given.split(" = ");
				assert.equal(x.replace("∞", "inf").replace("−", "-"), String(op.attributes[called][0]));
			}
		}
	}
});

test("each card of a step has its tensor's numbers and says what they are, gradients in the order of the inputs", async () => {
	const seen = new Set();
	for (const name of "ffn examples claims-reuse claims-older claims-checkpoint claims-plain claims-hook".split(
		" ",
	)) {
		const tape = tapeIn(read(`${name}.html`)),
			totals = new Map();
		if (name === "claims-plain") tape.values[1].changed = true;
		const { steps, ops, values, numbers, cardsOf } = await pageOf(tape);
		steps.forEach(({ forward, op, value: leaf, dY, hooked, adds = [] }, s) => {
			const { letters, in: taken = [], out, saved = {}, op: called } = ops[op] ?? {},
				of = (key, v, role) => [
					key,
					role,
					values[v].value,
					values[v].changed ? "was changed " : "was not kept",
				],
				inputs = role => taken.map((v, i) => of(letters[i], v, role)),
				own = Object.keys(saved)
					.filter(key => !["Y", called === "fused_feed_forward" && "H", ...letters].includes(key))
					.map(key => [key, "saved for backward", saved[key]]),
				arrives = hooked ? "changed by a hook" : "arrives from the ops after",
				parts = new Map(),
				sums = new Map();
			for (const { input, value, before, part, total, nth, of } of op < 0 ? [] : adds) {
				const key = "d" + letters[input],
					{ shape } = values[value],
					n = product(before) / product(shape),
					role = of === 1 ? "this step adds" : `part ${nth} of ${of || "?"}`;
				parts.set(input, [
					key,
					role,
					part,
					"",
					n > 1 ? [shapeText(shape), shapeText(before), n].join() : "",
				]);
				if (totals.has(value))
					sums.set(input, [
						[key + "-before", "before", totals.get(value)],
						[
							key + "-total",
							nth === of ? `all ${of} parts` : `${nth} of ${of} parts so far`,
							total,
						],
					]);
				if (total !== null) totals.set(value, total);
			}
			const { grad } = values[leaf],
				[{ part, total, of: n } = {}] = adds,
				sorted = [...parts.keys()].sort((a, b) => a - b),
				expected = forward
					? [...inputs("goes in"), ...own, of("Y", out, "comes out")]
					: op < 0
						? [
								...(grad === null ? [] : [["earlier", "before", grad]]),
								[
									"dY",
									n || hooked ? arrives : "grad after this pass − grad before",
									part,
									"A checkpoint",
								],
								[
									"total",
									grad === null ? "gradient" : "with earlier passes",
									total,
									"A checkpoint",
								],
							]
						: [
								["dY", arrives, dY],
								...inputs("value").filter(
									([, , array, missing]) => array !== null || /changed/.test(missing),
								),
								...own,
								...sorted.map(input => parts.get(input)),
								...sorted.flatMap(input => sums.get(input) ?? []),
							];
			const copies = note =>
				note
					?.match(/Its shape is (.*), broadcast to (.*): .* of (\d+) copies/)
					?.slice(1)
					.join();
			assert.deepEqual(
				cardsOf(s).map(({ key, role, array, missing, note }) => [
					key,
					role,
					array,
					array ? "" : missing.slice(0, 12),
					copies(note) ?? "",
				]),
				expected.map(([key, role, array, missing, note = ""]) => [
					key,
					role,
					numbers(array),
					array === null ? missing : "",
					note,
				]),
				`${name} ${called}`,
			);
			for (const [, role, , , note] of expected) seen.add(role).add(note);
		});
	}
	assert.ok(seen.size > 22, [...seen].join());
});
