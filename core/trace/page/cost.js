// ---- What a step costs: memory, FLOPs, time ------------------------------------------------------

// Bytes saved for backward after each step: they rise in forward and fall in backward. `again` of an
// op's are there while its gradient runs.
function memoryOf(saved, again) {
  let now = 0;
  return steps.map((step) => {
    if (step.op < 0) return { now, most: now };
    const op = ops[step.op], before = now;
    now += (step.forward ? 1 : -1) * saved(op);
    return { now, most: step.forward ? now : before + again(op) };
  });
}
const memory = memoryOf((op) => op.savedBytes, (op) => op.savedAgain);
const memoryWithoutCheckpoints = ops.some((op) => op.op === "checkpoint" && op.savedAgain)
  ? memoryOf((op) => op.savedBytes + op.savedAgain, () => 0) : null;
const mostOf = (memory) => Math.max(0, ...memory.map((step) => step.most));

function memoryBars(memory, s, scale, text) {
  const width = 600, height = 60, n = steps.length;
  const bar = ({ now, most }, i) => {
    const x = (i * width / n).toFixed(1), w = (width / n).toFixed(1), high = (bytes) => (bytes / scale * height).toFixed(1);
    return { solid: `M${x} ${height}v${-high(now)}h${w}V${height}z`, brief: most > now ? `M${x} ${height - high(now)}V${height - high(most)}h${w}V${height - high(now)}` : "" };
  };
  const path = (from, to, part, name) => make("path", { d: memory.slice(from, to).map((step, i) => bar(step, from + i)[part]).join(""), class: name });
  const x = (s + 0.5) * width / n;
  return [make("svg", { viewBox: `0 -2 ${width} ${height + 4}`, class: "memory", role: "img", "aria-label": text, preserveAspectRatio: "none" },
    path(0, ops.length, "solid", "bar-forward"), path(ops.length, n, "solid", "bar-backward"), path(ops.length, n, "brief", "bar-brief"),
    make("line", { x1: x, x2: x, y1: -2, y2: height + 2, class: "cursor" })), make("p", { class: "stats" }, text)];
}

function timeText(seconds) {
  if (!seconds) return "—";
  return seconds < 1e-3 ? +(seconds * 1e6).toPrecision(3) + " µs" : +(seconds * 1e3).toPrecision(3) + " ms";
}

function showCost(s, op) {
  const parts = [];
  if (op) {
    const list = make("dl", {});
    for (const [name, value] of [[word("only"), bytesText(op.savedBytes)], [word("flops"), op.flops.toLocaleString(language)],
                                 [word("forwardTime"), timeText(op.seconds[0])], [word("backwardTime"), timeText(op.seconds[1])]])
      list.append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
    parts.push(list);
  }
  const plain = memoryWithoutCheckpoints, most = mostOf(memory), scale = Math.max(1, most, plain ? mostOf(plain) : 0);
  const text = word("memory", { m: bytesText(most) }) + " " + word("inUse", { m: bytesText(tape.inUse) });
  parts.push(...memoryBars(memory, s, scale, plain ? word("withCheckpoints") + " " + text : text));
  if (plain) parts.push(...memoryBars(plain, s, scale, word("withoutCheckpoints", { m: bytesText(mostOf(plain)) })));
  $("cost").replaceChildren(...parts);
}
