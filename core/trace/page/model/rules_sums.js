// ---- Rules: reductions

// Sums over the dimensions that are 1 in `summed`.
function reduceRule(mean) {
	const n = c => (mean ? product(c.shape(0)) / product(c.shape("Y")) : 1);
	return {
		Y: (c, y) => ({
			terms: spread(y, c.list("summed"), c.shape(0)).map(x => term(1, ref("X", x))),
			divide: n(c),
		}),
		0: (c, x) => ({
			terms: [term(1, ref("dY", narrowed(x, c.shape(0), c.list("summed"))))],
			divide: n(c),
		}),
	};
}

function layerNormRule() {
	// Of i's row: its mean, 1/√(variance + eps), each number's H, and H's size before it cancelled.
	const normed = (c, i) => {
		const row = rowOf(c, i),
			x = row.map(k => c.at("X", k)),
			M = add(x) / x.length;
		const R = 1 / Math.sqrt(add(x.map(one => (one - M) ** 2)) / x.length + c.attribute("eps"));
		return {
			row,
			M,
			R,
			h: k => (c.at("X", k) - M) * R,
			size: k => 1 + (Math.abs(c.at("X", k)) + Math.abs(M)) * R,
		};
	};
	const add = list => list.reduce((a, b) => a + b, 0);
	const column = (c, j) => range(product(c.shape(0)) / c.shape(0).at(-1)).map(r => r * c.shape(0).at(-1) + j);
	return {
		Y: (c, i) => {
			const j = i % c.shape(0).at(-1),
				{ row, M, R, h, size } = normed(c, i);
			return {
				refs: [...refsOf(row), ref("W", j), ref("B", j)],
				value: h(i) * c.at("W", j) + c.at("B", j),
				size: size(i) * Math.abs(c.at("W", j)) + Math.abs(c.at("B", j)),
				text: `(${show(c.at("X", i))} − ${bracketed(show(M))}) · ${show(R)} · ${bracketed(show(c.at("W", j)))} + ${bracketed(show(c.at("B", j)))}`,
			};
		},
		0: (c, i) => {
			const n = c.shape(0).at(-1),
				{ row, R, h, size } = normed(c, i),
				dH = k => c.at("dY", k) * c.at("W", k % n);
			const mean = add(row.map(dH)) / n,
				meanH = add(row.map(k => dH(k) * h(k))) / n;
			return {
				terms: row.map(k => ({
					...sized(
						R * c.at("W", k % n) * ((k === i) - (1 + h(i) * h(k)) / n),
						R * c.at("W", k % n) * ((k === i) + (1 + size(i) * size(k)) / n),
						ref("dY", k),
					),
					marks: [ref("X", k), ref("W", k % n)],
				})),
				text: `R·(dH − mean dH − H·mean(H∘dH)) = ${show(R)} · (${show(dH(i))} − ${bracketed(show(mean))} − ${bracketed(show(h(i)))}·${bracketed(show(meanH))})`,
			};
		},
		1: (c, j) => ({
			terms: column(c, j).map(i => {
				const { row, h, size } = normed(c, i);
				return { ...sized(h(i), size(i), ref("dY", i)), marks: refsOf(row) };
			}),
		}),
		2: (c, j) => ({ terms: column(c, j).map(i => term(1, ref("dY", i))) }),
	};
}

// A row shifted for exp: less its largest number, if that one's exp is too large or too small.
function shifted(c, i) {
	const most = Math.max(...rowOf(c, i).map(j => c.at("X", j))),
		by = Math.abs(most) > 80 ? most : 0;
	return j => c.at("X", j) - by;
}
const exponentials = (c, i) =>
	joinedFirst(
		rowOf(c, i)
			.map(shifted(c, i))
			.map(x => `exp(${show(x)})`),
	);

function logSoftmax(c, i) {
	const row = rowOf(c, i).map(j => c.at("X", j)),
		most = Math.max(...row);
	return c.at("X", i) - most - Math.log(row.reduce((sum, x) => sum + Math.exp(x - most), 0));
}

