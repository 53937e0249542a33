const pointsOf = list => list.map(point => point.map(c => c.toFixed(1)).join(",")).join(" ");
const plot = ([W, H, said], ...lines) =>
	make("svg", { viewBox: `0 0 ${W} ${H}`, class: "curve", role: "img", "aria-label": said }, ...lines);

// The loss over one number: 41 runs of the engine, a few at a time. The gradient is its tangent.
class Curve {
	constructor(touched) {
		const { value, from, to } = touched;
		this.touched = touched;
		this.points = [];
		this.xs = bench.isMask(value) ? [0, 1] : range(41).map(k => from + ((to - from) * k) / 40);
		this.order = [8, 4, 2, 1].flatMap(step =>
			this.xs.filter((_, k) => k % step === 0 && (step === 8 || k % (2 * step))),
		);
	}
	// From coarse to fine; if a run takes long, the user's input comes first.
	more() {
		const began = performance.now();
		while (this.points.length < this.xs.length && performance.now() - began < FRAME / 2) {
			const x = this.order[this.points.length],
				before = performance.now();
			this.points.push(bench.lossAt(this.touched, x));
			this.took = performance.now() - before;
		}
		render();
		if (this.points.length < this.xs.length) this.later(this.took < 2 * FRAME ? 0 : this.took);
	}
	later(wait) {
		setTimeout(() => {
			if (bench.curve !== this) return;
			if (bench.waiting) this.later(FRAME);
			else this.more();
		}, wait);
	}
	// The slope between two points beside the current one; on a large tape once the curve is complete.
	measure(say) {
		if (this.of !== run && (this.took < 10 || this.points.length === this.xs.length)) {
			this.of = run;
			this.slope = bench.measured(this.touched);
		}
		if (this.of === run) say(this.slope);
	}
}

function drawCurve() {
	const { curve } = bench,
		{ points, xs: all } = curve,
		{ value, i, name } = state.touched,
		x = bench.given(value)[i];
	const slope = slopeAt(value, i),
		here = bench.lossNow(),
		known = points.filter(([, y]) => Number.isFinite(y)).sort(([a], [b]) => a - b);
	const xs = [...all, x].filter(Number.isFinite),
		ys = [...known.map(([, y]) => y), here].filter(Number.isFinite);
	const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)],
		high = y1 - y0 || 1;
	const W = 280,
		H = 110,
		at = ([a, b]) => [((a - x0) / (x1 - x0)) * W, H - 8 - ((b - y0) / high) * (H - 16)];
	const reach = (x1 - x0) / 5,
		said = word("curveOf", { c: name });
	const [cx, cy] = at([x, here]),
		drawn = Number.isFinite(cx) && Number.isFinite(cy);
	$("curve").replaceChildren(
		plot(
			[W, H, said],
			make("polyline.edge-line", { points: pointsOf(known.map(at)) }),
			!Number.isFinite(slope) || !drawn
				? ""
				: make("line.tangent", {
						x1: at([x - reach, here])[0],
						y1: at([x - reach, here - reach * slope])[1],
						x2: at([x + reach, here])[0],
						y2: at([x + reach, here + reach * slope])[1],
					}),
			drawn ? make("circle.dot", { cx, cy, r: 4.5 }) : "",
		),
		make("div.below", make("span", show(x0, 3)), make("span", name), make("span", show(x1, 3))),
		make(
			"p.note",
			said + (points.length < all.length ? " " + word("stillComputing", { k: points.length, n: all.length }) : ""),
		),
	);
	const say = (m, more = "") => {
		$("slopes").textContent =
			slope === null ? word("noGradient", { c: name }) : word("slopes", { g: show(slope, 4), m }) + more;
	};
	say(word("yet"));
	if (slope !== null && $("exact").open) curve.measure(m => say(show(m, 4), fineness(m, slope, 2 * spanAt(x), here)));
}
