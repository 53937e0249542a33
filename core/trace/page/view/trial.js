// ---- A lesson's question: the user changes the number before the answer -------------------------

Object.assign(Bench.prototype, {
	offer({ value, i, sign, number, asked, exact }, box, answer) {
		this.putBack();
		const was = this.given(value)?.[i];
		if (was === undefined) return false;
		const by = asked ? this.riseOf({ value, i }, number) : number,
			x = Math.fround(sign ? was + (sign === "-" ? -by : by) : number);
		if (alike(x, was)) return false;
		this.choose(value, i);
		const { name } = this.touched;
		this.trial = { value, i, x: was, to: x, exact, loss: this.lossNow(), box, answer };
		box.replaceChildren(
			make(
				"button.try",
				{
					onclick: () => {
						this.choose(value, i), this.set(x);
					},
				},
				word("tryIt", { c: name, x: show(x) }),
			),
		);
		return true;
	},
	tried() {
		const { trial, touched } = this;
		if (!trial?.answer || !this.touches(trial)) return;
		const x = this.given(trial.value)[trial.i],
			is = this.lossNow();
		if (trial.exact ? !alike(x, trial.to) : !((x - trial.x) * (trial.to - trial.x) > 0)) return; // another change
		trial.box.replaceChildren(
			make("p.was", word("tryNow", { c: touched.name, x: show(x) }) + " " + wasIs(trial.loss, is)),
			...trial.answer(is - trial.loss),
			...this.compared(),
		);
		(trial.answer = null), (trial.set = x);
	},
	// After training, the loss has moved for other reasons: the user predicts again.
	dropTrial() {
		if (this.trial?.answer) this.trial.box.replaceChildren();
		this.trial = null;
	},
	putBack() {
		// the numbers from before the question
		const { trial } = this;
		this.trial = null;
		if (!trial || !alike(this.given(trial.value)?.[trial.i], trial.set)) return;
		this.given(trial.value)[trial.i] = trial.x;
		this.show(), this.newCurve(), this.draw();
	},
});
