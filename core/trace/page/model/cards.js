// ---- A step's tensors, one card each

// A step's cards. `name` is used in addresses; `target` is whyCell's.
function cardsOf(s) {
	const step = steps[s];
	if (step.op < 0) return leafCards(step);
	const op = ops[step.op];
	return step.forward
		? [
				...op.in.map((v, i) => valueCard(op.letters[i], v, word("input"))),
				...savedCards(op),
				...(refuses(op) ? [] : [{ ...valueCard("Y", op.out, word("output")), target: "Y", result: true }]),
			]
		: backwardCards(step, op);
}
function valueCard(key, i, role) {
	const { value, changed } = values[i],
		name = nameShown(i);
	return {
		key,
		label: key + (name !== key ? " = " + name : ""),
		name: nameOf(i),
		role,
		value: i,
		array: numbers(value),
		missing: value === null && word(changed ? "changedSince" : "notKept"),
	};
}
// The op's own: a mask, ids, a row's mean.
const savedCards = op =>
	Object.entries(op.saved)
		.filter(([key]) => key !== "Y" && !op.letters.includes(key))
		.map(([key, array]) => ({ key, label: key, role: word("saves"), array: numbers(array) }));

// The step in which a leaf's grad += its gradient.
function leafCards({ value, adds: [add], hooked }) {
	const name = nameOf(value) + ".grad",
		label = nameShown(value) + ".grad",
		before = numbers(values[value].grad),
		whole = { value, slope: true, missing: word("inside"), ...(add.of ? {} : { so: { of: 0 } }) };
	return [
		...(before ? [{ key: "earlier", label, role: word("earlier"), note: word("earlierPass"), array: before }] : []),
		{
			key: "dY",
			label: dOf(value),
			role: word(hooked ? "hooked" : add.of ? "arrives" : "difference_"),
			name: name + ".part",
			array: numbers(add.part),
			...whole,
		},
		{
			key: "total",
			label,
			role: word(before ? "sumOfPasses" : "gradient"),
			name,
			array: numbers(add.total),
			result: true,
			target: "leaf",
			...whole,
			older: before && add.of ? [before] : null,
		},
	];
}

function backwardCards(step, op) {
	const dY = {
			key: "dY",
			label: "dY = " + dOf(op.out),
			role: word(step.hooked ? "hooked" : "arrives"),
			name: nameOf(op.out) + ".grad",
			array: numbers(step.dY),
			value: op.out,
			slope: true,
		},
		known = op.in.flatMap((v, i) =>
			values[v].value !== null || values[v].changed ? [valueCard(op.letters[i], v, word("value"))] : [],
		),
		adds = [...step.adds].sort((a, b) => a.input - b.input).map(add => partCards(step, op, add));
	return [dY, ...known, ...savedCards(op), ...adds.map(([part]) => part), ...adds.flatMap(([, ...sums]) => sums)];
}
// A contribution; if others came before it, also these, and the total.
function partCards(step, op, { value, input, before, part, total, nth, of }) {
	const key = "d" + op.letters[input],
		name = nameOf(value) + ".grad",
		label = dOf(value),
		{ shape } = values[value],
		copies = product(before) / product(shape),
		shapes = { after: shapeText(shape), before: shapeText(before), n: copies },
		so = gradients.get(value),
		at = so.findIndex(other => other.at === step.at && other.input === input),
		ends = so[at + 1]?.at !== step.at, // no other of this step follows
		first = !(at > 0) || so[at - 1].total == null,
		whole = nth === of,
		card = {
			key,
			label: key + " = " + label,
			role: of === 1 ? word("part") : word("partOf", { k: nth, n: of || "?" }),
			name: name + (first && ends ? "" : ".part"),
			alias: first && ends ? name + ".part" : undefined,
			array: numbers(part),
			target: input,
			result: true,
			note: copies > 1 ? word("collapse", shapes) : null,
			value,
			slope: of === 1,
			so: of === 1 || whole ? null : { k: nth, of },
		};
	if (first) return [card];
	return [
		card,
		{
			key: key + "-before",
			label,
			role: word("earlier"),
			array: numbers(so[at - 1].total),
			value,
		},
		{
			key: key + "-total",
			label,
			role: word(whole ? "allParts" : "partsSoFar", { k: nth, n: of }),
			name: ends ? name : undefined,
			array: numbers(total),
			target: "sum",
			parts: [key + "-before", key],
			value,
			slope: whole,
			so: card.so,
			result: true,
		},
	];
}
