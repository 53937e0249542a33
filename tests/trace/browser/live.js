// The engine in the page: numbers that are changed, and training by hand.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const number = (text) => Number(text.replaceAll("−", "-").match(/-?[\d.]+(e-?\d+)?/)[0]);

module.exports = ({ open, live, settled, shut, text, close, values, modules, pages }) => {
  // The losses that C++ had by nn::SGD: at first, after three steps, and after two without zero_grad().
  const trained = values.split("\n").find((line) => line.startsWith("training ")).split(" ").slice(1).map(Number);
  const lossNow = async (page) => number((await text(page, "#outcome")).replace(/.*(is|loss) /, ""));
  const set = async (page, x) => { await page.fill("#touch-number", x); await settled(page); };

  return {
    // But for the last bit of exp, erf and the like, which the page's C library has of its own.
    async "live: every op is computed once more"() {
      const [page, recorded] = [await live("live_examples", "#step=1"), await open("recorded_examples", "#step=1")];
      const steps = await page.evaluate(() => +document.getElementById("slider").max + 1);
      for (let s = 0; s < steps; ++s) {
        assert.equal(await text(page, "#cards"), await text(recorded, "#cards"), `step ${s + 1}`);
        for (const one of [page, recorded]) await one.keyboard.press("ArrowRight");
      }
      await shut(page), await shut(recorded);
    },

    async "live: a number that is typed changes what follows from it, and what was there before is said"() {
      const page = await live("live", "#step=1&cell=w1[2,3]");
      const [was, loss] = [number(await page.inputValue("#touch-number")), await lossNow(page)];
      assert.equal(await text(page, "#touch-name"), "w1[2, 3]");
      await set(page, "1.5");
      const [, from, to] = (await text(page, "#outcome")).match(/^loss was ([\d.]+), is ([\d.]+)$/);
      assert.ok(Math.abs(from / loss - 1) < 1e-3 && Math.abs(to / from - 1) > 1e-3, `${loss}: ${from}, ${to}`);
      assert.notEqual(await lossNow(page), loss);
      const [, before] = (await text(page, "#why .was")).match(/^was (\S+), is 1\.5$/);
      assert.ok(close(before, was), `${before}, ${was}`);
      assert.equal(await page.locator("[data-card=B] td.moved").count(), 1);
      assert.equal(await page.locator("[data-card=Y] td.moved").count(), 3, "the column of w1[2, 3]");
      assert.equal(await page.locator("[data-card=A] td.moved").count(), 0);
      await page.click("#turn");
      await page.hover('[data-card=dB] td[data-i="19"]');
      const [computed, measured] = (await text(page, "#slopes")).match(/[−\d.e]+(?=[,.] |\.$)/g).map(number);
      assert.ok(close(await page.locator("#why .sum").textContent().then((line) => line.split("= ").at(-1)), computed) || Math.abs(computed / number((await text(page, "#why .sum")).split("= ").at(-1)) - 1) < 1e-3);
      assert.ok(Math.abs(measured - computed) < 0.002 * Math.abs(computed) + 1e-4, `${measured}, ${computed}`);
      await set(page, String(was));
      assert.ok(Math.abs(await lossNow(page) - loss) < 1e-5);
      await shut(page);
    },

    async "live: a number is dragged, typed over or moved by the slider; masks and constants, too"() {
      const page = await live("live", "#step=1");
      const td = page.locator('[data-card=B] td[data-i="5"]'), { x, y } = await td.boundingBox(), before = await lossNow(page);
      await page.mouse.move(x + 10, y + 10);
      await page.mouse.down();
      await page.mouse.move(x + 90, y + 10, { steps: 4 });
      await page.mouse.up();
      await settled(page);
      assert.equal(await text(page, "#touch-name"), "w1[0, 5]");
      const dragged = await lossNow(page);
      assert.notEqual(dragged, before);
      await page.keyboard.press("Escape");
      await page.locator('[data-card=A] td[data-i="1"]').focus();
      await page.keyboard.type("2");
      assert.equal(await text(page, "#touch-name"), "x[0, 1]");
      assert.equal(await page.inputValue("#touch-number"), "2");
      await settled(page);
      assert.equal(await page.locator("[data-card=A] td.moved").count(), 1);
      assert.notEqual(await lossNow(page), dragged);
      await page.waitForFunction(() => document.querySelector("#curve polyline").getAttribute("points").split(" ").length === 41);
      await page.fill("#search", "dropout_mask");
      await page.click("[data-card=Y] td.s-p4");
      const slider = page.locator("#touch-slider"), kept = await lossNow(page);
      await slider.focus();
      await page.keyboard.press("Home");
      await settled(page);
      assert.equal(await page.inputValue("#touch-number"), "0");
      assert.match(await text(page, "#slopes"), /wants no gradient/);
      await page.keyboard.press("End");
      await settled(page);
      assert.equal(await lossNow(page), kept);
      await shut(page);
    },

    async "live: the slider reaches twice as far as a number is large, at least 1, to either side; 200 pixels of the mouse are half of that"() {
      const page = await live("live", "#step=1"), td = (card, i) => page.locator(`[data-card=${card}] td[data-i="${i}"]`);
      const reach = () => page.evaluate(() => ["min", "max", "value"].map((of) => Number(document.getElementById("touch-slider")[of])));
      const near = (a, b) => a.every((x, k) => Math.abs(x - b[k]) <= 1e-5 * Math.max(1, Math.abs(b[k])));
      for (const x of [-3, 0.25, -0.25, 4]) {
        await td("B", 5).click(), await set(page, String(x));
        await td("B", 6).click(), await td("B", 5).click();
        const span = Math.max(1, 2 * Math.abs(x)), { x: left, y } = await td("B", 5).boundingBox();
        let [low, high, at] = await reach();
        assert.ok(near([low, high], [x - span, x + span]) && Math.abs(at - x) <= span / 200, `${x}: ${[low, high, at]}`);
        assert.equal(await page.getAttribute("#touch-slider", "aria-label"), "w1[0, 5]");
        assert.equal(number(await page.getAttribute("#touch-slider", "aria-valuetext")), x);
        await page.mouse.move(left + 10, y + 8), await page.mouse.down();
        await page.mouse.move(left + 12, y + 8), await settled(page);
        assert.equal(number(await page.inputValue("#touch-number")), x, "two pixels are no pull");
        await page.mouse.move(left + 60, y + 8, { steps: 3 }), await page.mouse.up();
        await settled(page);
        const pulled = number(await page.inputValue("#touch-number"));
        assert.ok(Math.abs(pulled - (x + 50 / 200 * span)) < 1e-4 * span, `${x}: ${pulled}`);
        await page.mouse.move(left + 100, y + 8), await settled(page);
        assert.equal(number(await page.inputValue("#touch-number")), pulled, "where it was let go it stays");
        await set(page, "-70");
        assert.equal((await reach())[0], -70, "what is typed beyond its end moves the end");
        await page.keyboard.press("Escape");
      }
      await shut(page);
    },

    async "live: the curve has the losses that the numbers along it give, its dot and tangent are this number's"() {
      const page = await live("live", "#step=1&cell=w1[2,3]"), W = 280, name = "w1[2, 3]";
      const drawn = () => page.evaluate(() => {
        const svg = document.querySelector("#curve svg"), of = (one, ...names) => names.map((name) => Number(one.getAttribute(name)));
        return { points: svg.querySelector("polyline").getAttribute("points").split(" ").map((point) => point.split(",").map(Number)), dot: of(svg.querySelector("circle"), "cx", "cy"),
                 tangent: of(svg.querySelector("line"), "x1", "y1", "x2", "y2"), below: [...document.querySelectorAll("#curve .below span")].map((one) => one.textContent) };
      });
      for (const x of [1.25, -2]) {
        await set(page, String(x));
        await page.locator("[data-card=B] td[data-i='20']").click(), await page.locator("[data-card=B] td[data-i='19']").click();
        await page.waitForFunction(() => document.querySelector("#curve polyline").getAttribute("points").split(" ").length === 41);
        const span = 2 * Math.abs(x), { points, dot, tangent, below } = await drawn(), losses = [];
        assert.doesNotMatch(await text(page, "#curve"), /[Ss]till computing/, "all of it is there");
        assert.ok(below[1] === name && Math.abs(number(below[0]) - (x - span)) < 0.01 * span && Math.abs(number(below[2]) - (x + span)) < 0.01 * span, below.join());
        for (const k of [0, 11, 20, 29, 40]) {
          await set(page, String(x - span + span * k / 20));
          losses.push([k, await lossNow(page)]);
        }
        await set(page, String(x));
        // Higher is more, straight: the scale is that between the two that are farthest apart.
        losses.sort(([, a], [, b]) => a - b);
        const [[low, least], [high, most]] = [losses[0], losses.at(-1)], pixels = (points[low][1] - points[high][1]) / (most - least), y = (loss) => points[low][1] - (loss - least) * pixels;
        assert.ok(pixels > 0 && points.every(([, at]) => at >= 7.9 && at <= 102.1) && Math.min(...points.map(([, at]) => at)) < 8.1 && Math.max(...points.map(([, at]) => at)) > 101.9);
        points.forEach(([at], k) => assert.ok(Math.abs(at - W * k / 40) < 0.06, `${k}: ${at}`));
        for (const [k, loss] of losses) assert.ok(Math.abs(points[k][1] - y(loss)) < 0.01 * Math.abs(pixels) * (most - least) + 0.2, `${k}: ${points[k]}, ${y(loss)}`);
        assert.ok(Math.abs(dot[0] - W / 2) < 0.1 && Math.abs(dot[1] - y(await lossNow(page))) < 1, dot.join());
        const [x1, y1, x2, y2] = tangent, g = number((await text(page, "#slopes")).match(/backward (\S+),/)[1]);
        assert.ok(Math.abs((x1 + x2) / 2 - dot[0]) < 0.1 && Math.abs((y1 + y2) / 2 - dot[1]) < 0.1 && Math.abs(x2 - x1 - 0.4 * W) < 0.2, tangent.join());
        const rise = g * pixels * 2 * span / W;
        assert.ok(Math.abs((y1 - y2) / (x2 - x1) - rise) < 0.02 * Math.abs(rise) + 2e-3, `${(y1 - y2) / (x2 - x1)}, ${rise}`);
      }
      await shut(page);
    },

    async "live: the losses of the steps taken by hand are drawn in their order, the largest above"() {
      const page = await live("live"), losses = [await lossNow(page)];
      for (let k = 0; k < 4; ++k) await page.click("#sgd"), await settled(page), losses.push(await lossNow(page));
      const points = (await page.getAttribute("#training polyline", "points")).split(" ").map((point) => point.split(",").map(Number));
      const [least, most] = [Math.min(...losses), Math.max(...losses)];
      assert.equal(points.length, 5);
      points.forEach(([x, y], k) => assert.ok(Math.abs(x - 70 * k) < 0.1 && Math.abs(y - (74 - (losses[k] - least) / (most - least) * 68)) < 1, `${k}: ${[x, y]}, ${losses}`));
      await page.click("#sgd-10"), await settled(page);
      assert.equal((await page.getAttribute("#training polyline", "points")).split(" ").length, 15);
      assert.match(await text(page, "#training"), /14 steps: the loss went from/);
      await shut(page);
    },

    async "live: training by hand gives the losses of nn::SGD, also where zero_grad is forgotten"() {
      const page = await live("live");
      const same = async (expected, what) => { await settled(page); assert.ok(Math.abs(await lossNow(page) / expected - 1) < 1e-3, `${what}: ${await text(page, "#outcome")}, ${expected}`); };
      await same(trained[0], "at first");
      for (let k = 1; k < trained.length; ++k) {
        await page.click("#sgd");
        if (k <= 3) await page.click("#zero-grad");
        await same(trained[k], `step ${k}`);
      }
      assert.match(await text(page, "#passes"), /more than this pass's gradients/);
      assert.match(await text(page, "#training"), /5 steps: the loss went from 1\.69 to 0\.927/);
      await page.fill("#search", "w1.grad");
      assert.ok(await page.locator("[data-card=earlier]").isVisible(), "what earlier passes left");
      await page.click("#eval");
      assert.equal(await page.getAttribute("#eval", "aria-pressed"), "true");
      await page.click("#reset");
      await same(trained[0], "reset");
      assert.match(await text(page, "#passes"), /of this pass alone/);
      await shut(page);
    },

    async "live: the difference that checks a gradient is the engine's, also after a change"() {
      const page = await live("live", "#step=1&cell=w1[2,3]");
      await set(page, "1.5");
      await page.click("#turn");
      for (const i of [19, 0, 25]) {
        await page.click(`[data-card=dB] td[data-i="${i}"]`);
        await page.click("#why summary");
        const said = await text(page, "#why details p"), [, d, g] = said.match(/2h = (\S+): .*computed just now.* gradient is (\S+)\./).map(number);
        assert.ok(Math.abs(d - g) <= 0.02 * Math.abs(g) + 1e-3, said);
        assert.ok(close((await text(page, "#why .sum")).split("= ").at(-1), g), said);
      }
      await shut(page);
    },

    async "live: numbers that were recorded otherwise than the engine computes are counted, NaN as NaN, and how far they are said"() {
      const html = fs.readFileSync(`${pages}/live.html`, "utf8"), tape = JSON.parse(html.match(/id="tape">(.*?)<\/script>/s)[1]);
      const times = new Map(), differ = () => tape.values.reduce((n, { value }) => n + (times.get(value) ?? 0), 0);  // equal tensors are one array
      const change = (of, k, to) => {  // as other kernels would have recorded it
        const at = tape.values[of].value, array = tape.arrays[at], all = new Float32Array(new Uint8Array(Buffer.from(array.v, "base64")).buffer), largest = Math.max(...all.map(Math.abs));
        times.set(at, (times.get(at) ?? 0) + 1), all[k] = to(all[k], largest), array.v = Buffer.from(all.buffer).toString("base64");
      };
      const out = (k) => tape.ops[k].out, write = () => fs.writeFileSync(`${pages}/live_apart.html`, html.replace(/id="tape">.*?<\/script>/s, () => `id="tape">${JSON.stringify(tape).replaceAll("<", "\\u003c")}</script>`));
      change(out(0), 2, (x, largest) => x + largest / 1000), change(out(0), 5, (x, largest) => x - largest / 4000), change(out(1), 0, (x, largest) => x + largest / 5000);
      write();
      let page = await live("live_apart", "#step=1"), said = await text(page, "#apart");
      const all = tape.values.reduce((sum, { value }) => sum + Buffer.from(tape.arrays[value].v, "base64").length / 4, 0);
      assert.match(said, new RegExp(`^${differ()} of ${all} recorded numbers differ`));
      assert.ok(Math.abs(number(said.match(/at most (\S+) of/)[1]) - 0.001) < 2e-4, said);
      assert.equal(await page.locator("td.moved").count(), 0, "what is shown is the engine's");
      await shut(page);
      change(out(2), 1, () => NaN), write();
      page = await live("live_apart", "#step=1"), said = await text(page, "#apart");
      assert.match(said, new RegExp(`^${differ()} of .*at most NaN of`));
      await shut(page);
      for (const same of ["live", "live_wide"]) assert.equal(await (page = await live(same, "#step=1")).locator("#apart").count(), 0, same), await shut(page);
    },

    async "live: a step that the loss cannot show is said to be one, and the button's is one that it shows"() {
      const page = await live("live_fine", "#step=1&cell=t[0]");
      assert.match(await text(page, "#slopes"), /Slope: computed by backward 1\.00e−4, .*One step of a 32-bit number/);
      await set(page, "1.01");
      assert.match(await text(page, "#compared"), /^t\[0\] from 1 to 1\.01: at its slope the loss would move by 1\.0e−6; it moved by 0\. A 32-bit number near 999\.5 goes in steps of 6\.1e−5: it cannot show that\.$/);
      await page.click("#reset");
      const rise = await text(page, "#why .rise");
      assert.equal(rise, "+1", "0.01 and 0.1 are lost, 1 is as far as one goes");
      await page.click("#reset");
      await page.fill("#search", "t"), await page.click("[data-card=A] td[data-i='1']");
      assert.equal(await text(page, "#why .rise"), "+0.01");
      await page.click("#why .rise"), await settled(page);
      const [p, r] = (await text(page, "#why .compared")).match(/would move by (\S+); it moved by (\S+)\./).slice(1).map(number);
      assert.ok(Math.abs(p - 0.02) < 1e-3 && Math.abs(r - 0.02) < 1e-3, `${p}, ${r}`);
      assert.ok(await page.evaluate(() => document.activeElement.matches(".rise")), "to be pressed again");
      await shut(page);
    },

    async "live: what a gradient says of the loss goes with the number: at a bend nothing, beside it the slope there"() {
      const page = await live("dropout_and_relu", "#step=1"), { shape } = JSON.parse(await text(page, "#tape")).values.find(({ name }) => name === "x");
      await page.fill("#search", "x.grad");
      const gradient = await page.locator("#cards .card.result td[data-i]").allTextContents(), i = gradient.findIndex((g) => g !== "0"), cell = `[${Math.floor(i / shape[1])}, ${i % shape[1]}]`;
      await page.fill("#search", "x.grad" + cell);
      for (const [x, said] of [["0", "bends"], ["0.5", `If x${cell} alone rises a little`], ["0", "bends"], ["-3", `The slope is 0 here: a small rise of x${cell}`]]) {
        await set(page, x);
        const meaning = (await page.locator("#why .meaning").allTextContents()).join(" ");
        assert.ok(meaning.includes(said), `${x}: ${meaning}`);
      }
      await shut(page);
    },

    async "live: eval() lets all numbers through dropout as they are, train() and another draw only some, and these larger"() {
      const page = await live("live", "#step=1"), { ops } = JSON.parse(await text(page, "#tape"));
      const numbersOf = async (op) => {
        await page.evaluate((s) => { const slider = document.getElementById("slider"); slider.value = s, slider.dispatchEvent(new Event("input")); }, ops.findIndex((one) => one.op === op));
        return (await page.locator("[data-card=Y] td[data-i]").allTextContents()).map((x) => (x === "0" ? 0 : number(x)));
      };
      const both = async () => { await settled(page); return [await numbersOf("clamp"), await numbersOf("div"), await numbersOf("dropout_mask")]; };
      const seen = new Set();
      for (const button of ["#train", "#redraw", "#eval", "#train", "#redraw"]) {
        if (button !== "#redraw" || await page.isEnabled(button)) await page.click(button);
        const [before, after, mask] = await both(), scale = button === "#eval" ? 1 : 1 / 0.75;
        before.forEach((x, i) => {
          const through = button === "#eval" || mask[i] !== 0;
          assert.ok(Math.abs(after[i] - (through ? x * scale : 0)) <= 0.01 * Math.abs(x) + 1e-6, `${button} ${i}: ${x}, ${after[i]}`);
        });
        assert.equal(await page.isDisabled("#redraw"), button === "#eval");
        assert.equal(await page.getAttribute("#train", "aria-pressed"), String(button !== "#eval"));
        if (button !== "#eval") assert.ok(mask.includes(0) && mask.some(Boolean), button), seen.add(mask.join());
      }
      assert.ok(seen.size > 2, "each draw is another");
      await shut(page);
    },

    async "live: where a ReLU switches on the way, the slope's word and the loss's are both said, and that it switched"() {
      const page = await live("live_fine", "#step=1&cell=t[2]");
      await set(page, "2");
      const said = await text(page, "#compared");
      assert.match(said, /^t\[2\] from −0\.5 to 2: at its slope the loss would move by −2\.5; it moved by 1\.5\. At #\d+ abs 1 of the numbers crossed the bend on the way\.$/);
      await shut(page);
    },

    async "live: a measured slope that a bend makes another is no matter of rounding; what is no number is told so"() {
      const page = await live("live_fine", "#step=1&cell=t[2]");
      await set(page, "0.002");
      await page.waitForFunction(() => document.getElementById("slopes").textContent.includes("within 0.005 of it the loss is not straight"));
      await set(page, "abc");
      assert.equal(await text(page, "#touch-problem"), "abc is no number.");
      await set(page, "-");
      assert.equal(await text(page, "#touch-problem"), "");
      await shut(page);
    },

    async "live: where backward() began with 2, twice the loss is what a change moves"() {
      const page = await live("live_weighed", "#step=1&cell=t[0]");
      assert.match(await text(page, "#outcome"), / 10$/);
      assert.ok(!(await text(page, "#outcome")).startsWith("loss "));
      await set(page, "1.1");
      const [p, r] = (await text(page, "#compared")).match(/would move by (\S+); it moved by (\S+?)\.( |$)/).slice(1, 3).map(number);
      assert.ok(Math.abs(p - 0.4) < 1e-3 && Math.abs(r - 0.42) < 1e-3, `${p}, ${r}`);
      const ys = await page.evaluate(() => document.querySelector("#curve .dot").getAttribute("cy"));
      const line = (await page.getAttribute("#curve polyline", "points")).split(" ").map((point) => Number(point.split(",")[1]));
      assert.ok(Number(ys) >= Math.min(...line) && Number(ys) <= Math.max(...line), "the dot is on the curve");
      await shut(page);
    },

    async "live: the number that is chosen while another's change is still computed begins at the new loss"() {
      const page = await live("live_notebook", "#step=1&cell=w1[2,3]");
      await page.fill("#touch-number", "30");
      await page.fill("#search", "w1[2, 4]");
      await page.waitForFunction(() => document.getElementById("touch-name").textContent === "w1[2, 4]");
      await page.fill("#touch-number", "0.5");
      await page.waitForSelector("#compared .compared");
      const [p, r] = (await text(page, "#compared")).match(/would move by (\S+); it moved by (\S+?)\.( |$)/).slice(1, 3).map(number);
      assert.ok(Math.abs(r) < 1e-3 && Math.abs(p) < 1e-3, `${p}, ${r}`);
      await shut(page);
    },

    async "live: the policy allows WebAssembly, and nothing else more"() {
      const policy = (name) => fs.readFileSync(`${pages}/${name}.html`, "utf8").match(/Security-Policy"\s+content="([^"]*)"/)[1];
      assert.equal(policy("ffn"), "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'");
      for (const name of ["live", "playground"]) assert.equal(policy(name), policy("ffn") + " 'wasm-unsafe-eval'");
    },

    async "live: a step moves the leaves that are ticked, by the rate times their gradient"() {
      const page = await live("live", "#step=1"), moved = (key) => page.locator(`[data-card=${key}] td.moved`).count();
      const leaf = (name) => page.locator("#training .leaf", { hasText: name }).locator("input");
      await page.click("#training summary");
      await leaf("w1").uncheck();
      await page.click("#sgd");
      await settled(page);
      assert.equal(await moved("B"), 0, "w1 is not trained");
      await page.keyboard.press("ArrowRight");
      assert.ok(await moved("B") > 0, "b1 is");
      await page.click("#reset");
      await page.fill("#search", "b2.grad");
      const g = number(await page.locator("[data-card=total] td[data-i='1'], [data-card^='d'] td[data-i='1']").last().textContent());
      await page.fill("#search", "b2");
      await page.click("[data-card=B] td[data-i='1']");
      const before = number(await page.inputValue("#touch-number"));
      await page.fill("#rate", "0.25");
      await page.click("#sgd");
      await settled(page);
      assert.ok(Math.abs(number(await page.inputValue("#touch-number")) - (before - 0.25 * g)) < 0.006 * Math.abs(g), `${before} by ${g}`);
      await shut(page);
    },

    async "live: what the engine refuses is said, and nothing changes"() {
      const page = await live("live_examples", "#step=1");
      const { ops } = JSON.parse(await text(page, "#tape"));
      await page.goto(page.url().replace("step=1", `step=${ops.findIndex(({ op }) => op === "embedding") + 1}`));
      await page.click("[data-card=ids] td[data-i='0']");
      const before = await text(page, "#outcome");
      await set(page, "77");
      assert.match(await text(page, "#touch-problem"), /77/);
      assert.equal(await text(page, "#outcome"), before);
      await set(page, "2");
      assert.equal(await text(page, "#touch-problem"), "");
      const loss = await lossNow(page);
      await set(page, "77");
      await page.click("#sgd");
      await settled(page);
      assert.equal(await text(page, "#touch-problem"), "");
      assert.notEqual(await lossNow(page), loss, "a step after what was refused");
      const stands = await text(page, "[data-card=ids] td[data-i='0']");
      await page.evaluate(() => {  // typed within one frame
        const box = document.getElementById("touch-number");
        for (const typed of ["7", "77", "777"]) { box.value = typed; box.dispatchEvent(new Event("input")); }
      });
      await settled(page);
      assert.match(await text(page, "#touch-problem"), /777/);
      assert.equal(await text(page, "[data-card=ids] td[data-i='0']"), stands, "what stood there before the first of them");
      await page.click("#sgd");
      await settled(page);
      assert.equal(await text(page, "#touch-problem"), "", "nor does a later step meet them");
      await shut(page);
    },

    async "a tape that cannot be live says why, and is a page as ever"() {
      const page = await open("not_live", "#step=1");
      assert.match(await text(page, "#notice"), /not live: (#\d+ checkpoint cannot be computed|there is no engine)/);
      assert.ok(!(await page.isVisible("#bench")));
      await shut(page);
    },

    async "live: axe-core finds nothing; screenshots, also of a phone"() {
      for (const [name, options] of [["light", {}], ["dark", { colorScheme: "dark" }], ["phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]]) {
        const page = await live("live", "#step=1&cell=w1[2,3]", { ...options, bypassCSP: true, reducedMotion: "reduce" });
        await set(page, "1.5");
        await page.click("#sgd");
        await settled(page);
        await page.screenshot({ path: `${pages}/live-${name}.png` });
        await page.addScriptTag({ path: modules + "/axe-core/axe.min.js" });
        const { violations } = await page.evaluate(() => axe.run());
        assert.deepEqual(violations.map((one) => one.id + ": " + one.nodes[0].html.slice(0, 160)), [], name);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), name);
        await page.context().close();
      }
    },
  };
};
