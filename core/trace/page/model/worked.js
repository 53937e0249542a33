// ---- What a sum gives as it is printed

// The value of "0.5·(−2) + exp(1) / 3". null: it is no such sum.
function worked(text) {
	const tokens = text.match(/[\d.]+(e−?\d+)?|∞|[A-Za-z]\w*|√|\S/g) ?? [];
	let k = 0;
	const next = token => tokens[k] === token && Boolean(++k);
	const fail = () => {
		throw new SyntaxError();
	};
	const list = end => {
		const found = [sum()];
		while (next(",")) found.push(sum());
		return next(end) ? found : fail();
	};
	function sum() {
		let x = product();
		for (;;)
			if (next("+")) x += product();
			else if (next("−")) x -= product();
			else return x;
	}
	function product() {
		let x = factor();
		for (;;)
			if (next("·")) x *= factor();
			else if (next("/")) x /= factor();
			else return x;
	}
	function factor() {
		if (next("−")) return -factor();
		const x = number();
		return next("²") ? x * x : next("^") ? x ** factor() : x;
	}
	function number() {
		if (next("(")) return list(")")[0];
		if (next("|")) return Math.abs(list("|")[0]);
		const token = tokens[k++] ?? fail(),
			f = token === "√" ? Math.sqrt : token !== "round" && Math[token]; // its halves go up
		if (typeof f === "function" && next("(")) return f(...list(")"));
		return numberIn(token) ?? fail();
	}
	try {
		const x = sum();
		return k === tokens.length ? x : null;
	} catch (error) {
		if (error instanceof SyntaxError) return null;
		throw error;
	}
}
// Whether what is printed before "=" gives x, as it is printed after it.
function gives(text, x) {
	const folded = /\([^()]*[:：][^()\d−]*(−?[\d.]+(e−?\d+)?)\)/, // (the other 7 terms: together 0.3)
		sum = text.split("    ")[0].split(" = ").at(-1),
		y = worked(sum.replace(folded, "($1)"));
	return y === null || alike(x, y) || !Number.isFinite(x) || Math.abs(x - y) <= 1e-5 * Math.abs(x);
}
// say(), with as many digits as it takes for its text to give x; else the sign is ≈.
function truly(x, say) {
	try {
		for (more = 0; ; ++more) {
			const said = say(),
				near = said.text && !gives(said.text, x);
			if (!near || more === 3) return { ...said, sign: near ? "≈" : "=" };
		}
	} finally {
		more = 0;
	}
}
