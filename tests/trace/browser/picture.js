// The README's picture, .github/picture.svg: a page and a debugger at the gradient of a product. This draws it anew:
//   STEPGRAD_DRAW=1 tests/run page -R picture$
"use strict";
require("../browser_test.js");
const fs = require("node:fs");

const tree = __dirname + "/../../..",
	picture = tree + "/.github/picture.svg";
// What gdb printed at the gradient of w1: walk_through_test.py holds it true.
const session = fs
	.readFileSync(tree + "/demos/step/step.md", "utf8")
	.match(/^Breakpoint 3, .*matmul #1 [^]*?^\(gdb\) .*$/m)[0]
	.replaceAll("\t", " ")
	.split("\n");

// In the page: its boxes, and its texts, a line each, with their colours.
const drawn = selectors => {
	const found = [],
		range = document.createRange();
	const addText = (node, style) => {
		let last;
		for (let i = 0; i < node.data.length; ++i) {
			range.setStart(node, i), range.setEnd(node, i + 1);
			const { x, right, bottom, height } = range.getBoundingClientRect();
			if (!height || (!(last && last.bottom === bottom) && !node.data[i].trim())) continue;
			if (last?.bottom !== bottom)
				found.push(
					(last = {
						text: "",
						x,
						y: bottom - height * 0.24,
						bottom,
						fill: style.color,
						size: parseFloat(style.fontSize),
						font: /mono/.test(style.fontFamily) ? "m" : /Math/.test(style.fontFamily) ? "f" : "",
						bold: style.fontWeight > 500 ? "b" : "",
					}),
				);
			last.text += node.data[i];
			if (node.data[i].trim()) last.width = right - last.x;
		}
	};
	const walk = element => {
		const style = getComputedStyle(element),
			{ x, y, width, height } = element.getBoundingClientRect(),
			edge = parseFloat(style.borderTopWidth),
			left = parseFloat(style.borderLeftWidth);
		const add = more => found.push({ x, y, width, height, ...more });
		if (!width) return;
		if (edge || style.backgroundColor !== "rgba(0, 0, 0, 0)")
			add({
				fill: style.backgroundColor,
				...(edge && { line: style.borderTopColor, edge }),
				round: parseFloat(style.borderTopRightRadius),
			});
		if (left && !edge) add({ width: left, fill: style.borderLeftColor });
		if (element.matches(".marked, .looked")) add({ line: style.color, edge: element.matches(".looked") ? 4 : 2 });
		for (const child of element.childNodes)
			if (child.nodeType === 1) walk(child);
			else if (child.nodeType === 3) addText(child, style);
	};
	document.querySelectorAll(selectors).forEach(walk);
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
	const all = await at("", "#cards { min-width: 740px }", "#title, #formulas, #cards"),
		[x, y] = [leftOf(all), bottomOf(all) + 10];
	for (const [right, shape] of [
		[0, await at("", "#why { width: 340px }", "#why")],
		[352, await at("&path=1.2", "#path { width: 424px }", "#path")],
	])
		for (const one of shape) all.push({ ...one, x: one.x - shape[0].x + x + right, y: one.y - shape[0].y + y });
	return all;
}
const leftOf = all => Math.min(...all.map(({ x }) => x)),
	rightOf = all => Math.max(...all.map(({ x, width }) => x + width)),
	bottomOf = all => Math.max(...all.map(({ y, height = 0 }) => y + height));

function svgOf(light, dark) {
	const margin = 16,
		start = leftOf(light) - margin,
		top = Math.min(...light.map(({ y, size = 0 }) => y - size)) - margin,
		escaped = text => text.trimEnd().replaceAll("&", "&amp;").replaceAll("<", "&lt;");
	// Classes: a colour in light and in dark is a letter, f or s before it; a size is z and its number.
	const colours = ["#fbfbfa,#14171b", "#d5dadf,#363e48", "#1d2125,#e7eaee", "#965500,#eeb05a"],
		used = new Set(["f0", "s1", "f2", "f3"]),
		sizes = new Set([12.5]);
	const classOf = (kind, i, key) => {
		const pair = `${light[i][key]},${dark[i][key]}`.replaceAll(
			/rgb\((\d+), (\d+), (\d+)\)/g,
			(_, ...rgb) =>
				"#" +
				rgb
					.slice(0, 3)
					.map(x => (+x).toString(16).padStart(2, "0"))
					.join(""),
		);
		if (!/^#/.test(pair)) return kind === "f" ? "n" : "";
		if (!colours.includes(pair)) colours.push(pair);
		const name = kind + colours.indexOf(pair);
		used.add(name);
		return name;
	};
	const sized = size => (sizes.add(size), "z" + 2 * size);
	const rects = [],
		texts = {}; // by their classes
	const write = (looks, at, text) => (texts[looks] ??= []).push(`<text ${at}>${escaped(text)}</text>`);
	light.forEach((one, i) => {
		const [x, y, width, height] = [one.x - start, one.y - top, one.width, one.height ?? 0].map(Math.round),
			at = `x="${x}" y="${y}"`,
			all = [classOf("f", i, "fill"), classOf("s", i, "line"), one.font, one.bold, one.text && sized(one.size)],
			looks = all.filter(Boolean).join(" ");
		if (one.text) return write(looks, at + (width > 30 ? ` textLength="${width}"` : ""), one.text);
		const more = (one.round ? ` rx="${one.round}"` : "") + (one.edge > 1 ? ` stroke-width="${one.edge}"` : "");
		rects.push(`<rect ${at} class="${looks}" width="${width}" height="${height}"${more}/>`);
	});
	const width = rightOf(light) - start + margin,
		begin = bottomOf(light) - top + 10,
		inner = session.length * 17 + 14;
	session.forEach((row, i) => {
		const at = `x="28" y="${Math.round(begin + 20 + 17 * i)}" xml:space="preserve"`;
		write(/^\d/.test(row) ? "f3 m b z25" : "f2 m z25", at, row);
	});
	const looks = which =>
		[...used]
			.map(
				([kind, ...i]) =>
					`.${kind + i.join("")}{${kind === "f" ? "fill" : "stroke"}:${colours[i.join("")].split(",")[which]}}`,
			)
			.join("");
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.round(width)} ${Math.round(begin + inner + 16)}" font-family="system-ui,sans-serif">
<title>A page at the gradient of a matrix product, and gdb at the line that computes one</title>
<style>.n{fill:none}.m{font-family:ui-monospace,monospace}.f{font-family:Georgia,serif;font-style:italic}.b{font-weight:700}
${[...sizes].map(size => `.z${2 * size}{font-size:${size}px}`).join("")}
${looks(0)}
@media(prefers-color-scheme:dark){${looks(1)}}</style>
<rect width="100%" height="100%" rx="10" class="f0"/>
<rect x="${margin}" y="${Math.round(begin)}" width="${Math.round(width - 2 * margin)}" height="${inner}" rx="8" class="n s1"/>
${rects.join("\n")}
${Object.entries(texts)
	.map(([looks, all]) => `<g class="${looks}">${all.join("\n")}</g>`)
	.join("\n")}
</svg>
`;
}

test("the README's picture has the texts of a page and of the debugger, in light and dark", async () => {
	const svg = svgOf(await shapes("light"), await shapes("dark"));
	// Other fonts break the texts elsewhere, so places are not compared.
	const texts = svg => [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text.replace(/\s/g, "")).join("");
	const colours = svg => [...new Set(svg.match(/#[0-9a-f]{6}/g))].sort().join();
	if (process.env.STEPGRAD_DRAW) fs.writeFileSync(picture, svg);
	const kept = fs.readFileSync(picture, "utf8");
	equal(texts(kept), texts(svg));
	equal(colours(kept), colours(svg));
});
