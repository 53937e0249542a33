// ---- What the page says of what can be touched ------------------------------------------------------

Object.assign(WORDS.en, {
    loading: "The engine is being loaded …", tooOld: "this browser has no WebAssembly, or no DecompressionStream to unpack it", forbidden: "this browser refuses the engine: it is too old for it, or WebAssembly is not allowed on this page", notWhole: "the file was cut off, and its engine is not whole", computing: "computing …", was: "was {was}, is {is}", curveOf: "Across: {c}. Up: the loss, as the engine computes it. Dashed: the gradient, as a slope.", slopes: "Slope: computed by backward {g}, measured on the curve {m}.", noGradHere: "It wants no gradient: only the curve knows its slope.",
    touchHow: "Drag a number of a leaf, a constant or a mask sideways, type another, or move the slider: the engine in this page computes all that follows. Underlined: changed.", apart: "{n} of {all} recorded numbers differ from what the engine in this page computes, by at most {d} of their tensor's largest. What is shown is the engine's.", startLive: "Change it, and the engine in this page computes all that follows anew.",
    tryIt: "Now try it: {c} = {x}", tryNow: "{c} = {x}: the loss", computedNow: "computed just now by the engine in this page",
    training: "Training by hand", rate: "rate", sgdStep: "SGD step", tenSteps: "10 steps, with zero_grad()", redraw: "Draw dropout anew", reset: "Reset", passesSum: "grad holds more than this pass's gradients: zero_grad() makes it these alone.", passOne: "The gradients are of this pass alone.", trained: "What a step changes", lossSteps: "{n} steps: the loss went from {from} to {to}.",
    bySlope: "{c} from {a} to {b}: at its slope the loss would move by {p}; it moved by {r}.",
    switched: "At {op} {n} of the numbers crossed the bend on the way.",
    stillComputing: "Still computing: {k} of {n} points.",
    yet: "(still computing)",
});
Object.assign(WORDS.ko, {
    loading: "엔진을 불러오는 중 …", tooOld: "이 브라우저에는 WebAssembly가 없거나, 그것을 풀 DecompressionStream이 없습니다", forbidden: "이 브라우저가 엔진을 거부합니다: 너무 오래되었거나, 이 페이지에서 WebAssembly가 허용되지 않습니다", notWhole: "파일이 잘려서 엔진이 온전하지 않습니다", computing: "계산 중 …", was: "전 {was}, 지금 {is}", curveOf: "왼쪽에서 오른쪽으로 {c}, 위아래로 엔진이 계산한 손실. 점선: 기울기로 그린 그래디언트.", slopes: "기울기: 역전파가 계산한 값 {g}, 곡선에서 잰 값 {m}.", noGradHere: "그래디언트를 원하지 않는 수입니다: 기울기는 곡선만 압니다.",
    touchHow: "잎, 상수, 마스크의 수를 옆으로 끌거나 다른 수를 입력하거나 슬라이더를 움직이세요. 이 페이지 안의 엔진이 따라오는 모든 것을 다시 계산합니다. 밑줄: 바뀐 수.", apart: "기록된 숫자 {all}개 가운데 {n}개가 이 페이지의 엔진이 계산한 값과 다르며, 차이는 그 텐서에서 가장 큰 수의 {d} 이내입니다. 보이는 것은 엔진의 값입니다.", startLive: "바꾸면 이 페이지 안의 엔진이 따라오는 모든 것을 다시 계산합니다.",
    tryIt: "이제 해 보세요: {c} = {x}", tryNow: "{c} = {x}: 손실", computedNow: "이 페이지의 엔진이 방금 계산한",
    training: "손으로 학습하기", rate: "학습률", sgdStep: "SGD 한 단계", tenSteps: "zero_grad()와 함께 10단계", redraw: "드롭아웃 다시 뽑기", reset: "처음으로", passesSum: "grad에는 이번 역전파의 그래디언트 말고도 이전 값이 있습니다. zero_grad()를 누르면 이번 것만 남습니다.", passOne: "그래디언트는 이번 역전파만의 것입니다.", trained: "단계가 바꾸는 것", lossSteps: "{n}단계: 손실이 {from}에서 {to}(으)로.",
    bySlope: "{c}: {a}에서 {b}(으)로. 그 기울기대로라면 손실은 {p}, 실제로는 {r} 움직였습니다.",
    switched: "그 사이에 {op}에서 숫자 {n}개가 꺾이는 자리를 넘었습니다.",
    stillComputing: "아직 계산 중: 점 {n}개 중 {k}개.",
    yet: "(계산 중)",
});
Object.assign(WORDS.zh, {
    loading: "正在载入引擎……", tooOld: "此浏览器没有 WebAssembly，或没有用来解压的 DecompressionStream", forbidden: "此浏览器拒绝引擎：它太旧，或本页不允许 WebAssembly", notWhole: "文件被截断，引擎不完整", computing: "正在计算……", was: "原为 {was}，现为 {is}", curveOf: "从左到右是 {c}，上下是引擎算出的损失；虚线：画成斜率的梯度。", slopes: "斜率：反向传播算出 {g}，曲线上量得 {m}。", noGradHere: "它不需要梯度：斜率只有曲线知道。",
    touchHow: "把叶子、常量或掩码的一个数横向拖动，输入另一个数，或移动滑块：本页里的引擎会重算随之而变的一切。带下划线的数变了。", apart: "记录的 {all} 个数中有 {n} 个与本页引擎算出的不同，至多差其张量中最大数的 {d}。显示的是引擎算出的值。", startLive: "改动它，本页里的引擎就重算随之而变的一切。",
    tryIt: "现在试一试：{c} = {x}", tryNow: "{c} = {x}：损失", computedNow: "本页的引擎刚刚算出的",
    training: "手动训练", rate: "学习率", sgdStep: "SGD 一步", tenSteps: "带 zero_grad() 的 10 步", redraw: "重抽 dropout", reset: "复原", passesSum: "grad 里不只有这一次的梯度：zero_grad() 让它只剩这一次。", passOne: "梯度只属于这一次反向传播。", trained: "每一步改变什么", lossSteps: "{n} 步：损失从 {from} 到 {to}。",
    bySlope: "{c} 从 {a} 到 {b}：按斜率损失会变动 {p}，实际变动 {r}。",
    switched: "其间 {op} 处有 {n} 个数越过了折点。",
    stillComputing: "仍在计算：{n} 个点中的 {k} 个。",
    yet: "（计算中）",
});
