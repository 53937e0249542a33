// The rules of ops, worked out from their own text.
"use strict";
require("../browser_test.js");
const fs = require("node:fs");

// Each sum on a page, evaluated from its text.
const sumsOf = (page, told) =>
	textsOf(page)
		.filter(({ card, step }) => step.op >= 0 && card.target !== undefined)
		.filter(({ op, notes }) => known(op) || !/The formula is/.test(notes))
		.map(({ step, op, sum, notes, x, places }) => {
			const found = (wrong, worked = false) => {
				const way = step.forward ? "forward" : "backward";
				return { op, way, sum, notes, wrong: wrong && `${op}: ${sum}: ${wrong}`, worked };
			};
			if (/may have changed since|The formula is/.test(notes)) return found(notes);
			for (const said of sum.match(/passes|cut off|dropped|kept/g) ?? []) told?.add(said);
			// What is hidden has the op's formula; what is kept, compared or filled goes by its numbers.
			const { forward, gradient, attributes } = page.ops[step.op],
				[, of, formula] = sum.match(/^(.*?)(?:\[[\d, ]*\])? = (.*?) = /) ?? [],
				[, a, sign, b, is] = sum.match(/\[\(?(\S+?)\)? ([<=>]) \(?(\S+?)\)?\] = (\d)$/) ?? [],
				[, filled, other] = sum.match(/ = M ([≠=]) 0 \? \S+ : (\S+)/) ?? [],
				known = numeral(sum.split(" = ").at(-1)),
				holds = yes => found(yes ? null : "it is not so");
			if (/One kernel computes/.test(notes)) return holds(`${forward}  ${gradient}`.includes(`${of} = ${formula}`));
			if (/kept|dropped/.test(sum)) return holds(/kept/.test(sum) === (x !== 0));
			if (sign) {
				const more = Math.sign(numeral(a) - numeral(b));
				return holds(a === b || +is === +(sign === { "-1": "<", 1: ">" }[more]));
			}
			if (filled) {
				const mask = page.cardsOf(page.steps.indexOf(step)).find(({ key }) => key === "M").array,
					fills = (filled === "≠") === (mask.at(places.get("M")[0]) !== 0),
					y = fills ? numeral(String(attributes.value[0]).replace("inf", "∞")) : numeral(other);
				return holds(Math.abs(known - y) <= 1e-5 * Math.abs(y) || Object.is(known, y));
			}
			if (/≈/.test(sum)) return found(null, false);
			if (/[+−·] ?−| {4}\(.*a 1/.test(sum)) return found("brackets, or a dY that is no factor");
			const pieces = sum.split("    ")[0].split(" = "),
				text = pieces.at(sum.includes("    ") || pieces.length < 3 ? -1 : -2),
				value = evaluate(text);
			if (value === null) return found(null);
			if (Number.isNaN(known)) return found(Number.isNaN(value) ? null : `it is ${value}`);
			const share = op === "gelu" ? 1e-3 : 7e-5, // its tail is rough here
				rounded = Math.max(1e-30, share * Math.abs(known)),
				right = Math.abs(value - known) <= rounded || Object.is(value, known);
			return found(right ? null : `it is ${value}`, true);
		});

// Each product of cells named beside a sum, with the numbers of the cells, that is not the number itself.
const namedApart = page =>
	textsOf(page).flatMap(({ step, op, card, names, x }) => {
		const [, terms, divide = "1"] = names?.match(/^.*? = (?:\((.*)\) \/ (.*)|.*)$/) ?? [],
			text = terms ?? names?.split(" = ")[1];
		if (step.op < 0 || card.parts || !text || /… and/.test(text) || /half|bfloat/.test(op)) return [];
		const cards = page.cardsOf(page.steps.indexOf(step)),
			of = Object.fromEntries(cards.map(one => [one.key, one.array])),
			Y = page.numbers(page.values[page.ops[step.op].out].value);
		const numberIn = (_, letter, at) => {
			const array = { Y, ...of }[letter],
				y = array?.at(at ? ravel(at.split(", ").map(Number), array.shape) : 0);
			return y < 0 ? `(${y})` : y;
		};
		const cell = /(?<![\d.])([\p{L}₀-₉][\p{L}\d₀-₉]*)(?:\[([\d, ]*)\])?/gu,
			all = text.split(" + ").map(one => evaluate(one.replace(cell, numberIn)) / divide);
		return Math.abs(total(all) - x) > 1e-4 * total(all.map(Math.abs)) + 1e-30 ? [`${names}: ${all}, not ${x}`] : [];
	});

// The paths of some numbers of each tensor.
const pathsOf = page =>
	(page.paths ??= page.values.flatMap(({ wants, shape }, v) =>
		span(wants ? Math.min(24, product(shape)) : 0)
			.filter(i => page.slopeAt(v, i) !== null)
			.map(i => ({ v, i, ...page.pathFrom(v, i) })),
	));
// Each slope of each number's path beside a central difference of its op, by plain loops in double; and
// whether no other term of the op weighs more there.
function slopesOf(page) {
	const { ops, values, backward, numbers } = page,
		known = {},
		found = [];
	const all = i => {
		const x = numbers(i);
		return x && { shape: x.shape, v: [...x.data] };
	};
	const differences = (op, input, cell) => {
		const inputs = op.in.map(v => all(values[v].value)),
			saved = Object.entries(op.saved).map(([letter, array]) => [letter, all(array)]),
			h = 1e-5;
		const run = by => {
			const v = inputs[input].v.map((x, k) => (k === cell ? x + by : x));
			return reference[op.op]({
				inputs: inputs.map((x, k) => (k === input ? { ...x, v } : x)),
				shape: values[op.out].shape,
				of: op.attributes,
				saved: Object.fromEntries(saved),
			});
		};
		const below = run(-h);
		return run(h).map((y, out) => (y - below[out]) / (2 * h));
	};
	for (const { path, endCell } of pathsOf(page))
		path.forEach(({ op, input, slope, i: cell }, n) => {
			if (!reference[op.op] || op.in.some(k => values[k].value === null)) return;
			const all = (known[[ops.indexOf(op), input, cell]] ??= differences(op, input, cell)),
				through = path[n + 1]?.i ?? endCell,
				dY = numbers(backward.find(step => ops[step.op] === op).dY);
			const weight = all.map((one, out) => Math.abs(one * dY.at(out)));
			const heavier = weight.some(one => one > 1.001 * weight[through] + 1e-6);
			found.push({ op: op.op, slope, known: all[through], heavier });
		});
	return found;
}

const size = x => (Number.isNaN(x) ? Infinity : Math.abs(x));
// Where a number's path leaves out a larger contribution, or is said to be what it is not: [ops, ...].
function pathsApart(page) {
	const { ops, values, backward, numbers } = page,
		at = (add, i) => size(numbers(add.part)?.at(i) ?? 0),
		adds = backward.flatMap(({ op, adds }) => (op < 0 ? [] : adds)),
		of = values.map((_, v) => adds.filter(({ value }) => value === v));
	return pathsOf(page).flatMap(found => {
		const { verdict, g } = found.whole ? page.verdictOf(found, found.v, found.i) : {};
		const least = found.path.some(one => {
			const { adds } = backward[one.step - ops.length],
				chosen = adds.find(add => add.input === one.input),
				x = numbers(chosen.part).at(one.i);
			return (
				of[one.value].some(add => at(add, one.i) > at(chosen, one.i)) ||
				Math.abs(one.part + one.rest - x) > 1e-5 * (Math.abs(x) + Math.abs(one.part))
			);
		});
		return least || verdict === "apart_" || (verdict === "pathAll" && !Number.isFinite(g))
			? [`${verdict}: ` + found.path.map(({ op, slope }) => `${op.op} ${slope}`).join()]
			: [];
	});
}

// What a page decides by a number alone: its sentence on each gradient, and the step that its first
// question leads to.
function assertDecided(page, program) {
	const { ops, values, backward, numbers, askedNumber } = page,
		y = numbers(values[backward[0].value].value),
		loss = y.data.length === 1 ? y.at(0) : 0;
	for (const { card, x, sentences } of textsOf(page)) {
		const said = sentences.join(" ");
		if (!card.slope || card.so || /kink|hook|passes no|16 bits|program's own/.test(said)) continue;
		const expected = !Number.isFinite(x)
			? /^This is no finite number/
			: !Number.isFinite(loss)
				? /^The loss is (NaN|−?∞)/
				: x === 0
					? /^The slope is 0 here/
					: x < 0
						? /the loss falls by about/
						: /the loss rises by about/;
		match(said, expected, `${program}: ${x}`);
	}
	const { to, value, i } = askedNumber(),
		most = adds => Math.max(...adds.map(add => (add.value === value ? size(numbers(add.part).at(i)) : -1))),
		parts = backward.filter(({ op }) => op >= 0);
	equal(most(backward[to[0] - ops.length].adds), most(parts.flatMap(({ adds }) => adds)), program);
}

test("each sum is what its text comes to, and each slope what plain loops have", async () => {
	const told = new Set(),
		worked = { forward: new Set(), backward: new Set() },
		ops = new Set(),
		sloped = new Set();
	const look = (page, name) => {
		for (const { wrong, op, worked: done, way } of sumsOf(page, told)) {
			equal(wrong, null, name);
			ops.add(op);
			if (done) worked[way].add(op);
		}
		if (/^a\.data/.test(name)) return; // near 10⁻³⁰ and 10⁶ differences are no slopes
		for (const { op, slope, known, heavier } of slopesOf(page)) {
			if (!Number.isFinite(known) || /^(bfloat16|half)$/.test(op)) continue; // those pass a gradient that is no slope
			ok(!heavier, `${name}: another term of ${op} weighs more`);
			ok(
				Math.abs(slope - known) <= 1e-4 * Math.max(1, Math.abs(known)),
				`${name}: ${op}: ${slope}, and plain loops have ${known}`,
			),
				sloped.add(op);
		}
	};
	for (const name of "examples claims-reuse claims-integers claims-twice".split(" ")) {
		const page = await pageOf(tapeIn(read(`${name}.html`)));
		look(page, name), deepEqual(namedApart(page), [], name);
	}
	const without = has =>
		[...ops]
			.filter(op => known(op) && !has.has(op))
			.sort()
			.join(" ");
	equal(
		without(worked.forward),
		"bfloat16 checkpoint dropout_mask fused_feed_forward half masked_fill remainder trunc",
		"their rules are words, or leave out numbers",
	);
	equal(without(sloped), "bfloat16 checkpoint dropout_mask fused_feed_forward half remainder trunc");
	deepEqual([...told].sort(), ["cut off", "dropped", "kept", "passes"]);
	if (!fs.existsSync(pages + "/python.jsonl")) return console.log("skipped: there is no Python module");
	for (const { program, tape } of read("python.jsonl").trim().split("\n").map(JSON.parse)) {
		const page = await pageOf(tape),
			changed = tape.values.some(value => value.changed);
		if (!program.includes("backward()\n\n") && /(step\(\)|zero_\(\)|-= .*)$/.test(program)) ok(changed, program);
		const notes = () =>
			textsOf(page)
				.map(one => one.notes)
				.join("\n");
		if (/= 9\.0/.test(program)) match(notes(), /at a kink of the op/); // at a tie a rise may do more
		if (/\+= 1$/.test(program))
			match(notes(), /may have changed since/); // no version counts it
		else {
			look(page, program);
			deepEqual(pathsApart(page), [], program);
			assertDecided(page, program);
		}
		for (const { sum, notes } of changed ? sumsOf(page) : [])
			if (/was changed in place/.test(notes)) equal(sum.split(" = ").length, 2, sum);
	}
});
