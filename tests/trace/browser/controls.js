// Every button, key and place to point at, and where it leads; of ffn 11 ops and 15 gradients.
"use strict";
require("../browser_test.js");

const stepNow = async page => Number(await page.inputValue("#slider")) + 1;

// The page beside a model of it: {step, 0: the first screen; cell: what the answer begins with; path: whether it is open}.
test("whatever one does, the step, title, address, number and path on show agree", async () => {
	const page = await open("ffn", "#step=5"),
		{ ops, backward } = await page.tape(),
		done = [];
	let now = { step: 5, cell: "", path: false },
		presents = false;
	const drawn = draws(5),
		past = [now];
	const becomes = (next, pushes) => {
		now = { ...now, ...next };
		past.splice(past.length - !pushes, 1, now);
	};
	const goes = step => becomes({ step, cell: "", path: false }, step !== now.step),
		within = step => goes(Math.max(1, Math.min(26, step)));
	// The pointer stays where it is, for it looks at what is under it.
	const clicks = async (what, next) => {
		const one = page.locator(what).first();
		if ((await page.count(what)) && (await one.isVisible()) && (await one.isEnabled()))
			await one.evaluate(one => one.dispatchEvent(new MouseEvent("click", { bubbles: true }))), await next();
	};
	const acts = {
		key: async () => {
			const [key, by] = drawn(
				table("ArrowRight 1; PageDown 1; ArrowLeft -1; PageUp -1; Control+ArrowRight 0; Home -99; End 99"),
			);
			await page.presses(key);
			if (by) within(now.step + by);
		},
		slider: async () => {
			const step = drawn(span(26));
			await page.toStep(step);
			becomes({ step: step + 1, cell: "", path: false }, false);
		},
		search: async () => {
			const op = drawn(span(11)),
				at = backward.findIndex(step => step.op === op),
				back = at >= 0 && drawn([false, true]);
			if (!(await page.isVisible("#search"))) return; // while it is presented
			await page.fill("#search", `#${op + 1}${back ? " backward" : ""}`);
			goes(back || (at >= 0 && now.step > ops.length) ? ops.length + at + 1 : op + 1); // in the direction on show
		},
		language: async () => {
			if (await page.isVisible("#language"))
				for (const tag of [drawn(["ko", "zh"]), "en"]) await page.selectOption("#language", tag);
		},
		follow: () =>
			clicks("#why .follow", async () => {
				const [step, earlier] = [await stepNow(page), now.step];
				ok(step < earlier, `from ${earlier} to ${step}`);
				goes(step), (now.cell = past.at(-1).cell = (await page.sum()).split(" = ")[0]);
			}),
		back: () => clicks("#back", () => within(now.step - 1)),
		next: () => clicks("#next", () => within(now.step + 1)),
		first: () => clicks("#first", () => goes(1)),
		cell: () =>
			clicks(".card.result td[data-i]", async () => becomes({ cell: (await page.sum()).split(" = ")[0] }, false)),
		path: () => now.path || clicks("#why .to-loss", () => becomes({ path: true }, true)),
		present: () => clicks("#present-page", () => (presents = !presents)),
		home: () => clicks("#home", () => goes(0)),
		escape: async () => {
			await page.presses("Escape");
			if (now.path) becomes({ path: false }, true);
			else if (presents) presents = false;
			else becomes({ cell: "" }, false);
		},
		reload: async () => (await page.reloaded(), (presents = false)),
		history: async () => {
			if (past.length < 2) return;
			past.pop(), (now = past.at(-1));
			await page.to(-1);
		},
	};
	for (let k = 0; k < 90; ++k) {
		const name = drawn(Object.keys(acts)),
			act =
				now.step || !/slider|search|back|next|first|cell|follow|path|present|home|language/.test(name)
					? name
					: "from-first";
		done.push(act);
		await page.evaluate(() => document.activeElement.blur()); // whose cell would be looked at
		await (acts[act]?.() ?? clicks("#from-first", () => goes(1)));
		const said = `${done.join(" ")}: ${JSON.stringify(now)}`,
			address = new URLSearchParams((await page.address()).slice(1));
		await page.sees("#start", !now.step, said);
		await page.sees("#path", now.path, said);
		await page.has("body.present", +presents, said);
		deepEqual(
			[address.get("step") ?? "0", address.has("cell"), address.has("path")],
			[String(now.step), now.cell !== "", now.path],
			said,
		);
		if (now.cell) equal((await page.sum()).split(" = ")[0], now.cell, said);
		if (!now.step) continue;
		equal(await page.inputValue("#slider"), String(now.step - 1), said);
		const title = now.step > 11 ? `Backward ${now.step - 11} of 15 ` : `Forward ${now.step} of 11 `;
		await page.says("#title", new RegExp("^" + title), said);
	}
});

