// Training by hand in the page.
"use strict";
require("../browser_test.js");

// The losses that C++ had by nn::SGD: at first, after three steps, and after two without zero_grad(),
// all under the first dropout mask.
test("live: training by hand gives the losses of nn::SGD, also where zero_grad is forgotten", async () => {
	const page = await live("live", "#step=1"),
		trained = printed("training"),
		first = trained[0].toPrecision(3);
	for (const [k, loss] of trained.entries()) {
		if (k) await page.clicked("#sgd");
		if (k && k <= 3) await page.click("#zero-grad");
		await page.says("#passes", k <= 3 ? /from this pass only/ : /also holds earlier gradients/);
		await page.settled();
		near(await page.loss(), loss, 1e-3, 0, `step ${k}`);
	}
	const went = `5 steps: the loss went from ${first} to ${trained.at(-1).toPrecision(3)}.`;
	ok((await page.text("#training")).includes(went), went);
	await page.fill("#search", "w1.grad");
	await page.clicked("#sgd");
	await page.sees("[data-card=earlier]"); // what earlier passes left
	const modes = () =>
		page.$$eval("#train, #eval, #redraw", all => all.map(one => one.ariaPressed ?? one.disabled).join(" "));
	await page.click("#eval");
	equal(await modes(), "true false true");
});

const went = async page =>
	(await page.text("#training")).match(/(\d+) steps?: the loss went from (\S+) to (\S+?)\. /).slice(1);

test("live: while steps are taken the page says how many are to go, changes nothing else, and stops", async () => {
	const page = await live("live", "#step=1");
	await page.addInitScript(() => {
		let now = 0; // on a machine so slow that the page is drawn after each step
		performance.now = () => (now += 200); // ms, from one look at the clock to the next
	});
	await page.reloaded("live");
	const said = await page.evaluate(
		() =>
			new Promise(done => {
				const part = id => document.getElementById(id),
					seen = [];
				new MutationObserver(() => {
					seen.push(part("stop").textContent);
					if (seen.length !== 4) return;
					part("touch-number").value = "9";
					part("touch-number").dispatchEvent(new Event("input"));
					part("stop").click();
					done([...seen.slice(0, 4), part("sgd").disabled].join());
				}).observe(part("training"), { childList: true });
				part("sgd-10").click();
			}),
	);
	await page.settled();
	equal(said, "Stop: 9 to go,Stop: 8 to go,Stop: 7 to go,Stop: 6 to go,true");
	const taken = await went(page);
	equal(taken[0], "4");
	near(await page.loss(), number(taken[2]), 5e-3, 0, "under one dropout mask");
	await page.clicked("#sgd-10");
	await page.presses("Enter"); // on Stop, since the other was pressed: too late, it begins no more
	await page.settled();
	equal((await went(page))[0], "14");
});

// The page's training with an engine of a few numbers: a weight w, inputs x, targets t and a mask m.
const FIRST = [[0.5], [1, -2], [0.5, 1], [1, 0]],
	copied = all => all.map(one => Float64Array.from(one)),
	errors = ([[w], x, t, m]) => span(2).map(k => w * x[k] * m[k] - t[k]),
	lossOf = all => total(errors(all).map(e => (e * e) / 2)),
	slopeOf = all => total(errors(all).map((e, k) => e * all[1][k] * all[3][k])),
	maskOf = (n, on) => (on ? [n % 2, (n >> 1) % 2] : [1, 1]);
const trainer = bench =>
	new Function(
		"bench",
		`const tape = {}, ops = [{ in: [], out: 3 }, { in: [0, 1, 2, 3], out: 4 }], textOf = String, word = String, show = String,
			values = [-1, -1, -1, 0, 1].map((op, v) => ({ op, wants: !v, grad: null })), state = { touched: {} }, FRAME = 0,
			mayChange = () => true, dropTrial = () => {}, plot = (_, ...lines) => lines, pointsOf = points => points,
			make = (tag, ...parts) => (tag === "polyline" ? parts[0].points : parts), change = some => Object.assign(state, some);
		${script("training")}
		state.training = untrained();
		return { state, takeSteps, zeroGrad, redraw, setData, resetTraining, trainLeaf, historyOf };`,
	)(bench);
const begun = () => ({ losses: [], tests: [], steps: 0 }),
	fresh = { on: true, rate: 0.1, data: null, running: false, left: 0, passes: 1 };

