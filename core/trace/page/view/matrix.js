// ---- A tensor as numbers, and as a picture if it is large

const MOST_ROWS = 24,
	MOST_COLUMNS = 16;
const fitsTable = array =>
	array.complete && array.rows <= MOST_ROWS && array.columns <= MOST_COLUMNS;

// A card: {key, label, role, array, value?}. Its cells can be selected by pointer and keys. Some are
// covered; `near`: rows and columns to show of a large tensor; `here`: the cell that is looked at.
function cardOf(spec) {
	const { label, role, array, key, covered } = spec;
	const card = make("section", {
		class: "card" + (spec.result ? " result" : ""),
		"data-card": key,
	});
	const id = "card-" + key.replace(/\W/g, "_");
	card.append(make("h3", { id }, make("b", label), make("span.role", role)));
	if (spec.note) card.append(make("p.note", spec.note));
	if (!array) {
		card.append(make("div.hatched", make("span", spec.missing)));
		return card;
	}
	if (!array.kept.length) {
		card.append(make("p.note", shapeText(array.shape) + " · " + word("empty")));
		return card;
	}
	const all = { rows: range(array.rows), columns: range(array.columns) },
		shown = spec.near ?? (fitsTable(array) ? all : array.crops[0]);
	if (shown) card.append(table(spec, shown, id));
	if (!fitsTable(array) && (!spec.near || array.crops.length)) card.append(picture(spec, id));
	if (covered.size) return card; // they would reveal the answer
	const { min, max, mean, nan, inf } = array.stats;
	const text = [`${shapeText(array.shape)}   ${word("mean")} ${show(+mean, 3)}`];
	if (nan) text.push(`${nan} NaN`);
	if (inf) text.push(`${inf} ∞`);
	const foot = make("p.stats");
	if (array.kept.length > 1 && Number.isFinite(+min)) foot.append(scaleOf(array, +min, +max));
	foot.append(text.join("   "));
	card.append(foot);
	if (array.block)
		card.append(make("p.stats.reduced", word("reduced", { h: array.high, w: array.wide })));
	return card;
}

// The cells' colours from the smallest number to the largest.
function scaleOf(array, min, max) {
	const bar = make("span.scale", make("span", show(min, 3)));
	for (const part of range(9))
		bar.append(make("i", { class: "s-" + shade(min + ((max - min) * part) / 8, array.largest) }));
	bar.append(make("span", show(max, 3)));
	return bar;
}

function cellText(x) {
	if (Number.isNaN(x)) return "NaN";
	return (x > 0 ? "+" : "") + show(x, Math.abs(x) < 0.1 ? 2 : 3);
}

// The numbers at `rows` and `columns`, with their indices at the edges; "⋯" for numbers left out, a
// line between the matrices of a tensor of more than two dimensions.
function table(spec, { rows, columns }, labelled) {
	const { array } = spec,
		outer = array.shape.slice(0, -1),
		matrix = outer.at(-1) ?? 1,
		named = rowWords(matrix),
		across = matrix === array.columns && named, // an attention's words
		alone = array.kept.length === 1;
	const gap = (list, k) => (k > 0 && list[k] !== list[k - 1] + 1 ? " gap" : ""),
		block = (r, k) => (outer.length > 1 && k && r % matrix === 0 ? " block" : "");
	const head = (scope, text, word, name = "") =>
		make(
			"th",
			{ role: scope + "header", scope: scope.slice(0, 3), class: name.trim() },
			word ? `${text} ${word}` : text,
		);
	const tops = columns.map((c, k) => head("column", c, across?.[c], gap(columns, k))),
		lines = rows.map((r, k) =>
			make(
				"tr",
				{ role: "row", class: (gap(rows, k) || block(r, k)).trim() },
				alone ? "" : head("row", unravel(r, outer).join(","), named?.[r % matrix]),
				...columns.map((c, j) => numberCell(spec, r * array.columns + c, gap(columns, j))),
			),
		),
		top = alone ? "" : make("tr", { role: "row" }, make("td", { role: "presentation" }), ...tops);
	const body = make("table", { role: "grid", "aria-labelledby": labelled }, top, ...lines);
	body.querySelector("td[data-i]")?.setAttribute("tabindex", 0);
	return make("div.scroll", body);
}
function numberCell({ array, covered, before }, i, gap) {
	const x = array.at(i),
		hidden = covered.has(i),
		text = hidden ? "?" : cellText(x ?? NaN);
	if (x === undefined)
		return make("td", { role: "gridcell", class: "unknown" + gap, title: word("notHere") }, "·");
	const colour = hidden ? "covered" : "s-" + shade(x, array.largest),
		moved = !hidden && before && !alike(before.at(i), x) ? " moved" : "";
	return make(
		"td",
		{
			role: "gridcell",
			tabindex: -1,
			"data-i": i,
			"aria-label": `${text} ${array.place(i)}`,
			class: colour + gap + moved,
		},
		text,
	);
}
// The events of all cells.
function listenToCells() {
	const on = (name, run) =>
		$("cards").addEventListener(name, event => {
			const td = event.target.closest?.("td[data-i]");
			if (td) run(td.closest("[data-card]").dataset.card, +td.dataset.i, event, td);
		});
	on("pointerover", (key, i, event) => event.pointerType !== "touch" && point(key, i, event));
	on("click", (key, i, event, td) => {
		focusCell(td);
		chooseCell(key, i);
	});
	on("focusin", look);
	on("keydown", (key, i, event, td) => {
		const row = td.parentElement,
			cellsOf = line => [...(line?.querySelectorAll("td[data-i]") ?? [])],
			place = cellsOf(row).indexOf(td);
		const to = {
			ArrowLeft: cellsOf(row)[place - 1],
			ArrowRight: cellsOf(row)[place + 1],
			ArrowUp: cellsOf(row.previousElementSibling)[place],
			ArrowDown: cellsOf(row.nextElementSibling)[place],
			Home: cellsOf(row)[0],
			End: cellsOf(row).at(-1),
			Enter: td,
			" ": td,
		};
		if (!(event.key in to)) return;
		event.preventDefault();
		event.stopPropagation();
		if (/Enter| /.test(event.key)) enterCell(key, i);
		else if (to[event.key]) focusCell(to[event.key]);
	});
}
function focusCell(td) {
	td.closest("table").querySelector('td[tabindex="0"]').tabIndex = -1;
	td.tabIndex = 0;
	td.focus({ preventScroll: true });
}

