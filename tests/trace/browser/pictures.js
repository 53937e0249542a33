// The pictures of large tensors: their blocks, a block's text, and the format of numbers.
"use strict";
const assert = require("node:assert/strict");
const { unravel } = require("../reference.js");
const { product, floats, span, degree, largestOf } = require("../arrays.js");
const { script, ran, pageOf } = require("../scripts.js");
const { test, open, number, near, site } = require("../browser_test.js");

test("a large tensor's picture has each block in its colour, as light as it has zeros, and frames what is marked", async () => {
	const page = await open("large", "#step=1&cell=Y[0,3,5]"),
		{ ops, values, arrays } = await page.tape();
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
						"zero nan mark text p0 p1 p2 p3 p4 n0 n1 n2 n3 n4".split(" ").map(name => {
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
						looked: [...card.querySelectorAll("td.looked")].map(td => +td.dataset.i),
					};
				}),
		);
	let framed = 0;
	for (let s = 0; s < 6; ++s) {
		if (s) await page.toStep(s);
		for (const { key, width, height, across, data, colours, marked, looked } of await canvases()) {
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
			const blocksOf = cells =>
				new Set(
					cells.map(
						i =>
							Math.floor(Math.floor(i / columns) / high) * across +
							Math.floor((i % columns) / wide),
					),
				);
			for (const [blocks, frame] of [
				[blocksOf(marked), colours.mark],
				[blocksOf(looked), colours.text],
			])
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
							like(pixel(...at), frame, 60),
							`${key}, block ${k} of ${[...blocks]}: ${pixel(...at)}`,
						);
						++framed;
					}
				}
		}
	}
	assert.ok(framed >= 8);
});

test("by the pointer and by keys one goes over a picture block by block, each with its place and its number", async () => {
	const page = await open("large", "#step=2"),
		tape = await page.tape(),
		all = floats(tape.arrays[tape.values[tape.ops[1].in[0]].value]);
	const numbers = (await pageOf(tape)).numbers(tape.values[tape.ops[1].in[0]].value),
		{ across, down } = numbers,
		canvas = page.locator("[data-card=A] canvas"),
		{ width, height } = await canvas.boundingBox();
	const assertAt = async (k, what) => {
		const said = (await page.text("#why .sum")).split(", largest = ");
		assert.equal(said[0], "A" + numbers.place(-1 - k), what);
		near(number(said[1]), all[k], 1e-5, 0, what);
		assert.match(
			(await page.locator("#why .note").allTextContents()).join(" | "),
			new RegExp(`for ${numbers.blockSize(k)} numbers`),
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
	await page.says("#title", /#2 add/, "they do not go to other steps");
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
	await page.reloaded();
	await assertAt(1, "an address has it");
	await page.says("[data-card=A]", /\[4, 10, 2048\].*stands out most/s);
	await page.to("#step=5&cell=A[2,3,100]");
	assert.match(await page.sum(), /^A\[2, 2, 64\]\.\.\[2, 3, 127\], largest = /);
	await page.goto(`${site}/live_wide.html#step=2`), await page.is("ready");
	await page.focus("[data-card=A] canvas"), await page.keyboard.press("Enter");
	await page.says(
		"#title",
		/^Forward 1 /,
		"a cell that is one number leads to where it was computed",
	);
});

test("numbers, bytes and names are written in one way, and a block's place is that of its numbers", async () => {
	const given = [
		"w1",
		"enc.layer.W_Q",
		"dec.layer.W_Q",
		"enc.layer.W_K",
		"n".repeat(41),
		"",
		"",
		"",
	];
	const named = given.map((name, i) => ({
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
		arrays: [{ shape: [], v: "AAAAPw==", stats: { min: 0.5, max: 0.5 } }],
	};
	named.push({ name: "", value: 0, op: -1, role: "constant", shape: [] });
	const { show, bytesText, Numbers, nameOf, nameShown, title } = await ran(
		script("data") + "; return { show, bytesText, Numbers, nameOf, nameShown, title };",
		tape,
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
	assert.deepEqual(span(9).map(nameOf), [
		...given.slice(0, 4),
		"n".repeat(38) + "…",
		"leaf 5",
		"const 6",
		"#4",
		"0.5",
	]);
	assert.deepEqual(
		span(4).map(nameShown),
		["w1", "enc.layer.W_Q", "dec.layer.W_Q", "W_K"],
		"where two end alike, all of the name",
	);
	assert.equal(title(tape.ops[0]), "#4 add");
	for (const sizes of ["5 7/2 3", "3 5 4/2 3", "2 3 4 5/3 5", "2 2 2 3/3 2", "9/1 4", "4 6/1 2"]) {
		const [shape, block] = sizes.split("/").map(list => list.split(" ").map(Number));
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
				assert.equal(all.blockOf(i), k), assert.equal(all.cell(unravel(i, shape)), -1 - k);
			const places = cells.map(i => unravel(i, shape)),
				[first, last] = [places[0], places.at(-1)];
			const written = [first, last].map(at => `[${at.join(", ")}]`).join("..");
			assert.equal(all.place(-1 - k), written, `${shape} block ${k}`);
		});
		assert.equal(all.cell(shape), null),
			assert.equal(all.cell(shape.map(() => -1)), null),
			assert.equal(all.cell([0]), shape.length === 1 ? -1 : null);
		assert.equal(all.cell(shape.map(size => size - 1)), -blocks);
		for (let d = 0; d < shape.length; ++d)
			assert.equal(all.cell(shape.map((size, k) => (k === d ? size : 0))), null, "one beyond");
	}
});
