// What stands beside a step's sums: tables, large pictures, formulas, the reader's lines, and how all of it
// is written, beside what the tape in the page says.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { product, floats, shapeText, span, degree, largestOf } = require("../arrays.js");
const { script, ran, tapeIn, withTape } = require("../scripts.js");

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
						if (all.length < 2) return assert.deepEqual(card.scale, []);
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
								? `This gradient has shape ${shapeText(shape)}, and was broadcast to ${shapeText(before)}: its ${n} copies each have a part, and the parts are added.`
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

		async "a large tensor's picture has each block in its colour, as light as it has zeros, and frames what is marked"() {
			const page = await open("large", "#step=1&cell=Y[0,3,5]"),
				{ ops, values, arrays } = await tapeOf(page);
			const canvases = () =>
				page.evaluate(() =>
					[...document.querySelectorAll("#cards .card")]
						.filter(card => card.querySelector("canvas"))
						.map(card => {
							const canvas = card.querySelector("canvas"),
								pen = canvas.getContext("2d"),
								{ data } = pen.getImageData(0, 0, canvas.width, canvas.height),
								across = +canvas.dataset.across;
							const style = getComputedStyle(document.documentElement),
								one = document.createElement("canvas").getContext("2d");
							const colours = Object.fromEntries(
								[
									"zero",
									"nan",
									"mark",
									"text",
									...[0, 1, 2, 3, 4].flatMap(k => ["p" + k, "n" + k]),
								].map(name => {
									(one.fillStyle = style.getPropertyValue("--" + name)), one.fillRect(0, 0, 1, 1);
									return [name, [...one.getImageData(0, 0, 1, 1).data].slice(0, 3)];
								}),
							);
							return {
								key: card.dataset.card,
								width: canvas.width,
								height: canvas.height,
								across,
								data: btoa(Array.from(data, byte => String.fromCharCode(byte)).join("")),
								colours,
								marked: [...card.querySelectorAll("td.marked")].map(td => +td.dataset.i),
							};
						}),
				);
			let framed = 0;
			for (let s = 0; s < 6; ++s) {
				if (s) await toStep(page, s);
				for (const { key, width, height, across, data, colours, marked } of await canvases()) {
					const v = key === "Y" ? ops[s].out : ops[s].in[ops[s].letters.indexOf(key)],
						array = arrays[values[v].value],
						[high, wide] = array.block ?? [1, 1],
						columns = array.shape.at(-1);
					const all = floats(array),
						gaps = array.gaps ? [...Buffer.from(array.gaps, "base64")] : all.map(() => 0),
						size = width / across;
					assert.equal(across, Math.ceil(columns / wide));
					const tall = height / Math.ceil(all.length / across);
					assert.ok(tall === size || height === 20, `${height} pixels`);
					const bytes = Buffer.from(data, "base64"),
						pixel = (x, y) => {
							const at = 4 * (Math.floor(y) * width + Math.floor(x));
							return [...bytes.subarray(at, at + 3)];
						};
					const like = (a, b, d = 4) => a.every((c, k) => Math.abs(c - b[k]) <= d);
					if (size >= 4)
						for (let k = 0; k < all.length; k += 7) {
							const share = gaps[k] / 255,
								of = colours[degree(all[k], largestOf(array))],
								expected = of.map((c, j) => c * (1 - share) + colours.zero[j] * share);
							assert.ok(
								like(
									pixel(((k % across) + 0.5) * size, (Math.floor(k / across) + 0.5) * tall),
									expected,
								),
								`step ${s + 1} ${key} block ${k}: ${all[k]}, ${share}`,
							);
						}
					const blocks = new Set(
						marked.map(
							i =>
								Math.floor(Math.floor(i / columns) / high) * across +
								Math.floor((i % columns) / wide),
						),
					);
					for (const k of blocks) {
						const [x, y] = [(k % across) * size, Math.floor(k / across) * tall];
						for (const [dx, dy] of [
							[0.5, 0],
							[0.5, 1],
							[0, 0.5],
							[1, 0.5],
						]) {
							const at = [Math.min(width - 1, x + dx * size), Math.min(height - 1, y + dy * tall)];
							assert.ok(
								like(pixel(...at), colours.mark, 60),
								`${key}, block ${k} of ${[...blocks]}: ${pixel(...at)}`,
							);
							++framed;
						}
					}
				}
			}
			assert.ok(framed >= 8);
			await shut(page);
		},

		async "by the pointer and by keys one goes over a picture block by block, each with its place and its number"() {
			const page = await open("large", "#step=2"),
				{ ops, values, arrays } = await tapeOf(page),
				array = arrays[values[ops[1].in[0]].value],
				all = floats(array);
			const [high, wide] = array.block,
				columns = array.shape.at(-1),
				across = Math.ceil(columns / wide),
				canvas = page.locator("[data-card=A] canvas"),
				{ width, height } = await canvas.boundingBox();
			const to = (a, b) => (a === b ? String(a) : `${a}..${b}`),
				down = all.length / across;
			const assertAt = async (k, what) => {
				// of [4, 10, 2048]
				const said = (await text(page, "#why .sum")).split(", largest = "),
					r = Math.floor(k / across) * high,
					c = (k % across) * wide,
					end = Math.min(r + high, 40) - 1;
				const [first, last] = [r, end].map(row => [Math.floor(row / 10), row % 10]),
					place = `${to(c, Math.min(c + wide, columns) - 1)}`;
				assert.equal(
					said[0],
					first[0] === last[0]
						? `A[${first[0]}, ${to(first[1], last[1])}, ${place}]`
						: `A[${first.join(", ")}, ${place}]..[${last.join(", ")}, ${place}]`,
					what,
				);
				assert.ok(
					Math.abs(number(said[1]) - all[k]) <= 1e-5 * Math.abs(all[k]),
					`${what}: ${said}, ${all[k]}`,
				);
				assert.match(
					(await page.locator("#why .note").allTextContents()).join(" | "),
					new RegExp(`for ${(end - r + 1) * (Math.min(c + wide, columns) - c)} numbers`),
				);
			};
			await page.focus("[data-card=A] canvas");
			await assertAt(0, "the first");
			let at = 0;
			for (const [key, by] of [
				["ArrowRight", 1],
				["ArrowDown", across],
				["ArrowDown", across],
				["ArrowLeft", -1],
				["ArrowUp", -across],
				["ArrowUp", -across],
				["ArrowUp", 0],
				["ArrowLeft", 0],
			]) {
				await page.keyboard.press(key);
				await assertAt((at += by), key);
			}
			assert.match(await text(page, "#title"), /#2 add/, "they do not go to other steps");
			for (const [r, c] of [
				[0, 2],
				[down - 1, across - 1],
				[Math.floor(down / 2), 3],
			]) {
				await canvas.hover({
					position: { x: ((c + 0.5) * width) / across, y: ((r + 0.5) * height) / down },
				});
				await assertAt(r * across + c, `${r}, ${c}`);
			}
			const { x, y } = await canvas.boundingBox();
			await page.mouse.click(x + (1.5 * width) / across, y + (0.5 * height) / down);
			await page.mouse.move(x + (3.5 * width) / across, y + (0.5 * height) / down);
			await assertAt(1, "a click holds");
			await shut(page);
		},

		async "numbers, bytes and names are written in one way, and a block's place is that of its numbers"() {
			const named = [
				"w1",
				"enc.layer.W_Q",
				"dec.layer.W_Q",
				"enc.layer.W_K",
				"n".repeat(41),
				"",
				"",
				"",
			].map((name, i) => ({
				name,
				value: null,
				op: i === 7 ? 0 : -1,
				role: i === 5 ? "leaf" : "constant",
				shape: [2],
			}));
			const tape = {
				values: named,
				ops: [{ number: 4, op: "add", in: [0, 1], out: 7, saved: {} }],
				backward: [],
				arrays: [],
			};
			const of = names => ran(script("data") + `; return {${names}};`, tape);
			const { show, bytesText, Numbers, nameOf, nameShown, title } = await of(
				"show, bytesText, Numbers, nameOf, nameShown, title",
			);
			for (const [x, written, short] of [
				[0.12345678, "0.123457", "0.123"],
				[-12.3, "−12.3", "−12.3"],
				[0, "0", "0"],
				[-0, "0", "0"],
				[1e-4, "0.0001", "0.0001"],
				[9.99e-5, "9.9900e−5", "1.0e−4"],
				[-1.5e-7, "−1.5000e−7", "−1.5e−7"],
				[999999, "999999", "1000000"],
				[1e6, "1.0000e6", "1.0e6"],
				[-2.5e12, "−2.5000e12", "−2.5e12"],
				[NaN, "NaN", "NaN"],
				[Infinity, "∞", "∞"],
				[-Infinity, "−∞", "−∞"],
			])
				assert.deepEqual([show(x), show(x, 3)], [written, short], String(x));
			for (const [n, written] of [
				[0, "0 B"],
				[999, "999 B"],
				[1000, "1 kB"],
				[123456, "123 kB"],
				[999000, "999 kB"],
				[999499, "999 kB"],
				[999500, "1 MB"],
				[1e6, "1 MB"],
				[999.4e6, "999 MB"],
				[999.6e6, "1 GB"],
				[2.5e8, "250 MB"],
				[1e9, "1 GB"],
				[2.5e12, "2500 GB"],
			])
				assert.equal(bytesText(n), written);
			assert.deepEqual(span(8).map(nameOf), [
				"w1",
				"enc.layer.W_Q",
				"dec.layer.W_Q",
				"enc.layer.W_K",
				"n".repeat(38) + "…",
				"leaf 5",
				"const 6",
				"#4",
			]);
			assert.deepEqual(
				span(4).map(nameShown),
				["w1", "enc / layer / W_Q", "dec / layer / W_Q", "W_K"],
				"where two end alike, all of the name",
			);
			assert.equal(title(tape.ops[0]), "#4 add");
			for (const [shape, block] of [
				[
					[5, 7],
					[2, 3],
				],
				[
					[3, 5, 4],
					[2, 3],
				],
				[
					[2, 3, 4, 5],
					[3, 5],
				],
				[
					[2, 2, 2, 3],
					[3, 2],
				],
				[[9], [1, 4]],
				[
					[4, 6],
					[1, 2],
				],
			]) {
				const n = product(shape),
					columns = shape.at(-1),
					rows = n / columns,
					across = Math.ceil(columns / block[1]),
					blocks = Math.ceil(rows / block[0]) * across;
				const all = new Numbers({ shape, kept: span(blocks), block, stats: { min: -3, max: 2 } }),
					members = span(blocks).map(() => []);
				assert.equal(all.largest, 3);
				span(n).forEach(i =>
					members[
						Math.floor(Math.floor(i / columns) / block[0]) * across +
							Math.floor((i % columns) / block[1])
					].push(i),
				);
				members.forEach((cells, k) => {
					assert.equal(all.blockSize(k), cells.length);
					for (const i of cells)
						assert.equal(all.blockOf(i), k),
							assert.equal(all.cell(all.index(i).slice(1, -1).split(", ").map(Number)), -1 - k);
					const places = cells.map(i => all.index(i).slice(1, -1).split(", ").map(Number)),
						[first, last] = [places[0], places.at(-1)];
					const range = (a, b) => (a === b ? `${a}` : `${a}..${b}`),
						whole =
							product(first.map((a, d) => last[d] - a + 1)) === cells.length &&
							first.every((a, d) => places.every(at => at[d] >= a && at[d] <= last[d]));
					const written = whole ? `[${first.map((a, d) => range(a, last[d])).join(", ")}]` : null,
						outer = at => `[${[...at.slice(0, -1), range(first.at(-1), last.at(-1))].join(", ")}]`;
					const said = all.place(-1 - k);
					assert.ok(
						said === written || said === `${outer(first)}..${outer(last)}`,
						`${shape} block ${k}: ${said}, ${written}`,
					);
					if (whole && first.slice(0, -2).every((a, d) => a === last[d]))
						assert.equal(said, written);
				});
				assert.equal(all.cell(shape), null),
					assert.equal(all.cell(shape.map(() => -1)), null),
					assert.equal(all.cell([0]), shape.length === 1 ? -1 : null);
				assert.equal(all.cell(shape.map(size => size - 1)), -blocks);
				for (let d = 0; d < shape.length; ++d)
					assert.equal(all.cell(shape.map((size, k) => (k === d ? size : 0))), null, "one beyond");
			}
		},
	};
};
