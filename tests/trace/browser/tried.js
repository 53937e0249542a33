// What the page says of a change: what the slope said, what the loss did, and why they differ.
"use strict";
const assert = require("node:assert/strict");

module.exports = ({ live, settled, shut, text, number, set, tapeOf }) => {
  return {
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
      const page = await live("dropout_and_relu", "#step=1"), { shape } = (await tapeOf(page)).values.find(({ name }) => name === "x");
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
  };
};