test("from each step one turns to its op's other step; each box and leaf leads to its own", async () => {
	for (const name of ["ffn", "claims-reuse"]) {
		const page = await open(name, "#step=1"),
			{ ops, backward, values } = await page.tape(),
			n = ops.length,
			back = k => backward.findIndex(step => step.op === k), // a mask has no such step
			ends = [0, n + backward.length - 1];
		const leads = async (from, what, to) => {
			await page.toStep(from);
			await page.dispatchEvent(what, "click");
			equal((await stepNow(page)) - 1, to, `${name}: ${what} from step ${from + 1}`);
		};
		for (const s of span(n)) await leads(s, "#turn", n + Math.max(0, back(s)));
		for (const [s, { op, value }] of backward.entries())
			await leads(n + s, "#turn", op < 0 ? ops.findIndex(one => one.in.includes(value)) : op);
		for (const from of ends)
			for (const k of span(n)) {
				const box = `#graph .op >> nth=${k}`;
				await leads(from, `${box} >> .box`, from && back(k) >= 0 ? n + back(k) : k);
				for (const v of new Set(ops[k].in.filter(v => values[v].op < 0 && values[v].name))) {
					const leaf = backward.findIndex(step => step.op < 0 && step.value === v);
					await leads(from, `${box} >> .chip [aria-label^="${values[v].name} ["]`, k);
					if (leaf >= 0) await leads(from, `${box} >> .chip [aria-label="${values[v].name}.grad"]`, n + leaf);
				}
			}
	}
});

test("where keys have a meaning of their own, they go to no step; the question leads to its own", async () => {
	const page = await open("ffn");
	await page.click("#ask");
	await page.says("#title", /^Backward .* matmul/);
	const step = await stepNow(page);
	await page.click("#more summary");
	for (const place of "#search,#cards td[data-i],#graph [role=button],#source,#language".split(",")) {
		await page.focus(place), await page.presses("PageDown");
		equal(await stepNow(page), step, place);
	}
});

test("a burst of changes is shown at once, and its address written once", async () => {
	const page = await open("ffn", "#step=1");
	await page.rests();
	await page.evaluate(() => {
		Object.assign(self, { writes: 0, later: [] }); // WebKit refuses more than 100 in 10 s
		self.setTimeout = run => later.push(run);
		self.clearTimeout = k => (later[k - 1] = () => {});
		for (const name of ["pushState", "replaceState"]) {
			const write = history[name].bind(history);
			history[name] = (...how) => (++self.writes, write(...how));
		}
	});
	await page.atSteps([...span(60).map(k => k % 20), 16], () => {});
	await page.says("#title", /^Backward 6 of 15 /);
	equal(await page.evaluate(() => self.writes), 0);
	const said = await page.evaluate(() => (later.forEach(run => run()), self.writes + location.hash));
	equal(said, "1#step=17", "when the page has come to rest");
});

