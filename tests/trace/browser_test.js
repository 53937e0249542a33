// A browser at the pages of pages.cpp, by the tests in browser/:
// node browser_test.js CHROMIUM NODE_MODULES PAGES VALUES [WORD OF A TEST'S NAME]
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const [, , chromiumPath, modules, pages, values, only = ""] = process.argv;
const { chromium } = require(modules + "/playwright-core");

// The values that C++ printed: ffn w1.grad[2, 3] b2.grad[1] x.grad[1, 2]
const expected = values.split("\n")[0].split(" ").slice(1).map(Number);
const close = (text, number) => Math.abs(Number(text.replaceAll("−", "-")) - number) <= 2e-6 + 1e-5 * Math.abs(number);
const lastNumber = (text) => text.trim().split("= ").at(-1).trim();

let browser;
async function open(name, hash = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.on("request", (request) => request.url().startsWith("file:") && request.url().split(/[#?]/)[0].endsWith(name + ".html") || page.problems.push("request " + request.url()));
  page.on("dialog", (dialog) => { page.problems.push("dialog"); dialog.dismiss(); });
  await page.goto(`file://${pages}/${name}.html${hash}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  return page;
}
async function live(name, hash, options) {  // with its engine at work
  const page = await open(name, hash, options);
  await page.waitForFunction(() => document.documentElement.dataset.live);
  return page;
}
// What was changed has been computed, and is on the screen.
async function settled(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForFunction(() => document.getElementById("outcome").textContent !== "computing …");
}
async function shut(page) {
  assert.deepEqual(page.problems, []);
  await page.context().close();
}
const text = (page, selector) => page.textContent(selector);
const sum = (page) => text(page, "#why .sum");
const number = (text) => Number(text.replaceAll("−", "-").match(/-?[\d.]+(e-?\d+)?/)[0]);
const lossNow = async (page) => number((await text(page, "#outcome")).replace(/.*(is|loss) /, ""));
const set = async (page, x) => { await page.fill("#touch-number", x); await settled(page); };
const tapeOf = async (page) => JSON.parse(await text(page, "#tape"));
const toStep = (page, s) => page.evaluate((s) => { const slider = document.getElementById("slider"); slider.value = s, slider.dispatchEvent(new Event("input")); }, s);

const tools = { open, live, settled, shut, text, sum, number, lossNow, set, tapeOf, toStep, close, lastNumber, expected, values, pages, modules, browser: () => browser };
const folder = path.join(__dirname, "browser");
const tests = Object.assign({}, ...fs.readdirSync(folder).sort().map((file) => require(path.join(folder, file))(tools)));

(async () => {
  browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  const engine = fs.readFileSync(path.join(pages, "live.html"), "utf8").includes('id="engine"');
  let failed = 0;
  for (const [name, run] of Object.entries(tests).filter(([name]) => name.includes(only))) {
    if (name.startsWith("live: ") && !engine) {
      console.log("skipped: " + name + ": there is no engine, install emscripten and build the target 'engine'");
      continue;
    }
    try {
      await run();
      console.log("ok    " + name);
    } catch (error) {
      ++failed;
      console.log("FAIL  " + name + "\n" + error.stack.slice(0, 1500));
    }
  }
  await browser.close();
  process.exit(failed ? 1 : 0);
})();
