// ---- The step on show: its text, its formulas, and where a cell comes from

// [3, 8] = [3, 4] · [4, 8]: the formula with the shapes under its letters, and the op's arguments.
// In backward, only the gradients that are computed.
function formulaWithShapes(op, step) {
	const added = step.adds?.map(add => "d" + op.letters[add.input]);
	const shown = (step.forward ? op.forward : op.gradient).split(/ {2,}/);
	const computed =
		step.forward || added.length === op.in.length
			? shown
			: shown.filter(one => added.includes(one.split(" = ")[0]) || !/^d\S+ = /.test(one));
	const called = Object.entries(op.attributes)
		.filter(
			([name, list]) =>
				list.length === 1 &&
				(["dim", "diagonal"].includes(name) || computed.some(one => one.match(/\p{L}+/gu).includes(name))),
		)
		.map(([name, [x]]) => `${name} = ${show(fromJson(x))}`);
	const shapes = refuses(op) ? {} : { Y: values[op.out].shape },
		names = { Y: op.out };
	op.in.forEach((v, i) => {
		shapes[op.letters[i]] = values[v].shape;
		names[op.letters[i]] = v;
	});
	const nameUnder = letter =>
		names[letter] === undefined || nameShown(names[letter]) === letter ? "" : clip(nameShown(names[letter]), 14) + " ";
	return [...computed, ...called].map(one => {
		const line = make("span.formula");
		for (const part of one.split(/(d?[A-Z][₁₂ᵢ]?ᵀ?|b[₁₂])/)) {
			const shape = shapes[part.replace(/ᵀ$/, "")] ?? shapes[part.replace(/^d|ᵀ$/g, "")];
			line.append(
				shape
					? make(
							"span.letter",
							part,
							make("small", nameUnder(part.replace(/ᵀ$/, "")) + shapeText(shape) + (part.endsWith("ᵀ") ? "ᵀ" : "")),
						)
					: part,
			);
		}
		return line;
	});
}

function showText(s) {
	const step = steps[s],
		op = ops[step.op];
	const where = step.forward
		? `${word("forward")} ${s + 1} ${word("of")} ${ops.length}`
		: `${word("backward")} ${s - ops.length + 1} ${word("of")} ${backward.length}`;
	$("title").replaceChildren(make("span.where", where), " · " + (op ? title(op) : nameShown(step.value) + ".grad"));
	$("title").className = step.forward ? "" : "going-back-now";
	$("live").replaceChildren(
		...terms(
			!op
				? word("leafText", { name: nameShown(step.value) })
				: refuses(op)
					? tape.refused + "."
					: step.forward
						? sayOp(op)
						: word(step.adds.length ? "bwText" : "bwNone", {
								op: title(op),
								in: [...new Set(step.adds.map(add => nameShown(add.value)))].join(", "),
							}),
		),
	);
	$("formulas").replaceChildren(
		...(op
			? formulaWithShapes(op, step)
			: [make("span.formula", `${nameShown(step.value)}.grad += ${dOf(step.value)}`)]),
	);
	showSource(op ?? lastUser(step.value));
	showCost(s, op);
}

// The op that completed a leaf's gradient: its line is shown at the leaf's step.
const lastUser = value =>
	ops[backward.filter(step => step.op >= 0 && step.adds.some(add => add.value === value)).at(-1)?.op];

// "h: each row of x times each column of w1, summed."; else the formula, "h = max(0, x)".
function sayOp(op) {
	const y = nameShown(op.out),
		names = op.in.map(nameShown),
		text = OPS[op.op] && inLanguage(OPS[op.op]);
	if (!text) {
		const formula = ownFormula(op, "Y") ?? op.forward;
		return `${y} = ${formula.replace(/\p{L}[\p{L}\d₁₂]*/gu, letter => names[op.letters.indexOf(letter)] ?? letter)}`;
	}
	const what = text.replace(/\{(\d)\}/g, (all, k) => names[k] ?? op.letters[+k]);
	return word("opText", { y, what: language === "ko" ? particles(what) : what });
}

// Whether an open question asks where the loss goes with this number.
const isHushed = ({ value }, i) => state.hushed.map(numberToSet).some(to => to && to.value === value && to.i === i);

// What is said of a cell: its sum in letters and in numbers, what it means, notes, and a check.
function textsOf(s, card, i) {
	const { names, sum, meaning, notes } = explainCell(s, card, i);
	return [
		...(names ? [make("p.names", names)] : []),
		make("p.sum", sum),
		...(isHushed(card, i) ? [make("p.note", word("answerFirst"))] : meaning.map(text => make("p.meaning", text))),
		...notes.map(text => make("p.note", text)),
		...checked(s, card, i),
	];
}

// The engine's central difference beside this pass's gradient.
function checked(s, card, i) {
	const cell = card.slope && !card.so && bench && numberOf(card, i);
	if (!cell) return [];
	const g = (steps[s].op < 0 ? numbers(steps[s].adds[0].part) : card.array).at(i),
		said = make("p");
	const say = () => {
		const d = bench.measured(cell),
			digits = Math.min(7, Math.floor(-Math.log10(Math.abs(d - g) / Math.abs(g))));
		said.textContent =
			word("difference", { d: show(d, 5), g: show(g) }) +
			(g && digits > 1 ? " " + word("agree", { n: digits }) : "") +
			fineness(d, g, 2 * spanAt(bench.given(cell.value)[cell.i]), bench.lossNow());
	};
	return [make("details", make("summary", { onclick: say }, word("check")), said)];
}
