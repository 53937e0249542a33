// The pictures of large tensors, heat maps: their blocks, a block's text, and the format of numbers.
"use strict";
require("../browser_test.js");

test("a large tensor's picture has each block in its colour, and frames what is marked", async () => {
	const page = await open("large", "#step=1&cell=Y[0,3,5]"),
		{ ops, values, arrays } = await page.tape();
	const drawn = () => {
		const style = getComputedStyle(document.documentElement),
			pen = document.createElement("canvas").getContext("2d"),
			names = "zero nan mark text p0 p1 p2 p3 p4 n0 n1 n2 n3 n4".split(" ");
		const colours = names.map(name => {
			(pen.fillStyle = style.getPropertyValue("--" + name)), pen.fillRect(0, 0, 1, 1);
			return [name, [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3)];
		});
		return [...document.querySelectorAll("#cards .card:has(canvas)")].map(card => {
			const canvas = card.querySelector("canvas"),
				{ width, height } = canvas,
				{ data } = canvas.getContext("2d").getImageData(0, 0, width, height),
				of = name => [...card.querySelectorAll("td." + name)].map(td => +td.dataset.i);
			return {
				key: card.dataset.card,
				width,
				height,
				across: +canvas.dataset.across,
				data: btoa(Array.from(data, byte => String.fromCharCode(byte)).join("")),
				colours: Object.fromEntries(colours),
				frames: { mark: of("marked"), text: of("looked") },
			};
		});
	};
	let framed = 0;
	for (let s = 0; s < 6; ++s) {
		if (s) await page.toStep(s);
		for (const { key, width, height, across, data, colours, frames } of await page.evaluate(drawn)) {
			const v = key === "Y" ? ops[s].out : ops[s].in[ops[s].letters.indexOf(key)],
				array = arrays[values[v].value],
				[high, wide] = array.block ?? [1, 1],
				columns = array.shape.at(-1),
				all = floats(array),
				gaps = array.gaps && Buffer.from(array.gaps, "base64"),
				size = width / across,
				tall = height / Math.ceil(all.length / across),
				bytes = Buffer.from(data, "base64");
			equal(across, Math.ceil(columns / wide));
			ok(tall === size || height === 20, `${height} pixels`);
			const assertLike = (x, y, colour, by, what) => {
				const at = 4 * (Math.floor(y) * width + Math.floor(x)),
					pixel = [...bytes.subarray(at, at + 3)];
				ok(
					colour.every((c, k) => Math.abs(c - pixel[k]) <= by),
					`${what}: ${pixel}, not ${colour}`,
				);
			};
			const place = k => [(k % across) * size, Math.floor(k / across) * tall];
			for (let k = 0; size >= 4 && k < all.length; k += 7) {
				const [x, y] = place(k),
					share = gaps ? gaps[k] / 255 : 0,
					colour = colours[degree(all[k], largestOf(array))];
				assertLike(
					x + size / 2,
					y + tall / 2,
					colour.map((c, j) => c * (1 - share) + colours.zero[j] * share),
					4,
					`step ${s + 1} ${key} block ${k}: ${all[k]}, ${share}`,
				);
			}
			for (const [frame, cells] of Object.entries(frames))
				for (const i of cells) {
					const k = Math.floor(Math.floor(i / columns) / high) * across + Math.floor((i % columns) / wide),
						[x, y] = place(k);
					for (const [dx, dy] of table("0.5 0; 0.5 1; 0 0.5; 1 0.5")) {
						const at = [Math.min(width - 1, x + dx * size), Math.min(height - 1, y + dy * tall)];
						assertLike(...at, colours[frame], 60, `${key}, block ${k}`), ++framed;
					}
				}
		}
	}
	ok(framed >= 8);
});

