// ---- The texts of a live page

Object.assign(
	WORDS,
	rowsOf(`
loading | The engine is being loaded … | 엔진을 불러오는 중 … | 正在载入引擎……
tooOld | this browser has no WebAssembly, or no DecompressionStream to unpack it | 이 브라우저에는 WebAssembly가 없거나, 그것을 풀 DecompressionStream이 없습니다 | 此浏览器没有 WebAssembly，或没有用来解压的 DecompressionStream
forbidden | this browser refuses the engine: it is too old for it, or WebAssembly is not allowed on this page | 이 브라우저가 엔진을 거부합니다: 너무 오래되었거나, 이 페이지에서 WebAssembly가 허용되지 않습니다 | 此浏览器拒绝引擎：它太旧，或本页不允许 WebAssembly
notWhole | the file was cut off, and its engine is incomplete | 파일이 잘려서 엔진이 온전하지 않습니다 | 文件被截断，引擎不完整
engineSays | The engine refuses: {why}. | 엔진이 거부했습니다: “{why}”. | 引擎拒绝了：“{why}”。
computing | computing … | 계산 중 … | 正在计算……
was | was {was}, is {is} | 전 {was}, 지금 {is} | 原为 {was}，现为 {is}
curveOf | Across: {c}. Up: the loss. Dashed: the gradient. | 가로: {c}. 세로: 손실. 점선: 그래디언트. | 横向：{c}。纵向：损失。虚线：梯度。
slopes | Slope: computed by backward {g}, measured on the curve {m}. | 기울기: 역전파가 계산한 값 {g}, 곡선에서 잰 값 {m}. | 斜率：反向传播算出 {g}，曲线上量得 {m}。
touchHow | Drag a number of a leaf, a constant or a mask sideways, type one, or move the slider: the engine in this page recomputes the rest. Underlined: changed. | 잎, 상수, 마스크의 숫자를 옆으로 끌거나 입력하거나 슬라이더를 움직이면 이 페이지의 엔진이 나머지를 다시 계산합니다. 밑줄: 바뀐 숫자. | 把叶子、常量或掩码的一个数横向拖动，输入一个，或移动滑块：本页里的引擎重算其余。下划线：改动过的数。
howExact | How exact is this? | 얼마나 정확할까? | 有多精确？
tryIt | Now try it: {c} = {x} | 이제 해 보세요: {c} = {x} | 现在试一试：{c} = {x}
tryNow | {c} = {x}: the loss | {c} = {x}: 손실 | {c} = {x}：损失
training | Training by hand | 손으로 학습하기 | 手动训练
rate | rate | 학습률 | 学习率
sgdStep | SGD step | SGD 한 단계 | SGD 一步
manySteps | {n} steps, with zero_grad() | zero_grad()와 함께 {n}단계 | 带 zero_grad() 的 {n} 步
redraw | Redraw dropout | 드롭아웃 다시 뽑기 | 重抽 dropout
reset | Reset | 처음으로 | 复原
passesSum | grad also holds earlier gradients: zero_grad() removes them. | grad에는 이번 역전파의 그래디언트 말고도 이전 값이 있습니다. zero_grad()를 누르면 이번 것만 남습니다. | grad 里不只有这一次的梯度：zero_grad() 让它只剩这一次。
passOne | The gradients are from this pass only. | 그래디언트는 이번 역전파만의 것입니다. | 梯度只属于这一次反向传播。
trained | What a step changes | 단계가 바꾸는 것 | 每一步改变什么
stop | Stop: {n} to go | 멈춤: {n}단계 남음 | 停止：还有 {n} 步
testLoss | Dashed: the test loss, from {from} to {to}. | 점선: 테스트 손실, {from}에서 {to}(으)로. | 虚线：测试损失，从 {from} 到 {to}。
sameMask | All losses are under one dropout mask. | 모든 손실은 같은 드롭아웃 마스크로 잰 값입니다. | 所有损失都在同一个 dropout 掩码下测得。
lossSteps | {n} steps: the loss went from {from} to {to}. | {n}단계: 손실이 {from}에서 {to}(으)로. | {n} 步：损失从 {from} 到 {to}。
bySlope | {c} from {a} to {b}: at its slope the loss would move by {p}; it moved by {r}. | {c}: {a}에서 {b}(으)로. 그 기울기대로라면 손실은 {p}, 실제로는 {r} 움직였습니다. | {c} 从 {a} 到 {b}：按斜率损失会变动 {p}，实际变动 {r}。
switched | At {op}, {n} {n|number|numbers} crossed the kink. | 그 사이에 {op}에서 숫자 {n}개가 꺾이는 자리를 넘었습니다. | 其间 {op} 处有 {n} 个数越过了折点。
endless | Infinite, NaN, above 1e18 or nearly 0: with such numbers the program itself may compute otherwise. | 무한대, NaN, 1e18보다 크거나 거의 0인 숫자에서는 프로그램이 다르게 계산할 수도 있습니다. | 数为无穷大、NaN、超过 1e18 或几乎为 0 时，程序本身可能有不同的算法。
stillComputing | Still computing: {k} of {n} points. | 아직 계산 중: 점 {n}개 중 {k}개. | 仍在计算：{n} 个点中的 {k} 个。
yet | (still computing) | (계산 중) | （计算中）
`),
);
