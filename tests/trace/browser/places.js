// What a name leads to: an address, a link or a search, beside the tape; with names that are easily mistaken.
"use strict";
require("../browser_test.js");

// The tapes of pages, as they are and with other names: letters of ops, one for all, beginnings of each other,
// names that differ in case alone, none.
const names = {
	own: name => name,
	letters: (_, v) => "B A Y X dY M W".split(" ")[v % 7],
	alike: () => "w",
	beginnings: (_, v) => "w" + "1".repeat(v % 30),
	cases: (_, v) => [..."www"].map((w, d) => ((v >> d) % 2 ? "W" : w)).join("") + Math.floor(v / 8),
	none: () => "",
};
const PAGES =
	"ffn examples matmul used_twice zero_grad claims-twice claims-checkpoint claims-plain claims-hook large".split(" ");
const everywhere = async look => {
	for (const name of PAGES)
		for (const [how, called] of Object.entries(names)) {
			const tape = tapeIn(read(`${name}.html`));
			tape.values.forEach((value, v) => (value.name = called(value.name, v)));
			await look(await pageOf(tape), tape, how, `${name}, names ${how}`);
		}
};
test("an address finds the number that it was made of", async () => {
	let all = 0;
	await everywhere(({ steps, cardsOf, cellName, cellCalled }, tape, how, what) =>
		steps.forEach((_, s) => {
			const cards = cardsOf(s);
			for (const card of cards.filter(({ array }) => array?.data.length)) {
				const { cells, complete, data } = card.array,
					asked = [...cells.slice(0, 3), ...cells.slice(-3), ...(complete ? [] : [-1, -data.length])];
				for (const i of asked) {
					const found = cellCalled(cellName(card, i, cards), cards);
					deepEqual([found?.card.key, found?.i], [card.key, i], `${what}: step ${s + 1}, ${card.label}`), ++all;
				}
			}
		}),
	);
	ok(all > 30000, `${all}`);
});

// What the README of lessons says of each form of a link, found in the tape alone: its step, and its number.
test("a link leads to the op, the contribution or the leaf that it names, and to its number", async () => {
	let [all, partial] = [0, 0];
	await everywhere((page, { ops, values, backward, arrays }, how, what) => {
		if (/alike|none/.test(how)) return; // a name of several
		const n = ops.length,
			bare = text => text.replaceAll(" ", ""),
			stepOf = (found, from = n) => (found < 0 ? null : from + found),
			leads = (link, step, array, i) => {
				if (step === null) return;
				const { step: to, cell } = page.resolve(link) ?? {},
					known = (array ?? null) === null ? NaN : numbersOf(arrays[array]).get(i);
				equal(to, step, `${what}: ${link}`), ++all;
				equal(bare(cell ?? "").match(/\[.*/)?.[0], bare(link).match(/\[.*/)?.[0], `${what}: ${link}`); // though it is not shown
				if (Number.isFinite(known)) equal(page.numberAt(link), known, `${what}: ${link}`);
			};
		values.forEach(({ name, op, shape, value }, v) => {
			const many = values.filter(one => one.name === name).length > 1;
			if (!name || many || name === "loss") return;
			const parts = backward.flatMap(({ op, adds }, k) => (op < 0 ? [] : adds.map(add => ({ ...add, k })))),
				own = parts.filter(add => add.value === v),
				made = op < 0 ? ops.findIndex(one => one.in.includes(v)) : op,
				leaf = stepOf(backward.findIndex(step => step.op < 0 && step.value === v)),
				last = own.length ? own.at(-1) : null;
			partial += own.length > 1;
			leads(name, made);
			leads(name + ".grad", leaf ?? (last && n + last.k));
			for (const i of new Set([0, product(shape) - 1])) {
				if (i < 0) continue;
				const at = shapeText(unravel(i, shape));
				leads(name + at, made, value, i);
				if (last) leads(name + ".grad" + at, n + last.k, last.total ?? undefined, i);
				if (leaf !== null) leads(`sum ${name}.grad${at}`, leaf, backward[leaf - n].adds[0].total, i);
				if (last && backward.length) deepEqual(page.resolve(`path ${name}${at}`).path, [v, i], `${what}: ${name}`);
			}
		});
		ops.forEach(({ number, in: taken, out, letters }, k) => {
			const back = backward.findIndex(step => step.op === k),
				{ adds = [], dY } = backward[back] ?? {},
				// To the first number and the last one.
				leadBoth = (link, v, ...where) => {
					const { shape } = values[v];
					for (const i of new Set([0, product(shape) - 1]))
						if (i >= 0) leads(link + shapeText(unravel(i, shape)), ...where, i);
				};
			leads("#" + number, k);
			leads(`#${number} backward`, stepOf(back));
			taken.forEach((v, j) => leadBoth(`#${number} ${letters[j]}`, v, k, values[v].value));
			leadBoth(`#${number} Y`, out, k, values[out].value);
			leadBoth(`#${number} backward dY`, out, stepOf(back), dY);
			for (const { input, value, part } of adds)
				leadBoth(`#${number} backward d${letters[input]}`, value, n + back, part);
		});
	});
	ok(all > 5000 && partial > 30, `${all}, ${partial}`);
});

test("each number that leads on leads to the earlier step that computed it", async () => {
	const found = { forward: 0, sum: 0, through: 0 };
	for (const name of PAGES) {
		const page = await pageOf(tapeIn(read(`${name}.html`))),
			{ steps, ops, values, backward, numbers, cardsOf, madeAt, cellCalled } = page;
		const partsBefore = (v, s) =>
			backward.flatMap((step, k) =>
				step.op < 0 || ops.length + k >= s ? [] : step.adds.flatMap(add => (add.value === v ? [{ ...add, k }] : [])),
			);
		steps.forEach((step, s) => {
			for (const card of cardsOf(s))
				for (const i of card.array?.cells.slice(0, 40) ?? []) {
					const to = madeAt(s, card, i),
						said = `${name} step ${s + 1}, ${card.label} ${i}`,
						made = values[card.value]?.op ?? -1,
						arrives = card.key === "dY" || card.key === "total" || card.key.endsWith("-before"),
						last = arrives ? partsBefore(card.value, s).at(-1) : null;
					if (arrives) equal(to?.[0], last && ops.length + last.k, said);
					else if (typeof card.target !== "number") equal(to?.[0], card.result || made < 0 ? undefined : made, said);
					if (!to) continue;
					ok(to[0] < s, said);
					const { card: source, i: at } = cellCalled(to[1], cardsOf(to[0])) ?? {},
						x = source?.array.at(at);
					if (typeof card.target === "number") ok(/^d|total/.test(source.key), said), ++found.through;
					else if (arrives) {
						const total = last.total === null ? undefined : numbers(last.total).at(i);
						ok(total === undefined || Object.is(x, total), said), ++found.sum;
					} else ok(Object.is(x, card.array.at(i)), said), ++found.forward;
				}
		});
	}
	ok(
		Object.values(found).every(n => n > 100),
		JSON.stringify(found),
	);
});
