// ---- The playground: a model is chosen, built by the engine, and is a tape like any

const PLAY = {};
PLAY.en = {
	setup: "Model and sizes",
	dataSet: "data set",
	ofAbs: "each target is |x|",
	ofMean: "each target is the mean of the words so far",
	model: "model",
	words: "words",
	heads: "heads",
	experts: "experts",
	seed: "seed",
	dropoutShare: "dropout",
	inTraining: "in training",
	shown: "Still shown:",
	ffn: "000: position-wise FFN",
	linear_ffn: "001: FFN of Linear layers",
	gelu: "001: FFN with GELU",
	glu: "001: gated FFN (GEGLU)",
	attention: "002: one attention head, masked",
	block: "001: Transformer block",
	expertsModel: "001: mixture of experts",
};
PLAY.ko = {
	setup: "모델과 크기",
	dataSet: "데이터 세트",
	ofAbs: "목표는 |x|",
	ofMean: "목표는 지금까지 단어의 평균",
	model: "모델",
	words: "단어",
	heads: "헤드",
	experts: "전문가",
	seed: "시드",
	dropoutShare: "드롭아웃",
	inTraining: "학습 모드",
	shown: "지금 보이는 것:",
	ffn: "000: 위치별 FFN",
	linear_ffn: "001: Linear 층의 FFN",
	gelu: "001: GELU FFN",
	glu: "001: 게이트 FFN (GEGLU)",
	attention: "002: 마스크 있는 어텐션 헤드 하나",
	block: "001: 트랜스포머 블록",
	expertsModel: "001: 전문가 혼합",
};
PLAY.zh = {
	setup: "模型与尺寸",
	dataSet: "数据集",
	ofAbs: "目标是 |x|",
	ofMean: "目标是到此为止各词的平均",
	model: "模型",
	words: "词数",
	heads: "头",
	experts: "专家",
	seed: "种子",
	dropoutShare: "dropout",
	inTraining: "训练模式",
	shown: "现在显示的是：",
	ffn: "000：逐位置 FFN",
	linear_ffn: "001：Linear 层的 FFN",
	gelu: "001：GELU FFN",
	glu: "001：门控 FFN（GEGLU）",
	attention: "002：带掩码的一个注意力头",
	block: "001：Transformer 块",
	expertsModel: "001：混合专家",
};
const playWord = name => PLAY[language][name] ?? name;

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
const NEEDS = {
	d_ff: m => m !== "attention",
	heads: m => m === "block",
	experts: m => m === "experts",
	dropout: m => m !== "attention",
	training: m => m !== "attention",
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
async function played({ playground, source }) {
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
// whose words see each other the mean of the words so far.
const attends = () => ["attention", "block"].includes(tape.setup.model);
function dataSet() {
	const { seed, words, d_model: d } = tape.setup;
	let random = seed + 1;
	const uniform = () => {
			random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
			return (random + 1) / (2 ** 32 + 1);
		},
		normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
	const batch = () => {
		const x = range(words * d).map(normal),
			meanSoFar = i => {
				const all = range(Math.floor(i / d) + 1).map(word => x[word * d + (i % d)]);
				return all.reduce((a, b) => a + b) / all.length;
			};
		const target = attends() ? x.map((_, i) => meanSoFar(i)) : x.map(Math.abs);
		return [
			[valueCalled("x"), x],
			[valueCalled("target"), target],
		];
	};
	return { train: range(8).map(batch), test: range(8).map(batch) };
}
const dataSetSaid = () => `${playWord("dataSet")}: ${playWord(attends() ? "ofMean" : "ofAbs")}`;

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
	const labelled = (name, input) =>
		NEEDS[name]?.(setup.model) === false
			? ""
			: make(
					"label",
					playWord({ dropout: "dropoutShare", training: "inTraining" }[name] ?? name),
					" ",
					input,
				);
	const counted = (name, max) =>
		labelled(
			name,
			make("input", {
				type: "number",
				min: name === "seed" ? 0 : 1,
				max,
				value: setup[name],
				id: "setup-" + name,
				onchange: event => change(name, event.target.value),
			}),
		);
	if ($("setup").hidden) $("setup").open = location.hash.includes("model=");
	$("setup").hidden = false;
	$("setup").replaceChildren(
		make("summary", playWord("setup")),
		labelled(
			"model",
			make(
				"select",
				{ id: "setup-model", onchange: event => change("model", event.target.value) },
				...tape.playground.map(name =>
					make(
						"option",
						{ value: name, selected: name === setup.model },
						playWord(name === "experts" ? "expertsModel" : name),
					),
				),
			),
		),
		counted("words", 12),
		counted("d_model", 12),
		counted("d_ff", 12),
		counted("heads", 12),
		counted("experts", 12),
		counted("seed", 1e9),
		labelled(
			"dropout",
			make("input", {
				type: "number",
				min: 0,
				max: 0.9,
				step: 0.05,
				id: "setup-dropout",
				value: setup.dropout,
				onchange: event => change("dropout", event.target.value),
			}),
		),
		labelled(
			"training",
			make("input", {
				type: "checkbox",
				id: "setup-training",
				checked: !!setup.training,
				onchange: event => change("training", +event.target.checked),
			}),
		),
		tape.problem
			? make(
					"p.wrong",
					{ role: "alert" },
					word("engineSays", { why: tape.problem }) +
						" " +
						playWord("shown") +
						" " +
						differs.map(name => `${playWord(name)} = ${playWord(tape.setup[name])}`).join(", ") +
						".",
				)
			: "",
	);
}

Engine.maker = { tape: played, showSetup, dataSet, dataSetSaid };
