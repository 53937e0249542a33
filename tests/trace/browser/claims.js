// Each sentence of the pages that says how the loss moves, beside central differences.
"use strict";
const assert = require("node:assert/strict");
const { span } = require("../arrays.js");

const number = text => Number(text.replaceAll("−", "-"));
const claim =
	/^Raise (\S+?)(?:\[[\d, ]*\])? alone by 0\.01, and (.+?) (rises|falls) by about (\S+) \((\S+) times as much\)\.( A \d\d-bit .*)?$/;
const stays =
	/^The slope is 0 here: a small rise of (\S+?)(?:\[[\d, ]*\])? alone leaves (.+?) unchanged/;

module.exports = ({ open, shut, text, tapeOf, atSteps, values }) => {
	const slopes = new Map(
		values
			.split("\n")
			.filter(line => line.startsWith("claim "))
			.map(line => {
				const [, page, name, i, slope] = line.split(" ");
				return [`${page} ${name} ${i}`, Number(slope)];
			}),
	);

	// All that a page says of its cells: {step title, card, cell, sentences}.
	async function sayings(page) {
		const { ops, backward } = await tapeOf(page);
		return (
			await atSteps(page, span(ops.length + backward.length), step =>
				[...document.querySelectorAll("#cards td[data-i]")].map((td, k) => {
					td.dispatchEvent(
						new PointerEvent("pointerover", { bubbles: true, screenX: 1000 * step + k }),
					);
					const card = td.closest(".card");
					return {
						title: document.getElementById("title").textContent,
						key: card.dataset.card,
						role: card.querySelector(".role").textContent,
						i: +td.dataset.i,
						sum: document.querySelector("#why .sum")?.textContent,
						notes: [...document.querySelectorAll("#why .note")].map(p => p.textContent).join(" "),
						sentences: [...document.querySelectorAll("#why .meaning")].map(p => p.textContent),
					};
				}),
			)
		).flat();
	}
	async function claimsOf(name) {
		const page = await open("claims-" + name),
			said = await sayings(page),
			claims = [];
		for (const { title, key, i, sentences } of said)
			for (const sentence of sentences) {
				const found = sentence.match(claim),
					still = sentence.match(stays);
				if (/alone/.test(sentence)) assert.ok(found || still, sentence);
				if (!found && !still) continue;
				const [, value, loss] = found ?? still,
					claimed = found ? (found[3] === "rises" ? 1 : -1) * number(found[5]) : 0,
					slope = slopes.get(`${name} ${value} ${i}`);
				if (found)
					assert.ok(
						Math.abs(number(found[4]) - Math.abs(claimed) / 100) <= 0.04 * number(found[4]),
						sentence,
					);
				if (slope === undefined) continue;
				assert.ok(
					Math.abs(claimed - slope) <= 0.02 * Math.abs(slope) + 2e-3,
					`${name}, ${title}, ${key}: ${sentence} The central difference is ${slope}.`,
				);
				claims.push({ value, loss, sentence, slope });
			}
		await shut(page);
		return { claims, said };
	}
	const of = claims => [...new Set(claims.map(one => one.value))].sort().join(" ");

	return {
		async "each claim of how the loss moves is that of central differences"() {
			const expected = {
				reuse: "s t y",
				broadcast: "b h t w x y",
				checkpoint: "b h x y",
				integers: "h w y",
				bent: "y",
				older: "b w x y",
				many: "b t w x y",
				given: "b t w x y",
				elsewhere: "b t w x y",
				plain: "t x y",
				clamp: "y",
				ties: "y",
				equal: "y",
				flat: "y",
				curved: "t y",
				steep: "t y",
				bits: "y",
				fine: "t y",
				own: "y",
				infinite: "",
				folded: "",
				twice: "x y",
				six: "t",
				single: "t y",
				empty: "t y",
				written: "x y",
				lines: "x y",
				curvature: "x y",
				held: "x",
				again: "x y",
				dropped: "y",
			};
			for (const [name, claimed] of Object.entries(expected)) {
				const { claims, said } = await claimsOf(name);
				assert.equal(of(claims), claimed, name);
				assert.ok(
					claims.length >=
						({ flat: 2, single: 4, ties: 4 }[name] ??
							4 * claimed.split(" ").filter(Boolean).length),
					name,
				);
				const losses = [...new Set(claims.map(one => one.loss))].join();
				assert.match(
					losses,
					{
						infinite: /^$/,
						folded: /^$/,
						flat: /^the sum of the numbers of y$/,
						many: /^the sum of the numbers of y$/,
						given: /times the gradient/,
						elsewhere: /not on this page/,
					}[name] ?? /^the loss$/,
				);
				const says = {
					bent: /#\d+ relu.*a kink/,
					clamp: /#1 clamp.*a kink/,
					ties: /#1 amax.*a kink/,
					equal: /#1 maximum.*a kink/,
					flat: /#3 std.*a kink/,
					bits: /#1 bfloat16.*rounds to 16 bits/,
					own: /#1 straight_through.*program's own/,
					infinite: /The loss is NaN/,
					folded: /The loss is NaN/,
					fine: /A 32-bit number near 1000 changes in steps of 6\.1e−5: it cannot show that/,
					dropped: /A hook has changed/,
				}[name];
				if (says)
					assert.ok(
						said.some(one => says.test(one.sentences.join(" "))),
						`${name}: ${says}`,
					);
				if (name === "clamp")
					assert.deepEqual(
						said
							.filter(one => one.key === "dX" && one.title.includes("clamp"))
							.map(one => /passes\) = 1$/.test(one.sum)),
						[false, false, true, true, true, true],
						"the bounds themselves pass",
					);
				if (name === "folded")
					assert.ok(
						said.some(one =>
							/^15 terms; these 5 are the largest, NaN and infinity first\.$/.test(one.notes),
						),
						"of what is infinite there is no share",
					);
				if (name === "older") {
					const sums = said.flatMap(({ title, i, sentences }) => {
						const sum = sentences
							.join(" ")
							.match(/(\S+) is a sum: (\S+) from earlier passes, and (\S+) from this one/);
						return sum ? [[title.match(/(\w+)\.grad/)[1], i, ...sum.slice(1).map(number)]] : [];
					});
					assert.equal(sums.length, 16);
					for (const [value, i, total, earlier, part] of sums) {
						const slope = slopes.get(`older ${value} ${i}`);
						assert.ok(
							earlier === { b: 1, x: -2 }[value] &&
								Math.abs(part - slope) <= 0.02 * Math.abs(slope) + 2e-3 &&
								Math.abs(total - earlier - part) < 1e-5,
							`${value} ${i}: ${[total, earlier, part]}, ${slope}`,
						);
					}
				}
				if (name === "checkpoint")
					assert.ok(
						said.some(
							one => /dw|total/.test(one.key) && one.sentences.join().includes("inner pass"),
						),
					);
			}
		},

		async "what a hook has changed claims nothing more"() {
			const { claims, said } = await claimsOf("hook");
			assert.equal(of(claims), "h t y"); // h and t as they were before their hooks
			assert.ok(
				said.filter(one => one.sentences.join().includes("A hook has changed")).length > 40,
			);
		},

		async "a total is called so when all of its parts are there, and negative terms stand in brackets"() {
			const { said } = await claimsOf("reuse");
			const roles = said.map(one => one.role);
			assert.ok(
				roles.includes("part 1 of 2") && roles.includes("all 2 parts"),
				[...new Set(roles)].join(),
			);
			for (const one of said.filter(one => /so far/.test(one.role)))
				assert.ok(!/^Raise/.test(one.sentences[0]), one.sum);
			assert.ok(said.some(one => /\+ \(−/.test(one.sum)));
			for (const { sum } of said) assert.ok(!/[+] −|− −/.test(sum), sum);
		},

		async "a pass that was freed is not a pass of no steps"() {
			const page = await open("claims-freed", "#step=1");
			assert.match(await text(page, "#notice"), /was freed.*set_ledger\(true\)/);
			assert.ok(await page.isDisabled("#turn"));
			await shut(page);
		},
	};
};