test("play goes a step at a time, from the last one on from the first, and stops at the end", async () => {
	for (const [reducedMotion, pace] of table("no-preference 1600; reduce 4000")) {
		const page = await open("ffn", "", { reducedMotion });
		await page.evaluate(() => {
			self.setInterval = (run, pace) => (Object.assign(self, { tick: run, pace }), 7);
			self.clearInterval = timer => timer === 7 && (self.tick = null);
		});
		const stands = async (step, plays) =>
			deepEqual(
				[
					await stepNow(page),
					await page.evaluate(() => Boolean(self.tick)),
					await page.getAttribute("#play", "aria-pressed"),
					await page.text("#play"),
				],
				[step, plays, String(plays), plays ? "❚❚" : "▶"],
			);
		await page.presses("End");
		await page.click("#play");
		equal(await page.evaluate(() => self.pace), pace);
		for (let step = 1; step < 26; ++step) await stands(step, true), await page.evaluate(() => self.tick());
		await stands(26, false);
		await page.click("#play"), await page.click("#home");
		equal(await page.evaluate(() => self.tick), null, "nor on from the first screen");
	}
});

test("the search proposes each value, each leaf's gradient and each op, and leads there", async () => {
	const page = await open("ffn", "#step=1"),
		names = await page.$$eval("#names option", all => all.map(one => one.value)),
		{ values, ops } = await page.tape();
	for (const { name, op, wants } of values.filter(({ name }) => name))
		ok(names.includes(name) && (op >= 0 || !wants || names.includes(name + ".grad")), name);
	ops.forEach(({ op }, i) => ok(names.includes(`#${i + 1} ${op}`), op));
	equal(new Set(names).size, names.length);
	for (const [asked, title] of table("loss | Forward 11 of 11 · #11 mean; clamp | Forward 3 of 11 · #3 clamp")) {
		await page.fill("#search", asked);
		await page.says("#title", title);
	}
	await page.fill("#search", "nowhere");
	await page.says("#found", /Nothing/);
});

test("in the drawing of memory one points at a step", async () => {
	const page = await open("ffn", "#step=3");
	await page.sees("#cost", false), await page.sees("#source", false);
	await page.click("#more summary");
	const drawn = page.locator("#cost svg.memory").first();
	for (const step of [1, 26, 9]) {
		await drawn.scrollIntoViewIfNeeded();
		const { x, y, width, height } = await drawn.boundingBox();
		await page.mouse.click(x + ((step - 0.5) / 26) * width, y + height / 2);
		equal(await stepNow(page), step);
	}
	await page.click("#cost .keeper >> nth=0");
	await page.says("#title", /^Forward/, "and whoever keeps something leads to it");
});

test("what a page has not is said above it", async () => {
	for (const [name, said, backward] of [
		["long", /^Only the last 2000 ops are shown: 3 older ones were left out\.$/, 2000],
		["halfway", /^A backward pass is under way: 2 of its steps have run\.$/, 2],
		["claims-freed", /was freed.*set_ledger\(true\)/, 0],
		["refused", /^The forward pass ended at its last op: matmul: \[2, 3\] · \[4, 5\]: inner .* 3 != 4\.$/, 0],
		["ffn", /^$/, 15],
	]) {
		const page = await open(name, "#step=1");
		await page.says("#notice", said);
		await page.sees("#notice", name !== "ffn");
		equal((await page.tape()).backward.length, backward, name);
		equal(await page.isDisabled("#turn"), !backward, name);
	}
	const page = await open("refused");
	await page.says("#title", /^Forward 2 of 2 · #\d+ matmul/);
	await page.says("#live", /^matmul: \[2, 3\] · \[4, 5\]: inner sizes differ/);
	match((await page.texts("#formulas small")).join(), /^#\d+ \[2, 3\],w \[4, 5\]$/);
	await page.has(".card", 2);
});

test("print and dark mode: the page is printed, and a picture drawn again in other colours", async () => {
	const page = await open("large", "#step=2");
	await page.evaluate(() => (self.print = () => (document.title = "printed")));
	await page.click("#print");
	equal(await page.title(), "printed");
	const pixels = light => {
		const now = document.querySelector("[data-card=Y] canvas").toDataURL();
		return now !== light && now;
	};
	const light = await page.evaluate(pixels);
	await page.emulateMedia({ colorScheme: "dark" });
	await page.waitForFunction(pixels, light);
});
