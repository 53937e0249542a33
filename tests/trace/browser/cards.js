// What stands beside a step's sums: tables and formulas, beside what the tape in the page says.
"use strict";
require("../browser_test.js");

// A card's table, colours and figures are those of this array. Returns how many numbers and how many lines between
// rows it has.
function assertTable(card, array, letter, what) {
	const { shape } = array,
		n = product(shape);
	if (!n) return match(card.text, new RegExp(`^${letter}.*no numbers$`)), [0, 0];
	const known = numbersOf(array),
		columns = shape.at(-1) ?? 1,
		high = n / columns,
		outer = shape.slice(0, -1),
		block = (r, k) => (outer.length > 1 && k && r % outer.at(-1) === 0 ? "block" : ""),
		[crop = { rows: [[0, high]], columns: [[0, columns]] }] = array.crops ?? [],
		shown = array.crops?.length || (high <= 24 && columns <= 16),
		[rows, across] = shown ? [places(crop.rows), places(crop.columns)] : [[], []],
		gap = (list, k) => (k > 0 && list[k] !== list[k - 1] + 1 ? "gap" : ""),
		many = list => (n > 1 ? list : []),
		colour = x => "s-" + degree(x, largestOf(array)),
		at = rows.flatMap(r => across.map((c, k) => [r * columns + c, gap(across, k) && " gap"])),
		first = at.findIndex(([i]) => known.has(i)),
		lines = rows.map((r, k) => gap(rows, k) || block(r, k));
	deepEqual(
		[card.result, card.heads, card.sides, card.rows, card.cells.length],
		[
			letter === "Y",
			many(across.map((c, k) => c + gap(across, k))),
			many(rows.map(r => unravel(r, outer).join(","))),
			lines,
			at.length,
		],
		what,
	);
	ok(card.low >= 20, what);
	let cells = 0;
	card.cells.forEach(([shown, ...others], k) => {
		const [i, gap] = at[k],
			x = known.get(i);
		if (x === undefined) return deepEqual([shown, others[0]], ["·", "unknown" + gap]);
		const rounded = Number(x.toPrecision(Math.abs(x) < 0.1 ? 2 : 3)),
			right = () => number(shown) === rounded && shown.startsWith("+") === x > 0,
			place = shape.length ? shapeText(unravel(i, shape)) : "",
			tabs = k === first ? 0 : -1; // to the first
		ok(Number.isFinite(x) ? right() : /NaN|∞/.test(shown), `${what} ${i}: ${shown}, ${x}`);
		deepEqual(others, [colour(x) + gap, `${shown} ${place}`, String(i), tabs], what);
		++cells;
	});
	if (array.block) return [cells, lines.filter(Boolean).length];
	const numbers = [...known.values()],
		finite = numbers.filter(Number.isFinite),
		nan = numbers.filter(Number.isNaN).length,
		[, sizes, mean] = card.stats.match(/(\[[\d, ]*\]) {3}mean (\S+)/),
		counted = name => +(card.stats.match(new RegExp(`(\\d+) ${name}`))?.[1] ?? 0),
		close = (shown, x) => near(number(shown), x, 0.006, 1e-6, what),
		[low, top] = [Math.min(...finite), Math.max(...finite)],
		ends = finite.length && n > 1 ? 2 : 0;
	deepEqual(
		[sizes, counted("NaN"), counted("∞"), card.scale.length, card.bars.length],
		[shapeText(shape), nan, n - finite.length - nan, ends, ends && 9],
		what,
	);
	close(mean, total(finite) / (finite.length || 1));
	card.scale.forEach((shown, k) => close(shown, [low, top][k]));
	card.bars.forEach((looks, k) => {
		const x = low + ((top - low) * k) / 8;
		if (Math.abs(x) > 1e-6) equal(looks, colour(x), `${what}: ${k}`);
	});
	return [cells, lines.filter(Boolean).length];
}
const drawnCards = () =>
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
	});

test("a table has its numbers in their places and colours, gaps, extremes and mean", async () => {
	for (const [name, least, marked] of table("ffn 20 0; shapes 20 1; hostile 3 0; claims-infinite 12 0; asked 20 1")) {
		const page = await open(name, "#step=1"),
			{ ops, values, arrays } = await page.tape(),
			found = [0, 0];
		for (const [s, cards] of (await page.atSteps(span(ops.length), drawnCards)).entries())
			for (const [letter, v] of [...ops[s].in.map((v, i) => [ops[s].letters[i], v]), ["Y", ops[s].out]]) {
				const card = cards.find(one => one.key === letter),
					{ value } = values[v];
				if (value === null) continue;
				const counts = assertTable(card, arrays[value], letter, `${name} step ${s + 1} ${letter}`);
				counts.forEach((n, k) => (found[k] += n));
			}
		ok(found[0] >= least && found[1] > 0 === marked > 0, `${name}: ${found}`);
	}
});

