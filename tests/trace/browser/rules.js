// The rules of ops, worked out from their own text.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { product, span } = require("../arrays.js");
const { script, ran, engineOf, replayOf, tapeIn } = require("../scripts.js");

const numeral = (text) => Number(text.replaceAll("−", "-").replace("∞", "Infinity"));
// The area under exp(−t²) from 0 to x, by Simpson's rule.
function erf(x) {
  const h = x / 400, at = (i) => Math.exp(-((i * h) ** 2)) * (i % 400 ? (i % 2 ? 4 : 2) : 1);
  return 2 / Math.sqrt(Math.PI) * h / 3 * Array.from({ length: 401 }, (_, i) => at(i)).reduce((a, b) => a + b);
}
const σ = (x) => 1 / (1 + Math.exp(-x));
const functions = { erf, σ, silu: (x) => x * σ(x), gelu: (x) => x * (1 + erf(x / Math.SQRT2)) / 2,
                    gelu_tanh: (x) => x * σ(2 * Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)) };
// What "exp(−1.5) / (2·3 + 1)" comes to, or null if it is no such sum.
function evaluate(text) {
  const code = text.replaceAll("−", "-").replaceAll("·", "*").replaceAll("∞", "Infinity").replaceAll("²", " ** 2").replaceAll("^", "**")
    .replace(/\|([^|]*)\|/g, "abs($1)").replace(/\b(exp|log|max|min|tanh|abs)\(/g, "Math.$1(").replaceAll("√(", "Math.sqrt(").replaceAll("--", "- -");
  const rest = code.replace(/Math\.\w+|Infinity/g, "").replace(/[\wσ]+(?=\()/g, (name) => (name in functions ? "" : name));
  if (!/\d/.test(code) || /[^\s\d.+*\/(),e-]/.test(rest)) return null;
  return Number(new Function(...Object.keys(functions), `return ${code.replace(/(^|[(,]\s*)(-[\d.]+(?:e-?\d+)?) \*\*/g, "$1($2) **")};`)(...Object.values(functions)));
}

// The page's rules and its engine, here in Node.
async function inNode(html) {
  const rules = ["data", "words", "words_en", "ops_en", "why", "rules_each", "rules_places", "rules_sums"].map(script).join("\n");
  const found = await ran(rules + "; return { whyCell, steps, ops, values, backward };", tapeIn(html));
  const engine = await engineOf(html);
  engine.load(replayOf(html));
  return { ...found, engine };
}

module.exports = ({ open, shut, tapeOf, atSteps, pages }) => {
  // Of each op, and each choice of inputs with gradients, at most five steps a way: all cells of small cards,
  // of others the first and last, and some between. Says the ops of whose rules none was numbers.
  async function workedOut(name) {
    const page = await open(name);
    const { ops, values, backward } = await tapeOf(page);
    const worked = { Forward: new Set(), Backward: new Set() }, zeros = new Set(), told = new Set(), often = {};
    const way = (step) => (step < ops.length ? "Forward" : "Backward"), at = (step) => ops[step < ops.length ? step : backward[step - ops.length].op];
    const looked = span(ops.length + backward.length).filter((step) => {
      const kind = way(step) + at(step)?.op + (at(step)?.in.map((input) => values[input].wants) ?? "");
      return (often[kind] = (often[kind] ?? 0) + 1) <= 5;
    });
    const found = await atSteps(page, looked, (step) => {
      const cells = [...document.querySelectorAll("#cards .card")].flatMap((card) => {
        const all = [...card.querySelectorAll("td[data-i]")];
        return all.filter((_, i) => all.length < 17 || i < 2 || i === all.length - 1 || i % 5 === 0);
      });
      const read = (cell, i) => {
        cell.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, screenX: 1000 * step + i }));
        return [document.querySelector("#why .sum")?.textContent ?? "", [...document.querySelectorAll("#why .note")].map((note) => note.textContent).join("\n")];
      };
      return { step, title: document.getElementById("title").textContent, said: cells.map(read) };
    });
    for (const { step, title, said } of found) {
      const op = at(step)?.op;
      for (const [sum, notes] of said) {
        const apart = notes.match(/add up to (\S+), and (\S+) is/);
        if (apart) {
          const [a, b] = apart.slice(1).map(numeral);
          assert.notEqual(a, b, `${title}: ${sum}: this is no difference`);
          assert.ok(Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(a)), `${title}: ${sum} ${apart[0]}`);
        }
        assert.ok(!notes.includes("The formula is"), `${title} has no rule`);
        if (/ = 0 \((?!Y = 0)/.test(sum)) assert.equal(numeral(sum.split(" = ").at(-1)), 0, `${title}: ${sum}`), zeros.add(op);
        const said = sum.match(/ · (\d) {4}\(.*: (.*)\) = |^Y.* = (\d), (.*) = \d$/);
        if (said) assert.match(said[2] ?? said[4], { 0: /cut off|dropped/, 1: /passes|kept/ }[said[1] ?? said[3]], `${title}: ${sum}`), told.add(said[2] ?? said[4]);
        const parts = sum.split("    ")[0].split(" = "), known = sum.split(" = ").at(-1);
        if (parts.length === 2 && /^d(?!Y)/.test(sum)) parts.unshift("");  // one term, and no factor: it is what was recorded
        const value = evaluate(parts.at(sum.includes("    ") || !parts[0] ? -1 : -2));
        if (value === null || Number.isNaN(numeral(known))) continue;
        worked[way(step)].add(op);
        const rounded = 1e-4 * Math.max(1, ...sum.match(/[\d.]+(e[−\d]+)?/g).map(numeral));  // five digits of each number
        assert.ok(Math.abs(value - numeral(known)) <= rounded, `${title}: ${sum}, and it is ${value}`);
      }
    }
    await shut(page);
    const without = (which) => [...new Set(ops.map(({ op }) => op))].filter((op) => !worked[which].has(op)).sort().join(" ");
    return { forward: without("Forward"), backward: without("Backward"), zeros: [...zeros].sort().join(" "), told: told.size };
  }

  return {
    // A number of an input is moved, and the engine says what of Y and of the gradients moves with it.
    async "live: what a rule marks is what its number depends on"() {
      const { whyCell, steps, ops, values, engine } = await inNode(fs.readFileSync(`${pages}/live_examples.html`, "utf8"));
      const still = new Set(), unmarked = new Set(), letters = new Set(); let seen = 0;
      const tensors = (k) => {  // Y of op k, and the gradients of its inputs
        const run = engine.run(), at = ({ shape, at }) => engine.floats(at, product(shape)).slice(), step = run.backward.find(({ op }) => op === k);
        return { Y: at(run.arrays[run.values[ops[k].out].value]), ...Object.fromEntries((step?.adds ?? []).map((add) => [add.input, at(run.arrays[add.part])])) };
      };
      ops.forEach((op, k) => {
        if (!op.in.length || op.in.some((v) => values[v].op >= 0) || new Set(op.in).size < op.in.length) return;
        const before = tensors(k), back = steps.find((step) => !step.forward && step.op === k);
        const marks = new Map(Object.keys(before).map((target) => [target, [...before[target].keys()].map((i) => new Set((whyCell(target === "Y" ? steps[k] : back, target === "Y" ? "Y" : +target, i).refs ?? []).map(([letter, j]) => letter + " " + j)))]));
        const weights = ops.find((other) => other.op === "mul" && other.in[0] === op.out)?.in[1];  // what dY is
        [...op.in, ...(back && weights !== undefined && values[weights].op < 0 ? [weights] : [])].forEach((v, input) => {
          const n = product(values[v].shape), letter = op.letters[input] ?? "dY";
          for (let j = 0; j < n; j += Math.ceil(n / 5)) {
            const data = engine.numbers(v, n), was = data[j];
            letters.add(letter);
            data[j] = was + (/^(ids|T|I)$/.test(letter) ? (was > 0 ? -1 : 1) : letter === "M" ? (was ? -was : 1) : 0.03125);
            let after = null;
            try { after = tensors(k); } catch { /* refused: no such index */ }
            engine.numbers(v, n)[j] = was;
            if (!after) continue;
            const movedY = [...before.Y.keys()].filter((i) => !Object.is(before.Y[i], after.Y[i]));
            for (const [target, cells] of marks) if (target !== "Y" || letter !== "dY") cells.forEach((refs, i) => {
              const moved = !Object.is(before[target][i], after[target][i]), marked = refs.has(letter + " " + j), through = target !== "Y" && movedY.some((y) => refs.has("Y " + y));
              ++seen;
              if (moved && !marked && !through && !/^(ids|T|I)$/.test(letter)) unmarked.add(`${op.op} ${target} by ${letter}`);
              if (!moved && marked) still.add(op.op);
            });
          }
        });
      });
      assert.ok(seen > 4000 && letters.size > 8, `${seen} of ${[...letters]}`);
      // The weights of a norm depend on the rows of X by way of means and deviations, which are saved.
      assert.deepEqual([...unmarked], ["layer_norm 1 by X"]);
      // At a bend, beside a mask or a largest number, and times 0 what is marked moves nothing.
      for (const op of still) assert.match(op, /^(relu|neg|masked_fill|batched_matmul|matmul|linear|maximum|embedding|clamp|cross_entropy|abs|amax|where)$/);
    },

    async "every rule's sum agrees with what was recorded"() {
      const without = await workedOut("examples");
      assert.equal(without.forward, "bfloat16 checkpoint dropout_mask fused_attention fused_feed_forward half masked_fill trunc", "their rules are words");
      assert.equal(without.backward, "checkpoint dropout_mask fused_attention trunc", "their rules are words, or they have no gradient");
      assert.match(without.zeros, /cross_entropy/, "a row that does not count");
      assert.equal(without.told, 4, "passed, cut off, kept, dropped");
      for (const name of ["ties", "equal", "clamp"]) await workedOut("claims-" + name);
    },

    async "the rules of what Python alone records, by indices, agree with it, too"() {
      if (!fs.existsSync(pages + "/python.html")) return console.log("skipped: there is no Python module");
      const without = await workedOut("python");
      assert.deepEqual([without.forward, without.backward], ["", ""]);
    },
  };
};