const linesOf = c => linesAlong(c.shape(0), c.attribute("dim"));
const refsOf = cells => cells.map(i => ref("X", i));
// The sum of some cells of cell i's line.
const sumAlong = (letter, some) => (c, i) => {
	const { line, of } = linesOf(c),
		{ y, k } = of(i);
	return { terms: some(line(y), k).map(x => term(1, ref(letter, x))) };
};
// The cells of std's group at x's place, and their mean.
function spreadAround(c, x) {
	const cells = spread(narrowed(x, c.shape(0), c.list("summed")), c.list("summed"), c.shape(0));
	return { cells, mean: cells.reduce((sum, i) => sum + c.at("X", i), 0) / cells.length };
}

Object.assign(RULES, {
	sum: reduceRule(false),
	mean: reduceRule(true),
	layer_norm: layerNormRule(),
	softmax: {
		Y: (c, i) => ({
			refs: refsOf(rowOf(c, i)),
			value: Math.exp(logSoftmax(c, i)),
			size: Math.exp(logSoftmax(c, i)) * (1 + Math.abs(c.at("X", i)) + Math.abs(logSoftmax(c, i)) || 1),
			text: `exp(${show(shifted(c, i)(i))}) / (${exponentials(c, i)})`,
		}),
		0: (c, i) => ({
			marks: [ref("Y", i)],
			terms: rowOf(c, i).map(j => ({
				...sized(c.at("Y", j) * ((j === i) - c.at("Y", i)), c.at("Y", j) * ((j === i) + c.at("Y", i)), ref("dY", j)),
				marks: [ref("Y", j)],
			})),
			text: `${show(c.at("Y", i))} · (${show(c.at("dY", i))} − (${joinedFirst(rowOf(c, i).map(j => `${show(c.at("Y", j))}·${bracketed(show(c.at("dY", j)))}`))}))`,
		}),
	},
	log_softmax: {
		Y: (c, i) => ({
			refs: refsOf(rowOf(c, i)),
			value: logSoftmax(c, i),
			size: Math.abs(logSoftmax(c, i)) + Math.abs(c.at("X", i)),
			text: `${show(shifted(c, i)(i))} − log(${exponentials(c, i)})`,
		}),
		0: (c, i) => ({
			marks: [ref("Y", i)],
			terms: rowOf(c, i).map(j =>
				sized(
					(j === i) - Math.exp(c.at("Y", i)),
					(j === i) + Math.exp(c.at("Y", i)) * (1 + Math.abs(c.at("Y", i))),
					ref("dY", j),
				),
			),
			text: `${show(c.at("dY", i))} − exp(${show(c.at("Y", i))}) · (${joinedFirst(rowOf(c, i).map(j => show(c.at("dY", j))))})`,
		}),
	},
	cross_entropy: {
		Y: c => {
			const n = c.shape(0).at(-1),
				rows = c.attribute("rows"),
				s = c.attribute("smoothing");
			const used = range(product(c.shape(1))).filter(r => c.at("T", r) !== c.attribute("ignore"));
			const log = (k, w) =>
				c.has("P")
					? term(w, ref("P", k))
					: sized(w * logSoftmax(c, k), w * (Math.abs(c.at("X", k)) + Math.abs(logSoftmax(c, k))));
			return {
				terms: used.flatMap(r =>
					s
						? range(n).map(j => log(r * n + j, -(s / n + (1 - s) * (j === c.at("T", r)))))
						: [log(r * n + c.at("T", r), -1)],
				),
				divide: rows,
				marks: used.flatMap(r => [ref("T", r), ...range(n).map(j => ref("X", r * n + j))]),
			};
		},
		0: (c, i) => {
			const n = c.shape(0).at(-1),
				r = Math.floor(i / n),
				j = i % n,
				s = c.attribute("smoothing"),
				t = c.at("T", r);
			const marks = [...(c.has("P") ? [ref("P", i)] : []), ref("T", r), ref("dY", 0), ...refsOf(rowOf(c, i))];
			if (t === c.attribute("ignore"))
				return { terms: [term(false, ref("dY", 0))], marks, text: `0 (${word("ignored")})` };
			const q = (1 - s) * (j === t) + s / n,
				log = c.has("P") ? c.at("P", i) : logSoftmax(c, i),
				p = Math.exp(log),
				rows = c.attribute("rows");
			return {
				terms: [sized((p - q) / rows, (p * (1 + Math.abs(log)) + q) / rows, ref("dY", 0))],
				marks,
				text: `(softmax − Q) · dY / rows = (${show(p)} − ${show(q)}) · ${bracketed(show(c.at("dY", 0)))} / ${rows}`,
			};
		},
	},
	cumsum: {
		Y: sumAlong("X", (cells, k) => cells.slice(0, k + 1)),
		0: sumAlong("dY", (cells, k) => cells.slice(k)),
	},
	prod: {
		Y: (c, y) => ({ terms: [term(1, ...refsOf(linesOf(c).line(y)))] }),
		0: (c, i) => {
			const { y } = linesOf(c).of(i),
				others = linesOf(c)
					.line(y)
					.filter(x => x !== i);
			return { terms: [term(1, ref("dY", y), ...refsOf(others))] };
		},
	},
	amax: {
		Y: (c, y) => {
			const cells = linesOf(c).line(y);
			return {
				refs: refsOf(cells),
				value: Math.max(...cells.map(i => c.at("X", i))),
				text: `max(${joinedFirst(
					cells.map(i => show(c.at("X", i))),
					", ",
				)})`,
			};
		},
		0: (c, i) => {
			const { line, of } = linesOf(c),
				{ y } = of(i),
				largest = c.at("Y", y);
			// Object.is: a NaN ties with each NaN; + 0, so that −0 ties with 0
			const ties = line(y).filter(x => Object.is(c.at("X", x) + 0, largest + 0));
			return {
				terms: [term(ties.includes(i) / ties.length, ref("dY", y))],
				marks: [ref("X", i), ref("Y", y), ...refsOf(ties)],
			};
		},
	},
	std: {
		Y: (c, y) => {
			const { cells, mean } = spreadAround(c, spread(y, c.list("summed"), c.shape(0))[0]);
			const value = Math.sqrt(cells.reduce((sum, i) => sum + (c.at("X", i) - mean) ** 2, 0) / c.attribute("degrees"));
			return {
				refs: refsOf(cells),
				value,
				size: value + Math.max(...cells.map(i => Math.abs(c.at("X", i)))),
				text: `√((${joinedFirst(cells.map(i => `(${show(c.at("X", i))} − ${bracketed(show(mean))})²`))}) / ${c.attribute("degrees")})`,
			};
		},
		0: (c, i) => {
			const { cells, mean } = spreadAround(c, i),
				y = narrowed(i, c.shape(0), c.list("summed"));
			const per = c.at("Y", y) * c.attribute("degrees"),
				x = c.at("X", i);
			return {
				terms: [sized(per !== 0 && (x - mean) / per, (Math.abs(x) + Math.abs(mean)) / per, ref("dY", y))],
				marks: [ref("Y", y), ...refsOf(cells)],
				text:
					c.at("Y", y) === 0
						? "0    (Y = 0)"
						: `${show(c.at("dY", y))} · (${show(x)} − ${bracketed(show(mean))}) / (${show(c.at("Y", y))} · ${c.attribute("degrees")})`,
			};
		},
	},
	// The tape keeps too little of these to show all.
	checkpoint: {
		Y: () => ({ text: "f(X)", note: word("checkpointed") }),
		0: () => ({ text: "dX", note: word("checkpointed") }),
	},
	fused_attention: target => c => ({
		text: ownFormula(c.op, target),
		note: word("fused"),
	}),
	fused_feed_forward: target =>
		target === 4
			? (c, j) => {
					const n = c.shape(4)[0];
					return {
						terms: range(product(c.shape("Y")) / n).map(r => term(1, ref("dY", r * n + j))),
					};
				}
			: c => ({ text: ownFormula(c.op, target), note: word("fused") }),
});