test("under a formula's letters stand names and shapes", async () => {
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
		all.forEach((formulas, s) => {
			const forward = s < ops.length,
				step = forward ? { op: s } : backward[s - ops.length],
				op = ops[step.op],
				[[begin]] = [...formulas, [""]];
			if (!op) {
				const { name } = values[step.value];
				return equal(begin, `${name}.grad += ∂loss/∂${name}`);
			}
			const { letters, out, attributes } = op;
			for (const [letter, small] of formulas.flatMap(([, letters]) => letters)) {
				const plain = letter.replace(/^d(?=[A-Z])|ᵀ$/g, ""),
					{ shape, name } = values[op.in[letters.indexOf(plain)] ?? out],
					called = !letter.startsWith("d") && name !== plain ? name.slice(0, 13) : "";
				ok(small.includes(shapeText(shape)) && small.startsWith(called), `${letter} ${small}`);
				equal(small.endsWith("ᵀ"), letter.endsWith("ᵀ"));
			}
			const computed = formulas.flatMap(([line]) => line.match(/^d[A-Z]/) ?? []),
				adds = new Set(step.adds?.map(add => "d" + letters[add.input]));
			if (!forward && computed.length && letters.length > 1)
				deepEqual(computed.sort(), [...adds].sort(), `${name} ${op.op}`);
			if (forward && op.in.length) match(begin, /^Y/);
			for (const [line] of formulas) {
				const [, called, x] = line.match(/^(lo|hi|dim|diagonal) = (.*)/) ?? [];
				if (called) equal(x.replace("∞", "inf").replace("−", "-"), String(attributes[called][0]));
			}
		});
	}
});

test("each card of a step has its tensor's numbers and says which part it is", async () => {
	for (const name of "ffn examples claims-reuse claims-older claims-checkpoint claims-plain claims-hook".split(" ")) {
		const { steps, ops, values, numbers, cardsOf } = await pageOf(tapeIn(read(`${name}.html`))),
			totals = new Map();
		steps.forEach(({ forward, op, value: leaf, dY, hooked, adds }, s) => {
			const { letters, in: taken = [], out, saved = {}, op: called } = ops[op] ?? {},
				hidden = ["Y", called === "fused_feed_forward" && "H", ...(letters ?? [])],
				inputs = taken.map((v, i) => [letters[i], values[v].value]),
				own = Object.entries(saved).filter(([key]) => !hidden.includes(key)),
				parts = [],
				sums = [];
			for (const { input, value, before, part, total, nth, of } of op < 0 || forward ? [] : adds) {
				const key = "d" + letters[input],
					{ shape } = values[value],
					n = product(before) / product(shape),
					copies = n > 1 ? ` ${shapeText(shape)} ${shapeText(before)} ${n}` : "";
				parts[input] = [key, part, (of === 1 ? "this step adds" : `part ${nth} of ${of || "?"}`) + copies];
				if (totals.has(value))
					sums[input] = [
						[key + "-before", totals.get(value), "before"],
						[key + "-total", total, nth === of ? `all ${of} parts` : `${nth} of ${of} parts so far`],
					];
				if (total !== null) totals.set(value, total);
			}
			const { grad } = values[leaf],
				gradients = () => [["dY", dY], ...inputs.filter(([, array]) => array !== null), ...own],
				arrives = hooked ? "changed by a hook" : "arrives from the ops after",
				expected = forward
					? [...inputs, ...own, ["Y", values[out].value]]
					: op >= 0
						? [...gradients(), ...parts.filter(Boolean), ...sums.flat()]
						: [
								["earlier", grad, "before"],
								["dY", adds[0].part, adds[0].of || hooked ? arrives : "grad after this pass − grad before"],
								["total", adds[0].total, grad === null ? "gradient" : "with earlier passes"],
							].slice(+(grad === null));
			const copies = note => note?.match(/Its shape is (.*), broadcast to (.*): .* of (\d+) copies/)?.slice(1) ?? [];
			deepEqual(
				cardsOf(s).map(({ key, role, array, note }, k) => [
					key,
					array,
					expected[k]?.[2] && [role, ...copies(note)].join(" "),
				]),
				expected.map(([key, array, says]) => [key, numbers(array), says]),
				`${name} ${called}`,
			);
		});
	}
});
