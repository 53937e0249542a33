// ---- Rules: products of matrices ----------------------------------------------------------------

// Matrix products, batched or not: A is [.., m, k]; B is [.., k, n], or [n, k] if transposed.
function productRule(transposed) {
	const parts = c => {
		const a = c.shape(0),
			b = c.shape(1),
			y = c.shape("Y");
		const batched = b.length > 2;
		const k = a[a.length - 1],
			n = y[y.length - 1];
		const m = batched || a.length === b.length ? a[a.length - 2] : product(a) / k;
		const batch = batched || a.length > 2 ? y.slice(0, -2) : [];
		const flatA = !batched && a.length > 2;
		return {
			k,
			n,
			m: flatA ? product(a) / k : m,
			batch: flatA ? [] : batch,
			aBatch: flatA ? [] : a.slice(0, -2),
			bBatch: b.slice(0, -2),
		};
	};
	const at = (p, t, which) =>
		p.batch.length ? narrowed(t, p.batch, which === 0 ? p.aBatch : p.bBatch) : 0;
	const A = (p, t, i, k) => (at(p, t, 0) * p.m + i) * p.k + k;
	const B = (p, t, k, j) => at(p, t, 1) * p.k * p.n + (transposed ? j * p.k + k : k * p.n + j);
	const Y = (p, t, i, j) => (t * p.m + i) * p.n + j;
	const batches = (p, which, b) => range(product(p.batch)).filter(t => at(p, t, which) === b);
	return {
		Y(c, cell) {
			const p = parts(c),
				j = cell % p.n,
				i = Math.floor(cell / p.n) % p.m,
				t = Math.floor(cell / p.n / p.m);
			return {
				terms: range(p.k).map(k =>
					term(1, ref(c.letter(0), A(p, t, i, k)), ref(c.letter(1), B(p, t, k, j))),
				),
			};
		},
		0(c, cell) {
			const p = parts(c),
				k = cell % p.k,
				i = Math.floor(cell / p.k) % p.m,
				b = Math.floor(cell / p.k / p.m);
			return {
				terms: batches(p, 0, b).flatMap(t =>
					range(p.n).map(j => term(1, ref("dY", Y(p, t, i, j)), ref(c.letter(1), B(p, t, k, j)))),
				),
			};
		},
		1(c, cell) {
			const p = parts(c),
				b = Math.floor(cell / (p.k * p.n)),
				rest = cell % (p.k * p.n);
			const k = transposed ? rest % p.k : Math.floor(rest / p.n),
				j = transposed ? Math.floor(rest / p.k) : rest % p.n;
			return {
				terms: batches(p, 1, b).flatMap(t =>
					range(p.m).map(i => term(1, ref(c.letter(0), A(p, t, i, k)), ref("dY", Y(p, t, i, j)))),
				),
			};
		},
	};
}

Object.assign(RULES, {
	matmul: productRule(false),
	batched_matmul: productRule(false),
	linear: productRule(true),
});
