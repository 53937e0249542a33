// ---- The playground: a model is chosen, built by the engine, and is a tape like any

const PLAY = rowsOf(`
setup | Model and sizes | 모델과 크기 | 模型与尺寸
dataSet | data set | 데이터 세트 | 数据集
ofAbs | each target is |x| | 목표는 |x| | 目标是 |x|
ofMean | each target is the mean of the words so far | 목표는 지금까지 단어의 평균 | 目标是到此为止各词的平均
model | model | 모델 | 模型
words | words | 단어 | 词数
heads | heads | 헤드 | 头
experts | experts | 전문가 | 专家
seed | seed | 시드 | 种子
dropoutShare | dropout | 드롭아웃 | dropout
inTraining | in training | 학습 모드 | 训练模式
shown | Still shown: | 지금 보이는 것: | 现在显示的是：
ffn | 000: position-wise FFN | 000: 위치별 FFN | 000：逐位置 FFN
linear_ffn | 001: FFN of Linear layers | 001: Linear 층의 FFN | 001：Linear 层的 FFN
gelu | 001: FFN with GELU | 001: GELU FFN | 001：GELU FFN
glu | 001: gated FFN (GEGLU) | 001: 게이트 FFN (GEGLU) | 001：门控 FFN（GEGLU）
attention | 002: one attention head, masked | 002: 마스크 있는 어텐션 헤드 하나 | 002：带掩码的一个注意力头
block | 001: Transformer block | 001: 트랜스포머 블록 | 001：Transformer 块
expertsModel | 001: mixture of experts | 001: 전문가 혼합 | 001：混合专家
circle | points in a circle | 원 안의 점 | 圆内的点
quadrants | points in two quadrants | 두 사분면의 점 | 两个象限里的点
letters | small language model: the next letter | 작은 언어 모델: 다음 글자 | 小语言模型：下一个字母
ofPoint | each target is the point's class | 목표는 점의 클래스 | 目标是点的类别
plane | Dots: the data, red 1, blue −1. Ground: what the model gives at each place. {k} of {n} dots have the right sign. | 점: 데이터, 빨강은 1, 파랑은 −1. 바탕: 모델이 그 자리에 내는 값. 점 {n}개 중 {k}개의 부호가 맞습니다. | 点：数据，红为 1，蓝为 −1。底色：模型在各处给出的值。{n} 个点中 {k} 个符号正确。
writes | What the model writes after “{from}”, each time the likeliest letter: | “{from}” 다음에 모델이 쓰는 글, 매번 가장 그럴듯한 글자: | 模型在“{from}”之后写出的文字，每次取最可能的字母：
learns | It learns: {text} | 배우는 글: {text} | 它学的是：{text}
`);
const playWord = name => (PLAY[name] ? inLanguage(PLAY[name]) : name);
const playSaid = (name, with_) => playWord(name).replace(/\{(\w+)\}/g, (_, key) => with_[key]);

const SETUP = {
	model: "ffn",
	words: 3,
	d_model: 4,
	d_ff: 8,
	heads: 2,
	experts: 2,
	seed: 1,
	dropout: 0.25,
	training: 1,
};
const seen = ["circle", "quadrants", "letters"], // models whose result is seen
	dropsOut = m => m !== "attention" && !seen.includes(m);
const NEEDS = {
	words: m => !seen.includes(m),
	d_model: m => !seen.includes(m) || m === "letters",
	d_ff: m => m !== "attention",
	heads: m => m === "block",
	experts: m => m === "experts",
	dropout: dropsOut,
	training: dropsOut,
};

const addressOf = setup =>
	Object.keys(setup)
		.filter(name => setup[name] !== SETUP[name] || name === "model")
		.map(name => `${name}=${encodeURIComponent(setup[name])}`);
function builds(engine, setup) {
	engine.give(Object.values(setup).join(" "));
	engine.ask("build");
}

