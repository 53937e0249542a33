// Each sentence of the pages that says how the loss moves, and how well a slope agrees, beside differences.
"use strict";
require("../browser_test.js");

const claim =
	/^Raise (\S+?)(?:\[[\d, ]*\])? alone by (?<by>\S+), and (.+?) (rises|falls) by about (\S+) \((\S+) times as much\)\.( A \d\d-bit .*)?$/;
const stays = /^The slope is 0 here: a small rise of (\S+?)(?:\[[\d, ]*\])? alone leaves (.+?) unchanged, or nearly so/;

const lowers = /^∂loss\/∂(\S+?)(?:\[[\d, ]*\])? = (\S+) is (above|below) 0: (lower|raise) \S.* to lower the loss\.$/;
let lowered = 0;
const slopes = new Map(
	table(values)
		.filter(([word]) => word === "claim")
		.map(([, page, name, i, slope]) => [`${page} ${name} ${i}`, Number(slope)]),
);

async function claimsOf(name) {
	const tape = tapeIn(read(`claims-${name}.html`)),
		page = await pageOf(tape),
		said = textsOf(page),
		claims = [],
		{ value, dY } = page.backward[0],
		[is, ...others] = page.numbers(page.values[value].value)?.data ?? [],
		shown = tape.fromHere && !others.length && page.numbers(dY).at(0) === 1, // whether it is the loss's number
		next = Float32Array.of(is);
	++new Int32Array(next.buffer)[0];
	for (const { op, card, i, sum, notes, sentences } of said) {
		const terms = notes.match(/^(\d+) terms; these/m)?.[1] ?? sum?.split(" + ").length;
		equal(/terms; these/.test(notes), terms > 12, sum);
		for (const sentence of sentences) {
			const found = sentence.match(claim),
				still = sentence.match(stays),
				[, leaf, its, side, how] = sentence.match(lowers) ?? [];
			if (leaf) {
				const slope = slopes.get(`${name} ${leaf} ${i}`);
				deepEqual([side, how], number(its) > 0 ? ["above", "lower"] : ["below", "raise"], sentence);
				if (slope !== undefined) near(number(its), slope, 0.02, 2e-3, sentence), ++lowered;
			}
			if (!found && !still) {
				doesNotMatch(sentence, /alone/);
				continue;
			}
			const [, value, , loss = still?.[2], way, size, times, fine] = found ?? still,
				by = found && number(found.groups.by),
				claimed = found ? (way === "rises" ? 1 : -1) * number(times) : 0,
				slope = slopes.get(`${name} ${value} ${i}`);
			if (found) {
				near(Math.abs(claimed) * by, number(size), 0.04, 0, sentence);
				const lost = shown && Math.abs(claimed) * by < Math.abs(next[0] - is);
				equal(Boolean(fine), Boolean(lost), sentence);
			}
			if (slope === undefined) continue;
			near(claimed, slope, 0.02, 2e-3, `${name}, ${op}, ${card.key}: ${sentence}`);
			claims.push({ value, loss });
		}
	}
	return { claims, said };
}
const says = pattern => said =>
	ok(
		said.some(one => pattern.test(one.sentences.join(" "))),
		pattern,
	);
