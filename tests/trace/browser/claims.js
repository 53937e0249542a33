// Each sentence of the pages that says how the loss moves, beside central differences.
"use strict";
const assert = require("node:assert/strict");

const number = (text) => Number(text.replaceAll("−", "-"));
const claim = /^If (\S+?)(\[[\d, ]*\]) rises by 0\.01, (.+?) (rises|falls|hardly moves).*?(?:by about (\S+)\.)?$/;

module.exports = ({ open, shut, text, values }) => {
  const slopes = new Map(values.split("\n").filter((line) => line.startsWith("claim ")).map((line) => {
    const [, page, name, i, slope] = line.split(" ");
    return [`${page} ${name} ${i}`, Number(slope)];
  }));

  // All that a page says of its cells: {step title, card, cell, sentences}.
  async function sayings(page) {
    return page.evaluate(async () => {
      const said = [], last = +document.getElementById("slider").max;
      let moved = 0;
      for (let s = 0; s <= last; ++s) {
        location.hash = "#step=" + (s + 1);
        while (+document.getElementById("slider").value !== s) await new Promise((done) => setTimeout(done, 1));
        for (const td of document.querySelectorAll("#cards td[data-i]")) {
          td.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, screenX: ++moved }));
          const card = td.closest(".card");
          said.push({ title: document.getElementById("title").textContent, key: card.dataset.card, role: card.querySelector(".role").textContent, i: +td.dataset.i,
            sum: document.querySelector("#why .sum")?.textContent, sentences: [...document.querySelectorAll("#why .meaning")].map((p) => p.textContent) });
        }
      }
      return said;
    });
  }
  const shapes = { x: 4, h: 4, y: 4, w: 4 };
  const flat = (name, index) => { const at = index.slice(1, -1).split(",").filter(Boolean).map(Number); return at.length === 2 ? at[0] * shapes[name] + at[1] : at[0] ?? 0; };

  async function claimsOf(name) {
    const page = await open("claims-" + name), said = await sayings(page), claims = [];
    for (const { title, key, sentences } of said)
      for (const sentence of sentences) {
        const found = sentence.match(claim);
        if (sentence.startsWith("If ")) assert.ok(found, sentence);
        if (!found) continue;
        const [, value, index, loss, way, size] = found, slope = slopes.get(`${name} ${value} ${flat(value, index)}`);
        if (slope === undefined) continue;
        const claimed = way === "hardly moves" ? 0 : (way === "rises" ? 100 : -100) * number(size);
        assert.ok(Math.abs(claimed - slope) <= 0.02 * Math.abs(slope) + 2e-3, `${name}, ${title}, ${key}: ${sentence} The central difference is ${slope}.`);
        claims.push({ value, loss });
      }
    await shut(page);
    return { claims, said };
  }
  const of = (claims) => [...new Set(claims.map((one) => one.value))].sort().join(" ");

  return {
    async "each claim of how the loss moves is that of central differences"() {
      const expected = { reuse: "s t y", broadcast: "b h t w x y", checkpoint: "b h x y", integers: "h w y", bent: "y",
                         older: "b w x y", many: "b t w x y", given: "b t w x y", elsewhere: "b t w x y" };
      for (const [name, claimed] of Object.entries(expected)) {
        const { claims, said } = await claimsOf(name);
        assert.equal(of(claims), claimed, name);
        assert.ok(claims.length >= 4 * claimed.split(" ").length, name);
        const losses = [...new Set(claims.map((one) => one.loss))].join();
        assert.match(losses, { many: /^the sum of the numbers of y$/, given: /times the gradient/, elsewhere: /not on this page/ }[name] ?? /^the loss$/);
        if (name === "bent") assert.ok(said.some((one) => one.sentences.join().includes("bends")));
        if (name === "older") assert.ok(said.filter((one) => one.sentences.join().includes("left by earlier ones")).length === 16);
        if (name === "checkpoint") assert.ok(said.some((one) => /dw|total/.test(one.key) && one.sentences.join().includes("inner pass")));
      }
    },

    async "what a hook has changed claims nothing more"() {
      const { claims, said } = await claimsOf("hook");
      assert.equal(of(claims), "h t y");  // h and t as they were before their hooks
      assert.ok(said.filter((one) => one.sentences.join().includes("A hook has changed")).length > 40);
    },

    async "a total is called so when all of its parts are there, and negative terms stand in brackets"() {
      const { said } = await claimsOf("reuse");
      const roles = said.map((one) => one.role);
      assert.ok(roles.includes("part 1 of 2") && roles.includes("all 2 parts"), [...new Set(roles)].join());
      for (const one of said.filter((one) => /so far/.test(one.role))) assert.ok(!/^If/.test(one.sentences[0]), one.sum);
      assert.ok(said.some((one) => /\+ \(−/.test(one.sum)));
      for (const { sum } of said) assert.ok(!/[+] −|− −/.test(sum), sum);
    },

    async "a pass that was freed is not a pass of no steps"() {
      const page = await open("claims-freed");
      assert.match(await text(page, "#notice"), /was freed.*set_ledger\(true\)/);
      assert.ok(await page.isDisabled("#turn"));
      await shut(page);
    },
  };
};