// The tape of the setup in the address. If that is impossible: the model's tape in other sizes,
// with a sentence; the setup can then be changed.
async function played({ playground, source, text }) {
	const asked = new URLSearchParams(location.hash.slice(1)),
		setup = { ...SETUP };
	for (const name of Object.keys(SETUP))
		if (asked.has(name)) setup[name] = name === "model" ? asked.get(name) : Number(asked.get(name));
	const note = document.getElementById("broken"),
		problems = [];
	note.textContent = word("loading");
	const engine = await Engine.start().catch(error => {
		note.textContent = word("notLive", { why: error.message });
		throw error;
	});
	for (const one of [setup, { ...SETUP, model: setup.model }, SETUP])
		try {
			builds(engine, one);
			return {
				...JSON.parse(engine.said),
				source,
				playground,
				text,
				rate: one.model === "letters" ? 0.5 : 0.1,
				pace: seen.includes(one.model) ? 0 : undefined, // each step is drawn
				setup: one,
				wanted: { ...setup },
				setupParts: addressOf(setup),
				problem: problems[0],
			};
		} catch (error) {
			problems.push(error.message);
		}
}

// Eight batches to train on and eight to test with, of random words. The target is |x|, or for a model
// whose words see each other the mean of the words so far; of random points it is their class.
const attends = () => ["attention", "block"].includes(tape.setup.model),
	ofPlane = () => ["circle", "quadrants"].includes(tape.setup.model);
function dataSet() {
	const { seed, words, d_model: d, model } = tape.setup;
	let random = seed + 1;
	const uniform = () => {
			random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
			return (random + 1) / (2 ** 32 + 1);
		},
		normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
	const batch = () => {
		const x = ofPlane() ? range(2 * POINTS).map(() => 4 * uniform() - 2) : range(words * d).map(normal),
			classOf = (a, b) => ((model === "circle" ? a * a + b * b < 8 / 3.14159 : a * b > 0) ? 1 : -1),
			meanSoFar = i => {
				const all = range(Math.floor(i / d) + 1).map(word => x[word * d + (i % d)]);
				return all.reduce((a, b) => a + b) / all.length;
			};
		const target = ofPlane()
			? range(POINTS).map(k => classOf(x[2 * k], x[2 * k + 1]))
			: attends()
				? x.map((_, i) => meanSoFar(i))
				: x.map(Math.abs);
		return [
			[valueCalled("x"), x],
			[valueCalled("target"), target],
		];
	};
	return { train: range(8).map(batch), test: range(8).map(batch) };
}
const dataSetSaid = () =>
	tape.setup.model === "letters"
		? null // it has its text
		: `${playWord("dataSet")}: ${playWord(ofPlane() ? "ofPoint" : attends() ? "ofMean" : "ofAbs")}`;

// ---- What a model has learned, by the engine with its present numbers

const POINTS = 64, // of x
	SIDE = 24; // of the ground, in squares: nine times x
