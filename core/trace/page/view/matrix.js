// ---- A tensor as numbers, and as a picture if it is large

const MOST_ROWS = 24,
	MOST_COLUMNS = 16;
const fitsTable = array => array.complete && array.rows <= MOST_ROWS && array.columns <= MOST_COLUMNS;

// A card: {key, label, role, array, value?}. Its cells can be selected by pointer and keys. Some are
// covered; `near`: rows and columns to show of a large tensor.
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
	if (!array.data.length) {
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
	if (array.data.length > 1 && Number.isFinite(+min)) foot.append(scaleOf(array, +min, +max));
	foot.append(text.join("   "));
	card.append(foot);
	if (array.block) card.append(make("p.stats.reduced", word("reduced", { h: array.high, w: array.wide })));
	return card;
}

// A number's colour, in five degrees of each sign: p4 .. p0, n0 .. n4, zero, nan.
function shade(x, largest) {
	if (Number.isNaN(x)) return "nan";
	if (x === 0) return "zero";
	return (x > 0 ? "p" : "n") + Math.min(4, Math.floor(Math.sqrt(Math.min(1, Math.abs(x) / largest)) * 5));
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
		alone = array.data.length === 1;
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
	if (x === undefined) return make("td", { role: "gridcell", class: "unknown" + gap, title: word("notHere") }, "·");
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
	on("focusin", (key, i) => state.held || look(key, i)); // Tab replaces nothing that is held
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
		else if (to[event.key]) {
			focusCell(to[event.key]);
			look(key, +to[event.key].dataset.i);
		}
	});
}
function focusCell(td) {
	td.closest("table").querySelector('td[tabindex="0"]').tabIndex = -1;
	td.tabIndex = 0;
	td.focus({ preventScroll: true });
}

// A large tensor's blocks as a canvas; of a small one, its numbers.
function picture({ array, key }, labelled) {
	const { across, down } = array,
		size = Math.max(1, Math.min(12, Math.floor(360 / across), Math.floor(200 / down) || 1));
	const canvas = make("canvas", {
		width: across * size,
		height: Math.max(down * size, 20),
		tabindex: 0,
		role: "application",
		"aria-labelledby": labelled,
		"data-across": across,
	});
	const on = (name, run) => canvas.addEventListener(name, run),
		cellAt = k => (array.complete ? k : -1 - k),
		under = event => {
			const [x, y] = placeOf(event, canvas),
				within = (x, n) => Math.max(0, Math.min(n - 1, Math.floor(x * n)));
			return within(y, down) * across + within(x, across);
		},
		looked = () => (state.cell?.key === key ? blockIn(array, state.cell.i) : 0);
	on("pointermove", event => point(key, cellAt(under(event)), event));
	on("click", event => chooseCell(key, cellAt(under(event))));
	on("focus", () => state.held || look(key, cellAt(looked())));
	on("keydown", event => {
		const here = looked();
		if (event.key === "Enter") enterCell(key, cellAt(here));
		const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[event.key];
		if (!way) return;
		event.preventDefault();
		event.stopPropagation();
		if (here + way >= 0 && here + way < array.data.length) look(key, cellAt(here + way));
	});
	return make("div.scroll", canvas);
}
const blockIn = (array, i) => (i < 0 ? -1 - i : array.complete ? i : array.blockOf(i));
// With frames around the block that is looked at and the blocks that it comes from.
function paint(canvas, { array, covered }, marked, looked) {
	const { across, down } = array,
		[wide, high] = [canvas.width / across, canvas.height / down],
		at = k => [(k % across) * wide, Math.floor(k / across) * high, wide, high],
		pen = canvas.getContext("2d"),
		style = getComputedStyle(document.documentElement),
		colours = {},
		colour = name => (colours[name] ??= style.getPropertyValue("--" + name));
	const fill = (k, name, opacity) => {
		pen.globalAlpha = opacity;
		pen.fillStyle = colour(name);
		pen.fillRect(...at(k));
	};
	for (let k = 0; k < array.data.length; ++k) {
		fill(k, "zero", 1);
		if (!covered) fill(k, shade(array.data[k], array.largest), 1 - array.zeros(k));
	}
	pen.globalAlpha = 1;
	pen.lineWidth = 2;
	pen.strokeStyle = colour("mark");
	for (const i of marked) pen.strokeRect(...at(blockIn(array, i)));
	pen.strokeStyle = colour("text");
	if (looked !== null) pen.strokeRect(...at(blockIn(array, looked)));
}

// Marks cells of the cards on show: {card key: [cell]}.
function markCells(places, chosen) {
	for (const card of $$("#cards .card")) {
		const { card: key } = card.dataset,
			marked = new Set(places.get(key) ?? []),
			has = chosen?.key === key,
			canvas = card.querySelector("canvas"),
			shown = cardCalled(key);
		card.classList.toggle("has-marks", marked.size > 0);
		card.classList.toggle("chosen", has);
		for (const td of card.querySelectorAll("td[data-i]")) td.classList.toggle("marked", marked.has(+td.dataset.i));
		if (canvas && shown)
			paint(canvas, { ...shown, covered: coveredCells(shown, state).size > 0 }, marked, has ? chosen.i : null);
	}
}