// A canvas, with frames around the block under the pointer and the blocks it comes from.
function picture({ array, key, covered, here: first }, labelled) {
	const hidden = covered.size > 0;
	const size = Math.max(
		1,
		Math.min(12, Math.floor(360 / array.across), Math.floor(200 / array.down) || 1),
	);
	const width = array.across * size,
		height = Math.max(array.down * size, 20),
		high = height / array.down;
	const canvas = make("canvas", {
		width,
		height,
		tabindex: 0,
		role: "application",
		"aria-labelledby": labelled,
		"data-across": array.across,
	});
	const box = make("div.scroll", canvas);
	const numberOf = k => (array.complete ? k : -1 - k),
		blockOf = i => (i < 0 ? -1 - i : array.complete ? i : array.blockOf(i));
	let here = first === null ? 0 : blockOf(first);
	const at = k => [(k % array.across) * size, Math.floor(k / array.across) * high, size, high];
	canvas.paint = (marked = new Set(), chosen = null) => {
		const style = getComputedStyle(document.documentElement),
			pen = canvas.getContext("2d"),
			colours = {};
		const colour = name => (colours[name] ??= style.getPropertyValue("--" + name));
		for (let k = 0; k < array.kept.length; ++k) {
			const fill = name => {
				pen.fillStyle = colour(name);
				pen.fillRect(...at(k));
			};
			fill("zero");
			pen.globalAlpha = 1 - array.zeros(k);
			if (!hidden) fill(shade(array.kept[k], array.largest));
			pen.globalAlpha = 1;
		}
		pen.lineWidth = 2;
		pen.strokeStyle = colour("mark");
		for (const i of marked) pen.strokeRect(...at(blockOf(i)));
		pen.strokeStyle = colour("text");
		if (chosen !== null) pen.strokeRect(...at(blockOf(chosen)));
	};
	const lookAt = k => {
		here = k;
		look(key, numberOf(k));
	};
	canvas.addEventListener("pointermove", event => {
		const rect = canvas.getBoundingClientRect(),
			within = (x, n) => Math.max(0, Math.min(n - 1, Math.floor(x * n)));
		const k =
			within((event.clientY - rect.top) / rect.height, array.down) * array.across +
			within((event.clientX - rect.left) / rect.width, array.across);
		if (k === here) return;
		here = k;
		point(key, numberOf(k), event);
	});
	canvas.addEventListener("focus", () => lookAt(here));
	canvas.addEventListener("click", () => chooseCell(key, numberOf(here)));
	canvas.addEventListener("keydown", event => {
		const n = array.across;
		const to = {
			ArrowLeft: here - 1,
			ArrowRight: here + 1,
			ArrowUp: here - n,
			ArrowDown: here + n,
		}[event.key];
		if (event.key === "Enter") enterCell(key, numberOf(here));
		if (to === undefined) return;
		event.preventDefault();
		event.stopPropagation();
		if (to >= 0 && to < array.kept.length) lookAt(to);
	});
	canvas.paint();
	return box;
}

// Marks cells of the cards on show: {card key: [cell]}.
function markCells(places, chosen) {
	for (const card of document.querySelectorAll("#cards .card")) {
		const marked = new Set(places.get(card.dataset.card) ?? []),
			has = chosen?.key === card.dataset.card;
		card.classList.toggle("has-marks", marked.size > 0);
		card.classList.toggle("chosen", has);
		for (const td of card.querySelectorAll("td[data-i]"))
			td.classList.toggle("marked", marked.has(+td.dataset.i));
		card.querySelector("canvas")?.paint(marked, has ? chosen.i : null);
	}
}
// A card on show, or a part of it.
const shownCard = (key, part = "") =>
	document.querySelector(`#cards [data-card="${CSS.escape(key)}"] ${part}`);
const shownCell = (key, i) => shownCard(key, `:is(td[data-i="${i}"], canvas)`);