// The output y, of n numbers, for other x.
function outputFor(x, n) {
	const at = valueCalled("x"),
		kept = bench.given(at).slice();
	bench.given(at).set(x);
	try {
		const { engine } = bench,
			y = engine.exports.output(valueCalled("y"));
		if (!y) throw new Error(engine.said);
		return engine.floats(y, n).slice();
	} finally {
		bench.given(at).set(kept);
	}
}
function plane() {
	const [x, target] = ["x", "target"].map(name => bench.given(valueCalled(name)).slice()),
		places = range(SIDE * SIDE).flatMap(k => [
			((k % SIDE) + 0.5) * (4 / SIDE) - 2,
			2 - (Math.floor(k / SIDE) + 0.5) * (4 / SIDE),
		]),
		ground = range(places.length / x.length).flatMap(k => [
			...outputFor(places.slice(k * x.length, (k + 1) * x.length), POINTS),
		]),
		right = outputFor(x, POINTS).filter((y, k) => y * target[k] > 0).length,
		squares = {};
	ground.forEach((y, k) => {
		(squares[shade(y, 1)] ??= []).push(`M${k % SIDE} ${Math.floor(k / SIDE)}h1v1h-1z`);
	});
	const said = playSaid("plane", { k: right, n: POINTS }),
		at = c => ((c + 2) * SIDE) / 4,
		dot = k => {
			const [cx, cy] = [at(x[2 * k]), SIDE - at(x[2 * k + 1])];
			return make(`circle.s-${target[k] > 0 ? "p" : "n"}4`, {
				cx,
				cy,
				r: 0.45,
				stroke: "currentColor",
			});
		};
	return [
		plot(
			[SIDE, SIDE, said],
			...Object.entries(squares).map(([degree, all]) => make("path.s-" + degree, { d: all.join("") })),
			...range(POINTS).map(dot),
		),
		make("p.note", said),
	];
}
function writtenText() {
	const letters = [...new Set(tape.text)].sort(),
		x = bench.given(valueCalled("x")).slice(),
		text = [...tape.text.slice(-3)].map(letter => letters.indexOf(letter)),
		n = letters.length;
	for (let k = 0; k < tape.text.length; ++k) {
		const y = outputFor([...text.slice(-3), ...x.slice(3)], n);
		text.push(y.indexOf(Math.max(...y)));
	}
	return [
		make("p.note", playSaid("writes", { from: tape.text.slice(-3) })),
		make(
			"pre.written",
			text
				.slice(3)
				.map(id => letters[id])
				.join(""),
		),
		make("p.note", playSaid("learns", tape)),
	];
}
function showResult() {
	if (!seen.includes(tape.setup.model)) return;
	if (!$("result")) $("touch").after(make("div", { id: "result" }));
	$("result").replaceChildren(...(ofPlane() ? plane() : writtenText()));
}

// Chooses a model: goes to its address, if possible.
function showSetup() {
	const setup = tape.wanted,
		change = async (name, value) => {
			setup[name] = name === "model" ? value : Number(value);
			const engine = await Engine.start();
			try {
				builds(engine, setup);
			} catch (error) {
				tape.problem = error.message;
				showSetup();
				return $("setup-" + name)?.focus();
			}
			const parts = [...addressOf(setup), ...(state.chosen ? ["lang=" + language] : [])];
			stopWriting();
			history.replaceState(null, "", "#" + parts.join("&"));
			location.reload();
		};
	const differs = Object.keys(setup).filter(name => setup[name] !== tape.setup[name]);
	const input = (name, value, more, own = "input") => {
		if (NEEDS[name]?.(setup.model) === false) return "";
		const said = playWord({ dropout: "dropoutShare", training: "inTraining" }[name] ?? name),
			onchange = ({ target }) => change(name, target.type === "checkbox" ? +target.checked : target.value),
			{ options = [], ...attributes } = more;
		return make("label", said, " ", make(own, { id: "setup-" + name, value, onchange, ...attributes }, ...options));
	};
	const counted = (name, more) => input(name, setup[name], { type: "number", min: 1, max: 12, ...more });
	const options = tape.playground.map(name =>
		make(
			"option",
			{ value: name, selected: name === setup.model },
			playWord(name === "experts" ? "expertsModel" : name),
		),
	);
	const shown = differs.map(name => `${playWord(name)} = ${playWord(tape.setup[name])}`).join(", "),
		problem = () => `${word("engineSays", { why: tape.problem })} ${playWord("shown")} ${shown}.`;
	if ($("setup").hidden) $("setup").open = location.hash.includes("model=");
	$("setup").hidden = false;
	$("setup").replaceChildren(
		make("summary", playWord("setup")),
		input("model", null, { options }, "select"),
		...["words", "d_model", "d_ff", "heads", "experts"].map(name => counted(name)),
		counted("seed", { min: 0, max: 1e9 }),
		counted("dropout", { min: 0, max: 0.9, step: 0.05 }),
		input("training", null, { type: "checkbox", checked: !!setup.training }),
		tape.problem ? make("p.wrong", { role: "alert" }, problem()) : "",
	);
}

Engine.maker = { tape: played, showSetup, dataSet, dataSetSaid, showResult };
