// ---- A change's effect as predicted by the slope, and as computed ------------------------------

Object.assign(Bench.prototype, {
	// A step large enough for the loss to show it: `least`, or tens of it.
	riseOf({ value, i }, least = 0.01) {
		const slope = Math.abs(slopeAt(value, i) ?? 0),
			x = Math.abs(this.given(value)[i]),
			fine = 16 * stepOf(this.lossNow());
		let times = 1;
		while (slope && slope * least * times < fine && least * times < Math.max(1, x)) times *= 10;
		return least * times;
	},
	riseButton(cell) {
		const x = this.given(cell.value)[cell.i];
		if (this.isMask(cell.value) || slopeAt(cell.value, cell.i) === null || !Number.isFinite(x))
			return [];
		const rise = this.riseOf(cell),
			text = "+" + show(rise, 2);
		return [
			make(
				"button.rise",
				{
					"aria-label": `${this.nameOf(cell)} ${text}`,
					onclick: () => {
						this.choose(cell.value, cell.i),
							this.set(Math.fround(this.given(cell.value)[cell.i] + rise));
					},
				},
				text,
			),
		];
	},
	nameOf: ({ value, i }) =>
		nameShown(value) +
		(values[value].shape.length ? "[" + unravel(i, values[value].shape).join(", ") + "]" : ""),

	// Of the number being changed: its slope at the start, and the loss since then.
	compared() {
		const { value, i, name } = this.touched,
			{ x, loss, slope, sides } = this.began,
			now = this.given(value)[i];
		const p = (slope ?? NaN) * (now - x),
			r = this.lossNow() - loss,
			step = stepOf(loss);
		if (x === now || !Number.isFinite(p) || !Number.isFinite(r)) return [];
		const said = [
			word("bySlope", { c: name, a: show(x), b: show(now), p: show(p, 3), r: show(r, 3) }),
		];
		if (p !== 0 && Math.abs(p) < step)
			said.push(word("tooFine", { step: show(step, 2), loss: show(loss, 4), bits: bitsOf() }));
		else if (Math.abs(r - p) > 0.1 * Math.abs(p) + 2 * step) said.push(...crossed(sides));
		return [make("p.compared", said.join(" "))];
	},
});