test("by the pointer and by keys one goes over a picture block by block", async () => {
	const page = await open("large", "#step=2"),
		tape = await page.tape(),
		{ value } = tape.values[tape.ops[1].in[0]],
		all = floats(tape.arrays[value]),
		numbers = (await pageOf(tape)).numbers(value),
		{ across, down } = numbers,
		canvas = page.locator("[data-card=A] canvas"),
		{ x, y, width, height } = await canvas.boundingBox();
	const assertAt = async (k, what) => {
		const said = (await page.sum()).split(", largest = ");
		equal(said[0], "A" + numbers.place(-1 - k), what);
		near(number(said[1]), all[k], 1e-5, 0, what);
		match((await page.texts("#why .note")).join(), new RegExp(`for ${numbers.blockSize(k)} numbers`));
	};
	await canvas.focus();
	await assertAt(0, "the first");
	let at = 0;
	for (const [key, by] of table(`Right 1; Down ${across}; Left -1; Up -${across}; Up 0; Left 0`))
		await page.presses("Arrow" + key), await assertAt((at += by), key);
	await page.says("#title", /#2 add/, "they do not go to other steps");
	const place = (r, c) => ({ x: ((c + 0.5) * width) / across, y: ((r + 0.5) * height) / down });
	for (const [r, c] of [
		[0, 2],
		[down - 1, across - 1],
		[Math.floor(down / 2), 3],
	]) {
		await canvas.hover({ position: place(r, c) });
		await assertAt(r * across + c, `${r}, ${c}`);
	}
	await canvas.click({ position: place(0, 1) });
	await page.mouse.move(x + place(0, 3).x, y + place(0, 3).y);
	await assertAt(1, "a click holds");
	await page.reloaded();
	await assertAt(1, "an address has it");
	await page.says("[data-card=A]", /\[4, 10, 2048\].*stands out most/s);
	await page.to("#step=5&cell=A[2,3,100]");
	await page.sum(/^A\[2, 2, 64\]\.\.\[2, 3, 127\], largest = /);
	await page.goto(`${site}/live_wide.html#step=2`), await page.is("ready");
	await page.focus("[data-card=A] canvas"), await page.presses("Enter"); // a cell that is one number
	await page.says("#title", /^Forward 1 /, "leads to where it was computed");
});

test("numbers, bytes, names and blocks' places are written in one way", async () => {
	const given = ["w1", "enc.layer.W_Q", "dec.layer.W_Q", "enc.layer.W_K", "n".repeat(41), "", "", "", ""];
	const tape = {
		values: given.map((name, i) => ({
			name,
			value: i === 8 ? 0 : null,
			op: i === 7 ? 0 : -1,
			role: i === 5 ? "leaf" : "constant",
			shape: i === 8 ? [] : [2],
		})),
		ops: [{ number: 4, op: "add", in: [0, 1], out: 7, saved: {} }],
		backward: [],
		arrays: [{ shape: [], v: "AAAAPw==", stats: { min: 0.5, max: 0.5 } }],
	};
	const { show, bytesText, Numbers, nameOf, nameShown, title, shorten, fitsTable } = await ran(
		`${script("numbers") + script("data") + script("matrix")}
		return { show, bytesText, Numbers, nameOf, nameShown, title, shorten, fitsTable };`,
		tape,
	);
	const rows = text => text.split(/; |\n\t*/).map(row => row.split(" "));
	for (const [x, ...written] of rows(`0.12345678 0.123457 0.123; -12.3 −12.3 −12.3; 0 0 0; -0 0 0
		1e-4 0.0001 0.0001; 9.99e-5 9.9900e−5 1.0e−4; -1.5e-7 −1.5000e−7 −1.5e−7; 999999 999999 1000000
		1e6 1.0000e6 1.0e6; -2.5e12 −2.5000e12 −2.5e12; NaN NaN NaN; Infinity ∞ ∞; -Infinity −∞ −∞`))
		deepEqual([show(+x), show(+x, 3)], written, x);
	for (const [
		n,
		...written
	] of rows(`0 0 B; 999 999 B; 1000 1 kB; 123456 123 kB; 999000 999 kB; 999499 999 kB; 999500 1 MB
		1e6 1 MB; 999.4e6 999 MB; 999.6e6 1 GB; 2.5e8 250 MB; 1e9 1 GB; 2.5e12 2500 GB`))
		equal(bytesText(+n), written.join(" "));
	const cut = "n".repeat(38) + "…";
	equal(shorten("n".repeat(40)), "n".repeat(40));
	for (const [rows, columns, fits] of table("24 16 1; 25 16 0; 24 17 0"))
		equal(fitsTable({ rows, columns, complete: true }), fits > 0);
	const gaps = new Numbers({ shape: [6], data: [0, 0, 0], block: [1, 2], gaps: "ADP/", stats: {} }); // 0, 51, 255
	for (const k of span(3)) equal(gaps.zeros(k), [0, 0.2, 1][k]);
	deepEqual(span(9).map(nameOf), [...given.slice(0, 4), cut, "leaf 5", "const 6", "#4", "0.5"]);
	// Where two end alike, all of the name.
	equal(span(4).map(nameShown).join(" "), "w1 enc.layer.W_Q dec.layer.W_Q W_K");
	equal(title(tape.ops[0]), "#4 add");
	for (const sizes of "5 7/2 3,3 5 4/2 3,2 3 4 5/3 5,2 2 2 3/3 2,9/1 4,4 6/1 2".split(",")) {
		const [shape, [high, wide]] = sizes.split("/").map(list => list.split(" ").map(Number)),
			n = product(shape),
			columns = shape.at(-1),
			across = Math.ceil(columns / wide),
			blocks = Math.ceil(n / columns / high) * across,
			block = [high, wide];
		const all = new Numbers({ shape, data: span(blocks), block, stats: { min: -3, max: 2 } }),
			members = span(blocks).map(() => []);
		equal(all.largest, 3);
		for (const i of span(n))
			members[Math.floor(Math.floor(i / columns) / high) * across + Math.floor((i % columns) / wide)].push(i);
		members.forEach((cells, k) => {
			equal(all.blockSize(k), cells.length);
			for (const i of cells) deepEqual([all.blockOf(i), all.cell(unravel(i, shape))], [k, -1 - k]);
			const place = i => `[${unravel(i, shape).join(", ")}]`;
			equal(all.place(-1 - k), `${place(cells[0])}..${place(cells.at(-1))}`, `${shape} block ${k}`);
		});
		for (const no of [
			shape,
			shape.map(() => -1),
			...(shape.length > 1 ? [[0]] : []),
			...shape.map((_, d) => shape.map((size, k) => (k === d ? size : 0))),
		])
			equal(all.cell(no), null, `${no}`);
		equal(all.cell(shape.map(size => size - 1)), -blocks);
	}
});