test("any steps, draws, data sets and resets leave the losses, numbers and gradients of plain loops", async () => {
	const drawn = draws(1),
		share = () => drawn(span(100)) / 100,
		batch = () => [1, 2].map(v => [v, [share() - 0.5, share()]]),
		sets = [2, 3].map(n => ({ train: span(n).map(batch), test: span(2).map(batch) }));
	for (let trial = 0; trial < 40; ++trial) {
		let [memory, kept, grad, draws] = [copied(FIRST), 0, 0, 0];
		const asked = {
			run: () => (grad = kept + slopeOf(memory)),
			step: (leaf, rate) => (memory[leaf][0] -= rate * grad),
			draw: on => memory[3].set(maskOf((draws += on), on)),
		};
		const engine = {
			ask: (name, ...given) => asked[name](...given),
			loss: () => lossOf(memory),
			load: () => ([memory, kept] = [copied(FIRST), 0]),
			exports: { keep_gradients: () => (kept = grad), zero_grad: () => (kept = 0) },
		};
		const own = { engine, given: v => memory[v] },
			page = trainer(new Proxy(own, { get: (_, name) => own[name] ?? (() => {}) }));
		// The same by plain loops: all numbers, what grad holds, and what the page says.
		let [all, sum, count, now] = [copied(FIRST), 0, 0, { ...fresh, ...begun(), trained: new Set([0]) }];
		const mean = batches => total(batches.map(([[, x], [, t]]) => lossOf([all[0], x, t, all[3]]))) / batches.length,
			measure = () => {
				now.losses.push(now.data ? mean(now.data.train) : lossOf(all));
				if (now.data) now.tests.push(mean(now.data.test));
			};
		const steps = async on => {
			const n = drawn([1, 2, 3, 4]);
			await page.takeSteps(n, on);
			if (!now.losses.length) measure();
			for (let i = 0; i < n; ++i, ++now.steps, measure()) {
				const mask = now.steps && now.on ? maskOf(++count, true) : all[3],
					batch = now.data?.train[now.steps % now.data.train.length].map(([, x]) => x);
				sum += slopeOf([all[0], ...(batch ?? all.slice(1, 3)), mask]);
				if (now.trained.size) all[0][0] -= 0.1 * sum;
				if (on) sum = 0;
				now.passes = on ? 1 : now.passes + 1;
			}
		};
		const acts = [
			...[steps, steps, steps],
			() => (page.zeroGrad(), (sum = 0), { passes: 1 }),
			on => (page.redraw(on), all[3].set(maskOf((count += on), on)), { ...begun(), on }),
			(_, data) => (page.setData(data), data.train[0].forEach(([v, x]) => all[v].set(x)), { ...begun(), data }),
			on => (page.trainLeaf(0, on), { trained: new Set(on ? [0] : []) }),
			() => (page.resetTraining(), ([all, sum] = [copied(FIRST), 0]), { ...fresh, ...begun() }),
		];
		for (let k = 0; k < 12; ++k) {
			const act = drawn(acts);
			Object.assign(now, await act(drawn([true, false]), drawn(sets)));
			deepEqual([memory, kept, page.state.training], [all, sum, now], `trial ${trial}, action ${k}: ${act}`);
			const { losses, tests } = now,
				[lines] = losses.length < 2 ? [[]] : page.historyOf(now),
				[low, high] = [Math.min(...losses, ...tests), Math.max(...losses, ...tests)];
			const at = (y, k) => [(280 * k) / (losses.length - 1), 74 - (68 * (y - low)) / (high - low || 1)];
			[losses, tests].forEach((list, j) =>
				lines[j]?.flat().forEach((c, i) => near(c, list.map(at).flat()[i], 0, 1e-6)),
			);
			equal(lines.length, (losses.length > 1) * (now.data ? 2 : 1));
		}
	}
});

// The playground's ffn, small: y = dropout(relu(x·w1 + b1))·w2 + b2, and the loss is the mean of (y − target)².
const OWN = { model: "ffn", words: 2, d_model: 2, d_ff: 3, heads: 2, experts: 2, seed: 1, dropout: 0.25, training: 1 };
const ownLoss = ({ x, w1, b1, mask, w2, b2, target }) => {
	const h = span(6).map(k => {
			const [r, j] = [Math.floor(k / 3), k % 3];
			return (mask[k] / 0.75) * Math.max(0, b1[j] + x[2 * r] * w1[j] + x[2 * r + 1] * w1[3 + j]);
		}),
		y = span(4).map(k => b2[k % 2] + total(span(3).map(j => h[3 * Math.floor(k / 2) + j] * w2[2 * j + (k % 2)])));
	return total(y.map((y, k) => (y - target[k]) ** 2)) / 4;
};

