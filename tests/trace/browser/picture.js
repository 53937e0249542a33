// The README's picture, .github/picture.svg: a page and a debugger at the gradient of a product. This draws it anew:
//   STEPGRAD_DRAW=1 tests/run page -R picture
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test, open } = require("../browser_test.js");

const tree = path.join(__dirname, "../../.."),
	picture = path.join(tree, ".github/picture.svg"),
	walks = fs.readFileSync(path.join(tree, "demos/step/step.md"), "utf8");
// What gdb printed at the gradient of w1: tests/debugger/walk_through_test.py holds it true.
const session = walks
	.match(/^Breakpoint 3, .*matmul #1 [^]*?^\(gdb\) .*$/m)[0]
	.replaceAll("\t", " ");

// In the page: its boxes and its texts, a line each, with their colours.
const drawn = selectors => {
	const found = [];
	const lines = node => {
		const range = document.createRange(),
			split = [];
		for (let i = 0; i < node.data.length; ++i) {
			range.setStart(node, i), range.setEnd(node, i + 1);
			const box = range.getBoundingClientRect(),
				last = split.at(-1);
			if (!box.width || (!last && /\s/.test(node.data[i]))) continue;
			if (last && Math.abs(last.box.bottom - box.bottom) < 4)
				(last.text += node.data[i]), (last.right = box.right);
			else split.push({ text: node.data[i], box, right: box.right });
		}
		return split;
	};
	const walk = (element, style = getComputedStyle(element)) => {
		const { x, y, width, height } = element.getBoundingClientRect();
		if (!width) return;
		const at = { x, y, width, height },
			edge = parseFloat(style.borderTopWidth),
			left = parseFloat(style.borderLeftWidth);
		if (edge || style.backgroundColor !== "rgba(0, 0, 0, 0)")
			found.push({
				...at,
				fill: style.backgroundColor,
				line: edge ? style.borderTopColor : "none",
				edge,
				round: parseFloat(style.borderTopRightRadius),
			});
		if (left && !edge)
			found.push({ ...at, width: left, fill: style.borderLeftColor, line: "none" });
		if (element.matches(".marked, .looked"))
			found.push({
				...at,
				fill: "none",
				line: style.color,
				edge: element.matches(".looked") ? 4 : 2,
			});
		for (const child of element.childNodes)
			if (child.nodeType === 1) walk(child);
			else if (child.nodeType === 3)
				for (const { text, box, right } of lines(child))
					if (text.trim())
						found.push({
							text: text.trimEnd(),
							x: box.x,
							y: box.bottom - box.height * 0.24,
							width: right - box.x,
							fill: style.color,
							size: parseFloat(style.fontSize),
							font: /mono/.test(style.fontFamily) ? "m" : /Math/.test(style.fontFamily) ? "f" : "",
							bold: style.fontWeight > 500,
						});
	};
	for (const each of document.querySelectorAll(selectors)) walk(each);
	return found;
};

const HIDDEN = `#live, button:not(.factor), details, .card:not(.has-marks, .chosen), #path ol > .note
  { display: none !important } #path p { margin: 3px 0 } #path { padding-bottom: 2px }`;

// The page at dB = Aᵀ·dY, and below, side by side, why a number is what it is and its path: the same shapes in
// light and in dark.
async function shapes(colorScheme) {
	const at = async (address, content, selectors) => {
		const page = await open("matmul", `#step=9&cell=W.grad[1,0]&lang=en${address}`, {
			colorScheme,
			viewport: { width: 1290, height: 900 },
		});
		await page.addStyleTag({ content: HIDDEN + content });
		return page.evaluate(drawn, selectors);
	};
	const upper = await at("", "#cards { min-width: 740px }", "#title, #formulas, #cards"),
		why = await at("", "#why { width: 340px }", "#why"),
		way = await at("&path=1.2", "#path { width: 424px }", "#path");
	const moved = (list, right) =>
		list.map(one => ({
			...one,
			x: one.x - list[0].x + left(upper) + right,
			y: one.y - list[0].y + bottom(upper) + 10,
		}));
	return [...upper, ...moved(why, 0), ...moved(way, 352)];
}
const left = list => Math.min(...list.map(({ x }) => x)),
	right = list => Math.max(...list.map(({ x, width }) => x + width)),
	bottom = list => Math.max(...list.map(({ y, height = 0 }) => y + height));

const texts = svg =>
	[...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text.replace(/\s/g, "")).join("");
const escaped = text => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function svgOf(light, dark) {
	const colours = [
		["#fbfbfa", "#14171b"],
		["#d5dadf", "#363e48"],
		["#1d2125", "#e7eaee"],
		["#965500", "#eeb05a"],
	];
	const colour = (i, key) => {
		if (light[i][key] === "none") return "none";
		const pair = [light[i][key], dark[i][key]].join();
		let at = colours.findIndex(one => one.join() === pair);
		if (at < 0) at = colours.push(pair.split(/,(?=rgb|#)/)) - 1;
		return at;
	};
	const margin = 16,
		start = left(light) - margin,
		top = Math.min(...light.map(({ y, size = 0 }) => y - size)) - margin,
		round = x => +x.toFixed(1);
	const parts = light.map((one, i) => {
		const [x, y, width] = [one.x - start, one.y - top, one.width].map(round);
		if (one.text)
			return `<text x="${x}" y="${y}" textLength="${width}" class="f${colour(i, "fill")} ${one.font}${one.bold ? " b" : ""}" font-size="${one.size}">${escaped(one.text)}</text>`;
		const line = colour(i, "line");
		return `<rect x="${x}" y="${y}" width="${width}" height="${round(one.height)}" rx="${one.round ?? 0}" class="${one.fill === "none" ? "n" : "f" + colour(i, "fill")}${line === "none" ? "" : ` s${line}`}"${line === "none" ? "" : ` stroke-width="${one.edge}"`}/>`;
	});
	const width = right(light) - start + margin,
		begin = bottom(light) - top + 10,
		rows = session.split("\n"),
		height = begin + rows.length * 17 + 30;
	rows.forEach((row, i) => {
		const here = /^\d/.test(row);
		parts.push(
			`<text x="${margin + 12}" y="${round(begin + 20 + 17 * i)}" xml:space="preserve" class="f${here ? 3 : 2} m${here ? " b" : ""}" font-size="12.5">${escaped(row)}</text>`,
		);
	});
	const style = which =>
		colours.map((pair, i) => `.f${i}{fill:${pair[which]}}.s${i}{stroke:${pair[which]}}`).join("");
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" font-family="system-ui,sans-serif">
<title>A page at the gradient of a matrix product, and gdb at the line that computes one</title>
<style>.n{fill:none}.m{font-family:ui-monospace,monospace}.f{font-family:Georgia,serif;font-style:italic}.b{font-weight:700}
${style(0)}
@media(prefers-color-scheme:dark){${style(1)}}</style>
<rect width="100%" height="100%" rx="10" class="f0"/>
<rect x="${margin}" y="${round(begin)}" width="${round(width - 2 * margin)}" height="${rows.length * 17 + 14}" rx="8" class="n s1"/>
${parts.join("\n")}
</svg>
`;
}

test("the README's picture has the texts of a page and of the debugger, in light and dark", async () => {
	const svg = svgOf(await shapes("light"), await shapes("dark"));
	if (process.env.STEPGRAD_DRAW) fs.writeFileSync(picture, svg);
	const kept = fs.readFileSync(picture, "utf8");
	assert.equal(texts(kept), texts(svg));
	assert.ok(kept.length < 60_000);
	assert.match(kept, /prefers-color-scheme:dark/);
});
