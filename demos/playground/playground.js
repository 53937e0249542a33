// ---- The playground: a model is chosen, built by the engine, and is a tape like any

const PLAY = {
	setup: ["Model and sizes", "모델과 크기", "模型与尺寸"],
	dataSet: ["data set", "데이터 세트", "数据集"],
	ofAbs: ["each target is |x|", "목표는 |x|", "目标是 |x|"],
	ofMean: [
		"each target is the mean of the words so far",
		"목표는 지금까지 단어의 평균",
		"目标是到此为止各词的平均",
	],
	model: ["model", "모델", "模型"],
	words: ["words", "단어", "词数"],
	heads: ["heads", "헤드", "头"],
	experts: ["experts", "전문가", "专家"],
	seed: ["seed", "시드", "种子"],
	dropoutShare: ["dropout", "드롭아웃", "dropout"],
	inTraining: ["in training", "학습 모드", "训练模式"],
	shown: ["Still shown:", "지금 보이는 것:", "现在显示的是："],
	ffn: ["000: position-wise FFN", "000: 위치별 FFN", "000：逐位置 FFN"],
	linear_ffn: ["001: FFN of Linear layers", "001: Linear 층의 FFN", "001：Linear 层的 FFN"],
	gelu: ["001: FFN with GELU", "001: GELU FFN", "001：GELU FFN"],
	glu: ["001: gated FFN (GEGLU)", "001: 게이트 FFN (GEGLU)", "001：门控 FFN（GEGLU）"],
	attention: [
		"002: one attention head, masked",
		"002: 마스크 있는 어텐션 헤드 하나",
		"002：带掩码的一个注意力头",
	],
	block: ["001: Transformer block", "001: 트랜스포머 블록", "001：Transformer 块"],
	expertsModel: ["001: mixture of experts", "001: 전문가 혼합", "001：混合专家"],
};
const playWord = name => (PLAY[name] ? inLanguage(PLAY[name]) : name);

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
	const input = (name, value, more, own = "input") => {
		if (NEEDS[name]?.(setup.model) === false) return "";
		const said = playWord({ dropout: "dropoutShare", training: "inTraining" }[name] ?? name),
			onchange = ({ target }) =>
				change(name, target.type === "checkbox" ? +target.checked : target.value),
			{ options = [], ...attributes } = more;
		return make(
			"label",
			said,
			" ",
			make(own, { id: "setup-" + name, value, onchange, ...attributes }, ...options),
		);
	};
	const counted = (name, more) =>
		input(name, setup[name], { type: "number", min: 1, max: 12, ...more });
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

Engine.maker = { tape: played, showSetup, dataSet, dataSetSaid };