test("live: whatever one does, inputs are the numbers that they were, and the outcome is the loss of those shown", async () => {
	const engine = await engineOf(read("playground.html"));
	engine.give(Object.values(OWN).join(" ")), engine.ask("build");
	const { ops, values } = JSON.parse(engine.said),
		shown = {}; // each tensor's step, card and size
	ops.forEach((op, s) =>
		op.in.forEach((v, k) => {
			const { name, op: made, shape } = values[v],
				called = ops[made]?.op === "dropout_mask" ? "mask" : made < 0 && name;
			if (called) shown[called] ??= [s, op.letters[k], product(shape)];
		}),
	);
	const page = await live("playground", "#model=ffn&words=2&d_model=2&d_ff=3&step=1"),
		numbers = async () => {
			const texts = await page.evaluate(shown => {
				const slider = document.getElementById("slider");
				return shown.map(([name, [step, card, n]]) => {
					(slider.value = step), slider.dispatchEvent(new Event("input"));
					const all = [...document.querySelectorAll(`#cards [data-card="${card}"] td[data-i]`)].slice(0, n);
					return [
						name,
						all.map(td => {
							self.pointed = (self.pointed ?? 0) + 1;
							td.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, screenX: self.pointed }));
							return document.querySelector("#why .sum").textContent;
						}),
					];
				});
			}, Object.entries(shown));
			return Object.fromEntries(texts.map(([name, all]) => [name, all.map(lastNumber)]));
		},
		first = await numbers(),
		drawn = draws(7),
		done = [],
		masks = new Set(),
		weights = ["w1", "b1", "w2", "b2"];
	let [were, on, data] = [structuredClone(first), true, null];
	const clicks = button => page.clicked(button);
	// Each returns the names of what may have moved.
	const acts = {
		sgd: () => clicks("#sgd").then(() => weights),
		sgd10: () => clicks("#sgd-10").then(() => weights),
		zero: () => clicks("#zero-grad").then(() => []),
		mask: async () => {
			const how = drawn(on ? ["train", "eval", "redraw"] : ["train", "eval"]);
			await clicks("#" + how);
			on = how !== "eval";
			return ["mask"];
		},
		data: async () => {
			await page.click("#data-set"), await page.settled();
			if (await page.isChecked("#data-set")) return ["x", "target"];
			return (on = true), "reset";
		},
		reset: () => clicks("#reset").then(() => ((on = true), "reset")),
		leaf: () => page.$$eval("#training details input", all => all[0].click()).then(() => []),
		types: async () => {
			const name = drawn([...weights, "x"]),
				{ shape } = values.find(value => value.name === name),
				i = drawn(span(product(shape)));
			await page.fill("#search", `${name}[${unravel(i, shape)}]`), await page.set("0.5");
			were[name][i] = 0.5;
			return [];
		},
		walk: async () => {
			await page.to("#step=" + drawn([3, 9, 14])), await page.to(-1);
			return [];
		},
		lesson: async () => {
			await page.to("#lesson=4"), await page.click("#lesson .ways button >> nth=0");
			await clicks("#lesson .try");
			const leaves = drawn(["#lesson-next", "#lesson-back", "#lesson-close", "ko"]);
			if (leaves !== "ko") await clicks(leaves);
			else for (const tag of [leaves, "en"]) await page.selectOption("#language", tag);
			await page.settled();
			return [];
		},
	};
	for (let k = 0; k < 30; ++k) {
		const act = drawn(Object.keys(acts));
		done.push(act);
		const may = await acts[act](),
			said = done.join(" "),
			now = await numbers();
		near(await page.loss(), ownLoss(now), 1e-3, 0, said);
		masks.add(now.mask.join());
		for (const [name, all] of Object.entries(may === "reset" ? first : were))
			if (!may.includes(name)) deepEqual(now[name], all, `${said}: ${name}`);
		if (may.includes("target"))
			deepEqual([now.x, now.target], (data ??= [now.x, now.target]), "the same set each time");
		were = structuredClone(now);
	}
	equal(new Set(done).size, Object.keys(acts).length);
	ok(masks.has(Array(6).fill(0.75).join()) && masks.size > 2, [...masks].join("; "));
});
