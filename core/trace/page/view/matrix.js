// ---- A tensor as numbers, and as a picture if it is large ---------------------------------------

const MOST_ROWS = 24,
	MOST_COLUMNS = 16;
const fitsTable = array =>
	array.complete && array.rows <= MOST_ROWS && array.columns <= MOST_COLUMNS;

// A card: {key, label, role, array, value?, covered}. Its cells can be selected by pointer and
// keys.
function cardOf(spec, events) {
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
	if (fitsTable(array))
		card.append(table(spec, range(array.rows), range(array.columns), events, id));
	else {
		if (array.crops.length)
			card.append(table(spec, array.crops[0].rows, array.crops[0].columns, events, id));
		card.append(picture(spec, events, id));
	}
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
function table({ array, key, covered, before }, rows, columns, events, labelled) {
	const grid = make("div.scroll"),
		body = make("table", {
			role: "grid",
			"aria-labelledby": labelled,
		});
	const outer = array.shape.slice(0, -1),
		matrix = outer.at(-1) ?? 1;
	const gap = (list, k) => k > 0 && list[k] !== list[k - 1] + 1;
	const named = rowWords(matrix),
		across = matrix === array.columns && named; // an attention's words
	const label = (k, text, words) => (words ? text + " " + words[k] : text);
	if (array.kept.length > 1) {
		const head = make("tr", { role: "row" }, make("td", { role: "presentation" }));
		columns.forEach((c, k) =>
			head.append(
				make(
					"th",
					{ role: "columnheader", scope: "col", class: gap(columns, k) ? "gap" : "" },
					label(c, String(c), across),
				),
			),
		);
		body.append(head);
	}
	let first = true;
	rows.forEach((r, k) => {
		const row = make("tr", {
			role: "row",
			class: gap(rows, k) ? "gap" : outer.length > 1 && k && r % matrix === 0 ? "block" : "",
		});
		if (array.kept.length > 1)
			row.append(
				make(
					"th",
					{ role: "rowheader", scope: "row" },
					label(r % matrix, unravel(r, outer).join(","), named),
				),
			);
		columns.forEach((c, j) => {
			const i = r * array.columns + c,
				hidden = covered.has(i);
			if (array.at(i) === undefined)
				return row.append(
					make(
						"td",
						{
							role: "gridcell",
							class: "unknown" + (gap(columns, j) ? " gap" : ""),
							title: word("notHere"),
						},
						"·",
					),
				);
			row.append(
				make(
					"td",
					{
						role: "gridcell",
						tabindex: first ? 0 : -1,
						"data-i": i,
						"aria-label": `${hidden ? "?" : cellText(array.at(i))} ${array.place(i)}`,
						class:
							(hidden ? "covered" : "s-" + shade(array.at(i), array.largest)) +
							(gap(columns, j) ? " gap" : "") +
							(!hidden && before && !alike(before.at(i), array.at(i)) ? " moved" : ""),
					},
					hidden ? "?" : cellText(array.at(i)),
				),
			);
			first = false;
		});
		body.append(row);
	});
	const on = (name, run) =>
		body.addEventListener(name, event => {
			const td = event.target.closest?.("td[data-i]");
			if (td) run(+td.dataset.i, event, td);
		});
	on("pointerover", (i, event) => event.pointerType !== "touch" && events.point(key, i, event));
	on("click", (i, event, td) => {
		focus(td), events.choose(key, i);
	});
	on("focusin", i => events.look(key, i));
	on("keydown", (i, event, td) => {
		const cellsOf = row => [...(row?.querySelectorAll("td[data-i]") ?? [])],
			row = td.parentElement,
			place = cellsOf(row).indexOf(td);
		const go = cell => () => cell && focus(cell),
			enter = () => events.enter(key, i);
		const move = {
			Enter: enter,
			" ": enter,
			ArrowLeft: go(cellsOf(row)[place - 1]),
			ArrowRight: go(cellsOf(row)[place + 1]),
			ArrowUp: go(cellsOf(row.previousElementSibling)[place]),
			ArrowDown: go(cellsOf(row.nextElementSibling)[place]),
			Home: go(cellsOf(row)[0]),
			End: go(cellsOf(row).at(-1)),
		}[event.key];
		if (move) event.preventDefault(), event.stopPropagation(), move();
	});
	const focus = td => {
		body.querySelector('td[tabindex="0"]').tabIndex = -1;
		(td.tabIndex = 0), td.focus({ preventScroll: true });
	};
	grid.append(body);
	return grid;
}

// A canvas, with frames around the block under the pointer and the blocks it comes from.
function picture({ array, key, covered }, events, labelled) {
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
	let here = 0;
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
		(pen.lineWidth = 2), (pen.strokeStyle = colour("mark"));
		for (const i of marked) pen.strokeRect(...at(blockOf(i)));
		pen.strokeStyle = colour("text");
		if (chosen !== null) pen.strokeRect(...at(blockOf(chosen)));
	};
	const look = k => {
		here = k;
		events.look(key, numberOf(k));
	};
	canvas.addEventListener("pointermove", event => {
		const rect = canvas.getBoundingClientRect(),
			within = (x, n) => Math.max(0, Math.min(n - 1, Math.floor(x * n)));
		const k =
			within((event.clientY - rect.top) / rect.height, array.down) * array.across +
			within((event.clientX - rect.left) / rect.width, array.across);
		if (k !== here) (here = k), events.point(key, numberOf(k), event);
	});
	canvas.addEventListener("focus", () => look(here));
	canvas.addEventListener("click", () => events.choose(key, numberOf(here)));
	canvas.addEventListener("keydown", event => {
		const n = array.across;
		const to = {
			ArrowLeft: here - 1,
			ArrowRight: here + 1,
			ArrowUp: here - n,
			ArrowDown: here + n,
		}[event.key];
		if (event.key === "Enter") events.enter(key, numberOf(here));
		if (to === undefined) return;
		event.preventDefault(), event.stopPropagation();
		if (to >= 0 && to < array.kept.length) look(to);
	});
	canvas.paint();
	return box;
}

// Marks cells of the cards on show: {card key: [cell]}.
function markCells(places, chosen = "") {
	for (const card of document.querySelectorAll("#cards .card")) {
		const marked = new Set(places.get(card.dataset.card) ?? []),
			[key, cell] = chosen.split(" ");
		card.classList.toggle("has-marks", marked.size > 0);
		card.classList.toggle("chosen", key === card.dataset.card);
		for (const td of card.querySelectorAll("td[data-i]"))
			td.classList.toggle("marked", marked.has(+td.dataset.i));
		card.querySelector("canvas")?.paint(marked, key === card.dataset.card ? +cell : null);
	}
}
// A card on show, or a part of it.
const shownCard = (key, part = "") =>
	document.querySelector(`#cards [data-card="${CSS.escape(key)}"] ${part}`);
const shownCell = (key, i) => shownCard(key, `:is(td[data-i="${i}"], canvas)`);
function pointAt(key, i) {
	for (const td of document.querySelectorAll("#cards td.looked")) td.classList.remove("looked");
	shownCard(key, `td[data-i="${i}"]`)?.classList.add("looked");
}
