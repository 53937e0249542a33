// Each sentence of the pages that says how the loss moves, and how well a slope agrees, beside differences.
"use strict";
const assert = require("node:assert/strict");
const { pageOf, textsOf, tapeIn } = require("../scripts.js");
const { test, open, number, values, near, read } = require("../browser_test.js");

const claim =
	/^Raise (\S+?)(?:\[[\d, ]*\])? alone by (?<by>\S+), and (.+?) (rises|falls) by about (\S+) \((\S+) times as much\)\.( A \d\d-bit .*)?$/;
const stays =
	/^The slope is 0 here: a small rise of (\S+?)(?:\[[\d, ]*\])? alone leaves (.+?) unchanged, or nearly so/;

const slopes = new Map(
	values
		.split("\n")
		.filter(line => line.startsWith("claim "))
		.map(line => {
			const [, page, name, i, slope] = line.split(" ");
			return [`${page} ${name} ${i}`, Number(slope)];
		}),
);

async function claimsOf(name) {
	const tape = tapeIn(read(`claims-${name}.html`)),
		page = await pageOf(tape),
		said = textsOf(page),
		claims = [],
		{ value, dY } = page.backward[0],
		[is, ...others] = page.numbers(page.values[value].value)?.kept ?? [],
		shown = tape.fromHere && !others.length && page.numbers(dY).at(0) === 1, // whether it is the loss's number
		next = Float32Array.of(is);
	++new Int32Array(next.buffer)[0];
	for (const { op, card, i, sum, notes, sentences } of said) {
		const terms = notes.match(/^(\d+) terms; these/m)?.[1] ?? sum?.split(" + ").length;
		assert.equal(/terms; these/.test(notes), terms > 12, sum);
		for (const sentence of sentences) {
			const found = sentence.match(claim),
				still = sentence.match(stays);
			if (/alone/.test(sentence)) assert.ok(found || still, sentence);
			if (!found && !still) continue;
			const value = (found ?? still)[1],
				loss = found ? found[3] : still[2],
				claimed = found ? (found[4] === "rises" ? 1 : -1) * number(found[6]) : 0,
				by = found && number(found.groups.by);
			const slope = slopes.get(`${name} ${value} ${i}`);
			if (found) {
				near(Math.abs(claimed) * by, number(found[5]), 0.04, 0, sentence);
				assert.equal(
					Boolean(found[7]),
					shown && Math.abs(claimed) * by < Math.abs(next[0] - is),
					sentence,
				);
			}
			if (slope === undefined) continue;
			near(claimed, slope, 0.02, 2e-3, `${name}, ${op}, ${card.key}: ${sentence}`);
			claims.push({ value, loss, sentence, slope });
		}
	}
	return { claims, said };
}
const says = pattern => said =>
	assert.ok(
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
	curved: ["t y"],
	steep: ["t y"],
	bits: ["y", says(/#1 bfloat16.*rounds to 16 bits/)],
	fine: ["t y", says(/A 32-bit number near 1000 changes in steps of 6\.1e−5: it cannot show that/)],
	own: ["y", says(/#1 straight_through.*program's own/)],
	infinite: ["", says(/The loss is NaN/), /^$/],
	folded: ["", folded, /^$/],
	twice: ["x y"],
	six: ["t y"],
	single: ["t y"],
	empty: ["t y"],
	written: ["x y"],
	lines: ["x y"],
	curvature: ["x y"],
	held: ["x"],
	again: ["x y"],
	dropped: ["y", says(/A hook has changed/)],
	hook: ["h t y", hooked], // h and t as they were before their hooks
};
// A total is called so when all of its parts are there; negative terms stand in brackets.
function sums(said) {
	for (const one of said.filter(one => /so far/.test(one.card.role)))
		assert.ok(!/^Raise/.test(one.sentences[0]), one.sum);
}
// The bounds themselves pass.
function bounds(said) {
	says(/#1 clamp.*kink/)(said);
	const passed = said
		.filter(one => one.card.key === "dX" && one.op === "clamp")
		.map(one => /passes\) = 1$/.test(one.sum));
	assert.deepEqual(passed, [false, false, true, true, true, true]);
}
// Of what is infinite there is no share.
function folded(said) {
	says(/The loss is NaN/)(said);
	const note = /^15 terms; these 5 are the largest, NaN and infinity first\.$/m;
	assert.ok(said.some(one => note.test(one.notes)));
}
function passes(said) {
	const sums = said.flatMap(({ value, i, sentences }) => {
		const sum = sentences
			.join(" ")
			.match(/(\S+) is a sum: (\S+) from earlier passes, and (\S+) from this one/);
		return sum ? [[value, i, ...sum.slice(1).map(number)]] : [];
	});
	assert.equal(sums.length, 16);
	for (const [value, i, total, earlier, part] of sums) {
		assert.equal(earlier, { b: 1, x: -2 }[value]);
		near(part, slopes.get(`older ${value} ${i}`), 0.02, 2e-3);
		near(total, earlier + part, 0, 1e-5);
	}
}
function hooked(said) {
	assert.ok(said.filter(one => one.sentences.join().includes("A hook has changed")).length > 40);
}

test("each claim of how the loss moves is that of central differences", async () => {
	for (const [name, [claimed, also, called = /^the loss$/]] of Object.entries(expected)) {
		const { claims, said } = await claimsOf(name),
			named = [...new Set(claims.map(one => one.value))].sort().join(" "),
			least =
				{ flat: 2, single: 4, ties: 4, hook: 3 }[name] ??
				(claimed && 4 * claimed.split(" ").length);
		assert.equal(named, claimed, name);
		assert.ok(claims.length >= least, name);
		if (name !== "hook") assert.match([...new Set(claims.map(one => one.loss))].join(), called);
		also?.(said);
	}
});

test("a pass that was freed is not a pass of no steps", async () => {
	const page = await open("claims-freed", "#step=1");
	await page.says("#notice", /was freed.*set_ledger\(true\)/);
	assert.ok(await page.isDisabled("#turn"));
});