const ofY = /^the sum of the numbers of y$/;
// By page: of which values it claims how the loss moves, what else it says, how the loss is called.
const expected = {
	reuse: ["s t y", sums],
	broadcast: ["b h t w x y"],
	checkpoint: ["b h x y", says(/inner pass/)],
	integers: ["h w y"],
	bent: ["b h w x y", says(/#\d+ relu.*kink/)],
	older: ["b w x y", passes],
	many: ["b t w x y", null, ofY],
	given: ["b t w x y", null, /times the gradient/],
	elsewhere: ["b t w x y", null, /not on this page/],
	plain: ["t x y"],
	clamp: ["x y", bounds],
	ties: ["x y", says(/#1 amax.*kink/)],
	equal: ["y", says(/#1 maximum.*kink/)],
	flat: ["y", says(/#3 std.*kink/), ofY],
	bits: ["y", says(/#1 bfloat16.*rounds to 16 bits/)],
	fine: ["t y", says(/A 32-bit number near 1000 changes in steps of 6\.1e−5: it cannot show that/)],
	own: ["y", says(/#1 straight_through.*program's own/)],
	infinite: ["", says(/The loss is NaN/), /^$/],
	folded: ["", folded, /^$/],
	twice: ["x y"],
	empty: ["t y"],
	written: ["x y"],
	held: ["x"],
	again: ["x y"],
	dropped: ["y", says(/A hook has changed/)],
	hook: ["h t y", hooked, /^/], // h and t as they were before their hooks
};
// A total is called so when all of its parts are there; negative terms stand in brackets.
function sums(said) {
	for (const one of said.filter(one => /so far/.test(one.card.role))) ok(!/^Raise/.test(one.sentences[0]), one.sum);
}
// The bounds themselves pass.
function bounds(said) {
	says(/#1 clamp.*kink/)(said);
	const passed = said
		.filter(one => one.card.key === "dX" && one.op === "clamp")
		.map(one => /passes\) = 1$/.test(one.sum));
	deepEqual(passed, [false, false, true, true, true, true]);
}
// Of what is infinite there is no share.
function folded(said) {
	says(/The loss is NaN/)(said);
	const note = /^15 terms; these 5 are the largest, NaN and infinity first\.$/m;
	ok(said.some(one => note.test(one.notes)));
}
function passes(said) {
	const sums = said.flatMap(({ value, i, sentences }) => {
		const sum = sentences.join(" ").match(/(\S+) is a sum: (\S+) from earlier passes, and (\S+) from this one/);
		return sum ? [[value, i, ...sum.slice(1).map(number)]] : [];
	});
	equal(sums.length, 16);
	for (const [value, i, total, earlier, part] of sums) {
		equal(earlier, { b: 1, x: -2 }[value]);
		near(part, slopes.get(`older ${value} ${i}`), 0.02, 2e-3);
		near(total, earlier + part, 0, 1e-5);
	}
}
function hooked(said) {
	ok(said.filter(one => one.sentences.join().includes("A hook has changed")).length > 40);
}

test("each claim of how the loss moves is that of central differences", async () => {
	for (const [name, [claimed, also, called = /^the loss$/]] of Object.entries(expected)) {
		const { claims, said } = await claimsOf(name),
			set = of => [...new Set(claims.map(of))].sort().join(" "),
			few = { flat: 2, ties: 4, hook: 3 }[name];
		equal(
			set(one => one.value),
			claimed,
			name,
		);
		ok(claims.length >= (few ?? (claimed && 4 * claimed.split(" ").length)), name);
		match(
			set(one => one.loss),
			called,
			name,
		);
		also?.(said);
	}
	ok(lowered > 100, `${lowered}`);
});

test("where the page cannot follow a number, any kink between it and the loss is a doubt", async () => {
	const lost = [
		model.replace("MOST_MOVED = 5000", "MOST_MOVED = 0"),
		model.replace(/function movedBy.*/, "$& return null;"),
	];
	ok(lost.every(one => one !== model));
	let few = 0;
	for (const name of "bent ties equal flat clamp reuse".split(" ")) {
		const tape = tapeIn(read(`claims-${name}.html`)),
			doubts = async scripts => {
				const page = await pageOf(tape, scripts);
				return page.values.map(({ shape }, v) => span(product(shape)).map(i => page.doubtOf(v, i)?.[0] === "bent"));
			},
			[known, ...all] = await Promise.all([model, ...lost].map(doubts));
		known.forEach((bent, v) => {
			few += bent.includes(true) && bent.includes(false);
			if (bent.includes(true)) for (const one of all) ok(!one[v].includes(false), `${name}: value ${v}`);
		});
	}
	ok(few > 1, `${few} with both`);
});
