// ---- A step's tensors, one card each

// A step's cards. `name` is used in addresses; `target` is whyCell's.
function cardsOf(s) {
	const step = steps[s],
		cards = [];
	const kept = i =>
		values[i].value !== null ? null : word(values[i].changed ? "changedSince" : "notKept");
	const value = (key, i, role) =>
		cards.push({
			key,
			label: key + (nameShown(i) !== key ? " = " + nameShown(i) : ""),
			name: nameOf(i),
			role,
			value: i,
			array: numbers(values[i].value),
			missing: kept(i),
		});
	const saved = op => {
		// the op's own: a mask, ids, a row's mean
		for (const [key, array] of Object.entries(op.saved))
			if (key !== "Y" && !op.letters.includes(key))
				cards.push({ key, label: key, role: word("saves"), array: numbers(array) });
	};
	if (step.forward) {
		const op = ops[step.op];
		op.in.forEach((v, i) => value(op.letters[i], v, word("input")));
		saved(op);
		value("Y", op.out, word("output"));
		Object.assign(cards.at(-1), { target: "Y", result: true });
		return cards;
	}
	if (step.op < 0) {
		const [add] = step.adds,
			name = nameOf(step.value) + ".grad",
			shown = nameShown(step.value) + ".grad",
			before = numbers(values[step.value].grad);
		const whole = { value: step.value, slope: true, ...(add.of ? {} : { so: { of: 0 } }) };
		if (before)
			cards.push({
				key: "earlier",
				label: shown,
				role: word("earlier"),
				note: word("earlierPass"),
				array: before,
			});
		cards.push({
			key: "dY",
			label: dOf(step.value),
			role: word(step.hooked ? "hooked" : add.of ? "arrives" : "difference_"),
			name: name + ".part",
			array: numbers(add.part),
			missing: word("inside"),
			...whole,
		});
		cards.push({
			key: "total",
			label: shown,
			role: word(before ? "sumOfPasses" : "gradient"),
			name,
			array: numbers(add.total),
			missing: word("inside"),
			result: true,
			target: "leaf",
			isGradient: true,
			...whole,
			older: before && add.of ? [before] : null,
		});
		return cards;
	}
	const op = ops[step.op];
	cards.push({
		key: "dY",
		label: "dY = " + dOf(op.out),
		role: step.hooked ? word("hooked") : word("arrives"),
		name: nameOf(op.out) + ".grad",
		array: numbers(step.dY),
		value: op.out,
		isGradient: true,
		slope: true,
	});
	op.in.forEach((v, i) => {
		if (values[v].value !== null || values[v].changed) value(op.letters[i], v, word("value"));
	});
	saved(op);
	const sums = []; // after all contributions: the earlier gradient, and the total
	for (const add of [...step.adds].sort((a, b) => a.input - b.input)) {
		const key = "d" + op.letters[add.input],
			name = nameOf(add.value);
		const before = product(add.before) / product(values[add.value].shape);
		const collapse =
			before > 1
				? word("collapse", {
						after: shapeText(values[add.value].shape),
						before: shapeText(add.before),
						n: before,
					})
				: null;
		cards.push({
			key,
			label: key + " = " + dOf(add.value),
			role: word("part"),
			name: name + ".grad.part",
			array: numbers(add.part),
			target: add.input,
			result: true,
			note: collapse,
			value: add.value,
		});
		const so = gradients.get(add.value),
			at = so.findIndex(other => other.at === step.at && other.input === add.input);
		const whole = add.nth === add.of,
			part = cards.at(-1);
		if (add.of === 1) part.slope = true;
		else {
			part.role = word("partOf", { k: add.nth, n: add.of || "?" });
			part.so = whole ? null : { k: add.nth, of: add.of };
		}
		if (at > 0 && so[at - 1].total != null) {
			sums.push({
				key: key + "-before",
				label: dOf(add.value),
				role: word("earlier"),
				array: numbers(so[at - 1].total),
				value: add.value,
			});
			sums.push({
				key: key + "-total",
				label: dOf(add.value),
				role: word(whole ? "allParts" : "partsSoFar", { k: add.nth, n: add.of }),
				name: name + ".grad",
				array: numbers(add.total),
				target: "sum",
				parts: [key + "-before", key],
				value: add.value,
				isGradient: whole,
				slope: whole,
				so: part.so,
				result: true,
			});
		} else {
			Object.assign(part, { name: name + ".grad", alias: name + ".grad.part", isGradient: whole });
		}
	}
	return [...cards, ...sums];
}
