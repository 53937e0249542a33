// What stands beside a step's sums: tables, formulas and the reader's lines, beside what the tape in the page says.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { product, floats, shapeText, span, degree, largestOf } = require("../arrays.js");
const { tapeIn, withTape } = require("../scripts.js");

module.exports = ({ open, shut, text, number, tapeOf, atSteps, toStep, pages }) => {
	return {
		async "a table has each number in its place, in its colour, and its extremes and mean below"() {
			for (const name of ["ffn", "shapes", "hostile", "claims-infinite"]) {
				const page = await open(name, "#step=1"),
					tape = await tapeOf(page);
				let cells = 0,
					blocks = 0;
				const all = await atSteps(page, span(tape.ops.length), () =>
					[...document.querySelectorAll("#cards .card")].map(card => ({
						key: card.dataset.card,
						result: card.classList.contains("result"),
						title: card.querySelector("h3").textContent,
						stats: card.querySelector(".stats")?.textContent ?? null,
						scale: [...card.querySelectorAll(".scale span")].map(one => one.textContent),
						bars: [...card.querySelectorAll(".scale i")].map(one => one.className),
						heads: [...card.querySelectorAll("th[role=columnheader]")].map(one => one.textContent),
						sides: [...card.querySelectorAll("th[role=rowheader]")].map(one => one.textContent),
						blocks: [...card.querySelectorAll("tr:has(td[data-i])")].map(one => one.className),
						cells: [...card.querySelectorAll("td[data-i]")].map(td => [
							+td.dataset.i,
							td.textContent,
							td.className,
							td.getAttribute("aria-label"),
							td.tabIndex,
						]),
					})),
				);
				for (const [s, cards] of all.entries()) {
					const op = tape.ops[s];
					[...op.in.map((v, i) => [op.letters[i], v]), ["Y", op.out]].forEach(([letter, v]) => {
						const card = cards.find(one => one.key === letter),
							{ value, shape } = tape.values[v];
						if (value === null) return;
						const array = tape.arrays[value],
							all = floats(array),
							columns = shape.at(-1) ?? 1,
							outer = shape.slice(0, -1),
							what = `${name} step ${s + 1} ${letter}`;
						assert.equal(card.result, letter === "Y", what);
						if (!all.length) return assert.match(card.title, new RegExp(`^${letter}`));
						const place = (i, sizes) => {
							const at = [];
							for (const n of [...sizes].reverse()) at.unshift(i % n), (i = Math.floor(i / n));
							return at;
						};
						assert.deepEqual(
							card.cells.map(([i]) => i),
							span(all.length),
							what,
						);
						assert.deepEqual(
							card.cells.map(one => one[4]),
							all.map((_, i) => (i ? -1 : 0)),
							"Tab finds one cell of a card",
						);
						for (const [i, shown, looks, label] of card.cells) {
							const x = all[i],
								digits = Math.abs(x) < 0.1 ? 2 : 3,
								is = Number.isNaN(x) ? "NaN" : x;
							assert.ok(
								Number.isNaN(x) || !Number.isFinite(x)
									? /NaN|∞/.test(shown)
									: number(shown) === Number(x.toPrecision(digits)) &&
											shown.startsWith("+") === x > 0,
								`${what} ${i}: ${shown}, ${is}`,
							);
							assert.equal(looks, "s-" + degree(x, largestOf(array)), what);
							assert.equal(
								label,
								`${shown} ${shape.length ? shapeText(place(i, shape)) : ""}`,
								what,
							);
							++cells;
						}
						assert.deepEqual(card.heads, all.length > 1 ? span(columns).map(String) : [], what);
						assert.deepEqual(
							card.sides,
							all.length > 1 ? span(all.length / columns).map(r => place(r, outer).join(",")) : [],
							what,
						);
						const matrix = outer.at(-1) ?? 1;
						assert.deepEqual(
							card.blocks,
							span(all.length / columns).map(r =>
								outer.length > 1 && r && r % matrix === 0 ? "block" : "",
							),
							what,
						);
						blocks += card.blocks.filter(Boolean).length;
						const finite = all.filter(Number.isFinite),
							near = (said, x) => Math.abs(number(said) - x) <= 0.006 * Math.abs(x) + 1e-6;
						const [, sizes, mean] = card.stats.match(/(\[[\d, ]*\]) {3}mean (\S+)/),
							nan = all.filter(Number.isNaN).length,
							infinite = all.length - finite.length - nan;
						assert.equal(sizes, shapeText(shape), what);
						assert.ok(
							near(mean, finite.reduce((a, b) => a + b, 0) / (finite.length || 1)),
							`${what}: ${card.stats}`,
						);
						assert.equal(card.stats.match(/(\d+) NaN/)?.[1] ?? "0", String(nan), what),
							assert.equal(card.stats.match(/(\d+) ∞/)?.[1] ?? "0", String(infinite), what);
						if (all.length < 2 || !finite.length) return assert.deepEqual(card.scale, []);
						assert.ok(
							card.scale.length === 2 &&
								near(card.scale[0], Math.min(...finite)) &&
								near(card.scale[1], Math.max(...finite)),
							`${what}: ${card.scale}`,
						);
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
				await shut(page);
			}
		},

		async "of a large tensor the rows and columns that the recording has are shown, with a gap where some are left out"() {
			const page = await open("large", "#step=1"),
				{ ops, values, arrays } = await tapeOf(page);
			let gaps = 0;
			for (const s of [0, 1, 6]) {
				await toStep(page, s);
				for (const [letter, v] of [
					...ops[s].in.map((v, i) => [ops[s].letters[i], v]),
					["Y", ops[s].out],
				]) {
					const { shape, crops } = arrays[values[v].value];
					if (!crops?.length) continue;
					const card = page.locator(`[data-card=${letter}]`),
						columns = shape.at(-1),
						places = ranges => ranges.flatMap(([from, to]) => span(to - from).map(i => from + i));
					const [rows, across] = [places(crops[0].rows), places(crops[0].columns)],
						gap = list => list.map((x, k) => k > 0 && x !== list[k - 1] + 1),
						known = new Map();
					for (const crop of crops) {
						const all = floats(crop),
							wide = places(crop.columns);
						places(crop.rows).forEach((r, i) =>
							wide.forEach((c, j) => known.set(r * columns + c, all[i * wide.length + j])),
						);
					}
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
								i === String(at) &&
									number(shown) === Number(x.toPrecision(Math.abs(x) < 0.1 ? 2 : 3)),
								`${letter} ${at}: ${shown}, ${x}`,
							);
						}),
					);
					gaps += gap(across).filter(Boolean).length + gap(rows).filter(Boolean).length;
				}
			}
			assert.ok(gaps > 0);
			await shut(page);
		},

		async "under the letters of a formula stand names and shapes, in backward of what is computed there"() {
			for (const name of ["ffn", "claims-broadcast", "claims-elsewhere"]) {
				const page = await open(name, "#step=1"),
					{ ops, backward, values } = await tapeOf(page);
				const all = await atSteps(page, span(ops.length + backward.length), () =>
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
				await shut(page);
			}
		},

		async "the gradients of a step stand in the order of its inputs, each with what it was broadcast to"() {
			for (const [name, least] of [
				["ffn", 2],
				["examples", 5],
				["claims-reuse", 0],
			]) {
				const page = await open(name, "#step=1"),
					{ ops, backward, values } = await tapeOf(page);
				let copied = 0,
					turned = 0;
				const steps = span(backward.length).filter(
					k => backward[k].op >= 0 && backward[k].adds.length,
				);
				const all = await atSteps(
					page,
					steps.map(k => ops.length + k),
					() =>
						[...document.querySelectorAll("#cards .card.result")].map(card => [
							card.dataset.card,
							card.querySelector("h3 + .note")?.textContent ?? "",
						]),
				);
				for (const [at, cards] of all.entries()) {
					const { op, adds } = backward[steps[at]],
						ordered = [...adds].sort((a, b) => a.input - b.input),
						what = `${name} ${ops[op].op}`;
					assert.deepEqual(
						cards.map(([key]) => key).filter(key => !key.endsWith("-total")),
						ordered.map(({ input }) => "d" + ops[op].letters[input]),
						what,
					);
					turned += ordered.some((add, i) => add !== adds[i]);
					for (const { input, before, value } of adds) {
						const { shape } = values[value],
							n = product(before) / product(shape),
							[, said] = cards.find(([key]) => key === "d" + ops[op].letters[input]);
						assert.equal(
							said,
							n > 1
								? `This gradient has shape ${shapeText(shape)}, and was broadcast to ${shapeText(before)}: the contributions of its ${n} copies are added.`
								: "",
							what,
						);
						copied += n > 1;
					}
				}
				assert.ok(copied >= least && (turned > 0 || !least), `${name}: ${copied}, ${turned}`);
				await shut(page);
			}
		},

		async "as many digits are said to agree as do, of those that the page was given"() {
			const html = fs.readFileSync(`${pages}/ffn.html`, "utf8"),
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
			];
			given.forEach(([by], i) => {
				tape.values[v].differences[i] = all[i] * (1 + by);
			});
			fs.writeFileSync(`${pages}/agreed.html`, withTape(html, tape));
			const page = await open(
				"agreed",
				`#step=${tape.ops.length + tape.backward.indexOf(step) + 1}`,
			);
			for (const [i, [by, digits]] of given.entries()) {
				await page.click(`[data-card=dB] td[data-i='${i}']`);
				await page.click("#why summary");
				const said = await text(page, "#why details p");
				assert.ok(Math.abs(number(said.match(/2h = (\S+):/)[1]) / all[i] - 1 - by) < 2e-4, said);
				assert.equal(
					said.match(/agree to (\d) digits/)?.[1] ?? null,
					digits && String(digits),
					`${by}: ${said}`,
				);
			}
			await shut(page);
		},

		async "the lines around an op's call are those of the file, its own marked"() {
			const page = await open("ffn", "#step=1"),
				{ ops, source } = await tapeOf(page);
			for (let s = 0; s < ops.length; ++s) {
				await toStep(page, s);
				const called = [ops[s].caller, ops[s].loc].filter(Boolean);
				assert.deepEqual(
					await page.locator("#source .file").allTextContents(),
					called.map(([file, line]) => `${file}:${line}`),
				);
				const lines = await page
					.locator("#source .line")
					.evaluateAll(all => all.map(one => [one.classList.contains("current"), one.textContent]));
				const expected = called.flatMap(([file, line]) =>
					source[file]
						.filter(([at]) => Math.abs(at - line) <= 5)
						.map(([at, code]) => [at === line, `${at === line ? "▶ " : "  "}${at}${code || " "}`]),
				);
				assert.deepEqual(lines, expected);
				assert.equal(expected.filter(([current]) => current).length, called.length);
			}
			await shut(page);
		},
	};
};
