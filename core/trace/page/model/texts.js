// ---- Texts, in English, Korean and Chinese

Object.assign(
	WORDS,
	rowsOf(`
within | Recorded by the gradient of {op}. | {op}의 그래디언트가 기록한 연산입니다. | 由 {op} 的梯度记录。
notHere | not on the page | 이 페이지에 없음 | 不在本页上
empty | no numbers | 숫자 없음 | 没有数
opText | {y} is {what}. | {y}: {what}. | {y}：{what}。
bwNone | {op} passes nothing on: no input requires a gradient. | {op}: 그래디언트가 필요한 입력이 없어 아무것도 넘기지 않습니다. | {op} 不再往前传：没有输入需要梯度。
bwText | The gradient dY of {op}'s output has arrived. By the chain rule {op} passes contributions to: {in}. | {op}(이/가) 만든 값의 그래디언트 dY가 도착했습니다. 연쇄 법칙에 따라 몫을 받는 것: {in}. | {op} 的输出的梯度 dY 已经到达。按链式法则，它给这些输入各一部分：{in}。
startTitle | The loss is {loss}. | 손실은 {loss}입니다. | 损失是 {loss}。
startMany | {n} {n|number comes|numbers come} out. | 숫자 {n}개가 나옵니다. | 得到 {n} 个数。
whyIs | Why {g}? | 왜 {g}일까? | 为什么是 {g}？
fromFirst | The whole tape | 테이프 전체 보기 | 看整个计算记录
startLesson | Start the lesson | 수업 시작 | 开始课程
foldedInfinite | {n} terms; these {k} are the largest, NaN and infinity first. | 항 {n}개 가운데 가장 큰 {k}개입니다. NaN과 무한대가 먼저입니다. | 共 {n} 项；这 {k} 项最大，NaN 和无穷在前。
folded | {n} terms; these {k} make {p} % (by size). | 항 {n}개 가운데 이 {k}개가 {p} %입니다(크기 기준). | 共 {n} 项；这 {k} 项占 {p} %（按大小）。
pathButton | Its path to the loss | 손실까지의 길 | 它到损失的路
pathTitle | From {c} to the loss, by the largest path | {c}에서 손실까지, 몫이 가장 큰 길 | 从 {c} 到损失：份额最大的一条路
oneOf | one of {n} terms here: it gives {p}, the others together {s}. | 여기 항 {n}개 중 하나: 이 항이 {p}, 나머지는 합쳐서 {s}. | 这里 {n} 项之一：它给出 {p}，其余合计 {s}。
oneOfUses | This tensor is used {n} times; this is one of them. | 이 텐서는 {n}번 쓰이며, 이것은 그중 하나입니다. | 这个张量用了 {n} 次，这是其中一次。
pathAll | This product is the whole gradient of {c}: the other paths add up to 0, within rounding. | 이 곱이 {c}의 그래디언트 전부입니다. 다른 길의 몫을 모두 더하면 반올림 오차 안에서 0입니다. | 此乘积就是 {c} 的全部梯度：其余的路加起来在舍入误差内为 0。
pathShare | This path gives {part} of the gradient {all}. The other paths give the rest: by the chain rule all of them add up. | 이 길은 그래디언트 {all} 가운데 {part}입니다. 나머지는 다른 길에서 옵니다. 연쇄 법칙에 따라 모든 길의 몫을 더합니다. | 这条路占梯度 {all} 中的 {part}。其余来自别的路：按链式法则全部相加。
close | Close | 닫기 | 关闭
letGo | Let go | 고정 해제 | 取消固定
present | Present | 발표 | 演示
notSo | Not so. | 아닙니다. | 不对。
keptNow | Saved for backward at this step: {m}. | 이 단계에서 역전파용으로 보관 중: {m}. | 这一步为反向保留：{m}。
meaning | Raise {c} alone by {by}, and {loss} {way} by about {size} ({g} times as much). | {c}만 {by} 키우면 {loss} 약 {size}만큼 {way}({g}배). | 只把 {c} 增大 {by}，{loss}约{way} {size}（{g} 倍）。
soLower | ∂loss/∂{c} = {g} is above 0: lower {c} to lower the loss. | ∂loss/∂{c} = {g}, 0보다 큽니다. {c}(을/를) 줄이면 손실이 작아집니다. | ∂loss/∂{c} = {g} 大于 0：减小 {c}，损失就变小。
soRaise | ∂loss/∂{c} = {g} is below 0: raise {c} to lower the loss. | ∂loss/∂{c} = {g}, 0보다 작습니다. {c}(을/를) 키우면 손실이 작아집니다. | ∂loss/∂{c} = {g} 小于 0：增大 {c}，损失就变小。
rises | rises | 커집니다 | 增大
falls | falls | 작아집니다 | 减小
still | The slope is 0 here: a small rise of {c} alone leaves {loss} unchanged, or nearly so. | 여기서 기울기는 0입니다. {c}만 조금 커지면 {loss} 그대로이거나 거의 그대로입니다. | 此处斜率为 0：只有 {c} 增大一点时，{loss}不动或几乎不动。
theLoss | the loss | 손실은 | 损失
lossSum | the sum of the numbers of {y} | {y}의 숫자를 모두 더한 값은 | {y} 各数之和
lossWeighed | the sum of the numbers of {y}, each times the gradient that backward() was given, | {y}의 숫자에 backward()가 받은 그래디언트를 각각 곱해 더한 값은 | {y} 各数乘以 backward() 所给梯度之和
lossElsewhere | the loss that backward() was called on, which is not on this page, | backward()를 부른 손실(이 페이지에는 없습니다)은 | 调用 backward() 的损失（不在本页上）
ofThisPass | {total} is a sum: {earlier} from earlier passes, and {part} from this one. Only this pass's part says how the loss moves. | {total}(은/는) 합입니다. {earlier}(은/는) 이번 패스 전에 있던 값이고, {part}(이/가) 이번 패스의 몫입니다. 이번 몫만이 손실이 어떻게 움직이는지 말해 줍니다. | {total} 是一个和：{earlier} 在这次之前已有，{part} 来自这一次。只有这一次的部分说明损失如何变动。
soFar | Part {k} of {of}: the gradient is complete when all have arrived. | {of}개 몫 가운데 {k}번째입니다. 모두 도착해야 온전한 그래디언트가 됩니다. | {of} 部分中的第 {k} 部分：全部到达后才是完整的梯度。
inside | A checkpoint's inner pass has added to this gradient: its parts are not on this page. | 체크포인트 안의 패스도 이 그래디언트에 더했습니다. 그 몫은 이 페이지에 없습니다. | 检查点内部的反向也加到了这个梯度上：那些部分不在本页上。
altered | A hook has changed gradients on the path: they may not say how the loss moves. | 오는 길에 훅이 그래디언트를 바꾸었습니다. 이 그래디언트가 손실의 움직임을 말한다고는 할 수 없습니다. | 途中有钩子改变了梯度：这个梯度不一定说明损失如何变动。
cut | {op} passes no gradient: a change also reaches the loss through it, and this gradient does not count that. | {op}: 그래디언트가 지나가지 않습니다. 변화는 여기를 거쳐서도 손실에 이르지만, 이 그래디언트에는 들어 있지 않습니다. | {op} 不传递梯度：改动也经过它影响损失，而这个梯度不包括这一部分。
noGradient | {c} requires no gradient: backward computes none for it. | {c}에는 그래디언트가 필요하지 않아 역전파가 계산하지 않습니다. | {c} 不需要梯度：反向传播不计算它的梯度。
noSlope | This is no finite number: it does not say how the loss moves. | 유한한 숫자가 아니어서 손실의 움직임을 말해 주지 않습니다. | 这不是有限的数：它不能说明损失如何变动。
bent | At {op} a number is at a kink of the op (0 at a ReLU, a tie at a maximum). The slope there is a convention: a rise and a fall may move the loss differently. | {op}에서 어떤 숫자가 연산이 꺾이는 자리에 있습니다(예: ReLU의 0, 최댓값의 동점). 그곳의 기울기는 약속이며, 커질 때와 작아질 때 손실이 다르게 움직일 수 있습니다. | {op} 处有一个数恰好在运算的折点（如 ReLU 的 0，并列的最大值）。那里的斜率是约定，增大与减小时损失的变动可以不同。
partOf | part {k} of {n} | {n}개 중 {k}번째 몫 | {n} 部分中的第 {k} 部分
allParts | all {n} parts | 몫 {n}개 모두 | 全部 {n} 部分
partsSoFar | {k} of {n} parts so far | 지금까지 {n}개 중 {k}개 | 目前 {n} 部分中的 {k} 部分
sumOfPasses | with earlier passes | 이전 값과의 합 | 与之前的值之和
difference_ | grad after this pass − grad before | 이번 패스 뒤의 grad − 이번 패스 전의 grad | 这次之后的 grad − 之前的 grad
largest | largest | 가장 큰 값 | 最大
block | This cell stands for {n} numbers and shows the largest by size. | 이 칸은 숫자 {n}개를 대신하며 크기가 가장 큰 값을 보입니다. | 这一格代表 {n} 个数，显示其中绝对值最大的。
freed | A backward pass ran here and was freed: only forward steps are left. Call set_ledger(true) before the forward pass, or trace() before backward(). | 역전파가 이미 끝나 기록이 해제되었으므로 순전파 단계만 있습니다. 순전파 전에 set_ledger(true)를 부르거나 backward() 전에 trace()를 부르세요. | 反向已经运行并释放：这里只有前向步骤。请在前向之前调用 set_ledger(true)，或在 backward() 之前调用 trace()。
underWay | A backward pass is under way: {n} of its steps have run. | 역전파가 진행 중입니다. {n}단계가 실행되었습니다. | 反向正在进行：已运行 {n} 步。
howTo | How to read this | 읽는 법 | 怎样看这一页
unknown | Nothing here has that name. | 그런 이름은 없습니다. | 这里没有这个名字。
agree | They agree to {n} digits. | {n}자리까지 같습니다. | 前 {n} 位相同。
only | Saved for backward only | 역전파만을 위해 보관 | 只为反向保留
legend | Hatched: not computed yet. Red: positive, blue: negative, stronger where larger. Teal edges: forward, amber: backward. ∂ in a box: its gradient has run. Left picture: value; right picture: gradient. Rounded: comes from outside. dY: the gradient that arrives, which an op multiplies with its own slope. ∘ multiplies number by number, · is a product of matrices, ᵀ swaps rows and columns. Double frame: the chosen number; bold frames: those that it comes from. | 빗금: 아직 계산되지 않음. 빨강: 양수, 파랑: 음수, 클수록 진합니다. 테두리가 청록이면 순전파, 호박색이면 역전파입니다. 상자의 ∂: 역전파가 지나감. 왼쪽 그림: 값, 오른쪽 그림: 그래디언트. 둥근 상자: 밖에서 들어온 것. dY: 도착한 그래디언트. 연산은 여기에 자신의 기울기를 곱합니다. ∘는 원소별 곱, ·는 행렬 곱, ᵀ는 행과 열을 바꾼 것입니다. 이중 테두리: 고른 숫자, 굵은 테두리: 그 숫자가 온 칸. | 斜线：尚未计算。红：正，蓝：负，越大越深。边框青色：前向，琥珀色：反向。框中的 ∂：反向已经过。左图：值；右图：梯度。圆角框：从外面输入。dY：到达的梯度，运算把它乘以自己的斜率。∘ 是逐元素相乘，· 是矩阵乘法，ᵀ 交换行与列。双框：所选的数；粗框：它的来源。
first | To the first step | 첫 단계로 | 到第一步
back | One step back | 한 단계 뒤로 | 后退一步
next | One step on | 한 단계 앞으로 | 前进一步
play | Play | 재생 | 播放
turn | To backward | 역전파로 | 到反向传播
turnBack | To forward | 순전파로 | 到前向传播
step | Step | 단계 | 步
predict | Predict | 예측 | 预测
print | Print | 인쇄 | 打印
graph | The tape | 테이프 | 计算记录
search | Find a tensor or an op | 텐서나 연산 찾기 | 查找张量或运算
source | Your lines | 여러분의 코드 | 你的代码
cost | Memory and cost | 메모리와 비용 | 内存与开销
forward | Forward | 순전파 | 前向
backward | Backward | 역전파 | 反向
of | of | / | /
leafText | All parts for {name} have arrived: now they are added to {name}.grad. | {name}의 몫이 모두 도착했습니다. 이제 {name}.grad에 더합니다. | {name} 的各部分都已到达，现在加到 {name}.grad 上。
notKept | was not kept: call set_ledger(true) before the forward pass | 기록되지 않음: 순전파 전에 set_ledger(true)를 부르세요 | 没有记录：请在前向之前调用 set_ledger(true)
value | value | 값 | 值
gradient | gradient | 그래디언트 | 梯度
part | this step adds | 이 단계가 더하는 값 | 这一步加上
total | total so far | 지금까지의 합 | 目前的总和
earlier | before | 이전 | 之前
earlierPass | grad before this pass: was zero_grad() forgotten? | 이번 패스 전에 grad에 있던 값: zero_grad()를 잊었나요? | 这次之前 grad 里已有的值：忘了 zero_grad() 吗？
arrives | arrives from the ops after | 뒤의 연산에서 도착 | 来自后面的运算
input | goes in | 입력 | 输入
output | comes out | 출력 | 输出
hover | Point at a number, or move to it by Tab and the arrow keys: the page shows and marks where it comes from. A click selects it (Esc deselects); Enter goes to the step that computed it. | 숫자를 가리키거나 Tab과 화살표 키로 옮겨 가면 그 숫자가 어디에서 왔는지 보입니다. 클릭하면 고정되고(Esc로 해제), Enter를 누르면 그 값을 만든 단계로 갑니다. | 指向一个数，或用 Tab 和方向键移到它：这里会显示并标出它从何而来。单击可固定（Esc 取消），按 Enter 到算出它的那一步。
sums | The terms shown add up to {s}; {r} is recorded, a sum of {bits}-bit numbers in the program's order, each rounded. | 보이는 항의 합은 {s}이고 기록된 값은 {r}입니다. 프로그램은 {bits}비트 숫자를 프로그램의 순서대로 더하며 그때마다 반올림합니다. | 所示各项之和为 {s}，记录值为 {r}：程序以自己的次序把 {bits} 位数相加，每次都舍入。
left | Not all numbers of this sum are on this page. | 이 합의 숫자가 모두 이 페이지에 있지는 않습니다. | 这个和的数并不都在本页上。
reduced | each cell is the number that stands out most of up to {h} × {w}; min and max are over all | 각 칸은 최대 {h} × {w}개 가운데 가장 두드러진 숫자, 최소와 최대는 전체의 것 | 每格是至多 {h} × {w} 个中最突出的数；最小和最大值计入全部
more | … and {n} more {n|term|terms} | … 그 밖에 {n}개 항 | …… 另有 {n} 项
moreOps | … and {n} more {n|op|ops} | … 그 밖에 연산 {n}개 | …… 另有 {n} 个运算
check | Check | 확인 | 检查
difference | (loss(w + h) − loss(w − h)) / 2h = {d}: a central difference, just computed by the engine in this page. The gradient is {g}. | (loss(w + h) − loss(w − h)) / 2h = {d}: 이 페이지의 엔진이 방금 계산한 중심 차분입니다. 그래디언트는 {g}입니다. | (loss(w + h) − loss(w − h)) / 2h = {d}：本页的引擎刚刚算出的中心差分。梯度为 {g}。
noRule | The formula is {f}. | 식은 {f}입니다. | 公式为 {f}。
collapse | Its shape is {after}, broadcast to {before}: the contributions of {n} copies are added. | 모양은 {after}이고 {before}로 브로드캐스트되었습니다. 사본 {n}개의 몫을 더합니다. | 形状为 {after}，曾广播为 {before}：{n} 个副本的部分相加。
saves | saved for backward | 역전파용 저장 | 为反向保存
memory | Saved for backward, step by step; at most {m}. | 역전파를 위해 저장한 양, 단계마다. 최대 {m}. | 每一步为反向保存的内存；最多 {m}。
withCheckpoints | As it ran, with checkpoints; outlined: saved again while one recomputed. | 체크포인트로 실행한 그대로. 테두리만 있는 부분: 다시 계산하는 동안 새로 저장한 양. | 使用检查点的实际运行；空心部分：重新计算时新保存的量。
checkpointed | Only X was saved for f: backward ran f again, with the same random numbers, and went back through its ops. | f에서는 X만 보관했습니다. 역전파가 같은 난수로 f를 다시 실행한 뒤 그 연산들을 거슬러 갔습니다. | f 只保留了 X：反向传播用同样的随机数把 f 再算一次，再逆着经过其中的运算。
fused | One kernel computes all of this and keeps its inner numbers to itself. Without FusedOps each op has its own step. | 커널 하나가 이 모두를 계산하며, 안쪽 숫자는 여기 보이지 않습니다. FusedOps 없이 실행하면 연산마다 한 단계씩 나옵니다. | 这一切由一个内核完成，中间的数不显示。不用 FusedOps 时，每个运算各有一步。
leftOut | Only the last {m} ops are shown: {n} older {n|one was|ones were} left out. | 마지막 {m}개 연산만 보입니다. 더 오래된 {n}개는 빠졌습니다. | 只显示最后 {m} 个运算：更早的 {n} 个未写入。
refused | The forward pass ended at its last op: {why}. | 순전파가 마지막 연산에서 멈췄습니다: {why}. | 前向在最后一个运算处中止：{why}。
noOutput | no output | 출력 없음 | 没有输出
noBackward | No backward pass is recorded: only forward steps are here. | 역전파 기록이 없어 순전파 단계만 있습니다. | 没有反向记录：只有前向步骤。
predictText | Predict mode: results are covered. Choose a cell with ? and say its sign or its value. | 예측 모드: 결과가 가려져 있습니다. ? 칸을 골라 부호나 값을 맞혀 보세요. | 预测模式：结果被盖住。选一个带 ? 的格子，说出它的符号或数值。
ask | What is {c}? | {c}(은/는) 얼마일까요? | {c} 是多少？
negative | − negative | − 음수 | − 负
zero | 0 zero | 0 영 | 0 零
positive | + positive | + 양수 | + 正
or | or its value | 또는 값 | 或数值
answerFirst | Answer the lesson's question first. | 먼저 수업의 질문에 답하세요. | 请先回答课里的问题。
show | Show it | 보기 | 显示
right | Right. | 맞았습니다. | 对。
score | {k} of {n} so far. | 지금까지 {n}번 중 {k}번. | 到目前为止 {n} 次中对了 {k} 次。
noSource | the file cannot be read where the page was written | 페이지를 쓴 곳에서 파일을 읽을 수 없습니다 | 写页面时读不到该文件
follow | Go to where this comes from | 이 값이 온 곳으로 | 去看它从何而来
group | group of {n} ops | 연산 {n}개 묶음 | {n} 个运算一组
again | the same tensor as before | 앞과 같은 텐서 | 与前面是同一张量
mean | mean | 평균 | 平均
hooked | changed by a hook | 훅이 바꾼 값 | 被钩子改过
bench | Touch it | 직접 바꿔 보기 | 动手改一改
notLive | This page is not live: {why}. | 이 페이지에서는 숫자를 바꿔 볼 수 없습니다: {why}. | 本页不能改数重算：{why}。
tooFine | A {bits}-bit number near {loss} changes in steps of {step}: it cannot show that. | {loss} 근처의 {bits}비트 숫자는 {step} 간격이라 그것을 나타낼 수 없습니다. | {loss} 附近的 {bits} 位数以 {step} 为一格：它显示不出这么小的变动。
noLoss | The loss is {loss}: no number says how it moves. | 손실이 {loss}입니다. 어떤 숫자도 그 움직임을 말해 주지 않습니다. | 损失是 {loss}：没有哪个数能说明它如何变动。
ownOp | {op} is the program's own op: this is the loss's slope if its gradient is right. | {op}(은/는) 프로그램이 직접 만든 연산입니다. 그 규칙이 맞다면 이 숫자는 손실의 기울기입니다. | {op} 是程序自己的运算：若它的规则正确，这个数就是损失的斜率。
rounds | {op} rounds to 16 bits: this is about the slope without rounding, and a small rise may be lost there. | {op}(은/는) 16비트로 반올림합니다. 이 숫자는 대략 반올림이 없을 때의 기울기이며, 작은 변화는 그곳에서 사라질 수 있습니다. | {op} 舍入到 16 位：这个数大致是不计舍入的斜率，小的变动可能在那里丢失。
pathOnly | This product is the whole gradient of {c}: there is only one path. | 이 곱이 {c}의 그래디언트 전부입니다. 길은 하나뿐입니다. | 这个乘积就是 {c} 的全部梯度：只有一条路。
pathRounds | There is only one path, and an op on it rounds the gradient to 16 bits: this product is {part}, the gradient {all}. | 길은 하나뿐이고, 그 위의 연산이 그래디언트를 16비트로 반올림합니다. 그래디언트는 {all}, 이 곱은 {part}입니다. | 只有一条路，路上有运算把梯度舍入到 16 位：梯度为 {all}，此乘积为 {part}。
pathBroken | The path goes on, but its next number is not on this page. | 길은 이어지지만 다음 숫자는 이 페이지에 없습니다. | 路还在继续，但下一个数不在本页上。
wayOn | A rise by 0.01 has moved {c} by {d}. | 0.01 커진 것이 {c}(을/를) {d}만큼 움직였습니다. | 增大 0.01 使 {c} 变动 {d}。
wayBack | The gradient comes back: at {c} it is {d}. | 그래디언트가 돌아옵니다: {c}에서 {d}입니다. | 梯度返回：在 {c} 处是 {d}。
saveSvg | Save as SVG | SVG로 저장 | 存为 SVG
pathSlope | slope | 기울기 | 斜率
pathProduct | product so far | 지금까지의 곱 | 到此为止的乘积
others | the other {n} {n|term|terms}: together {s} | 나머지 항 {n}개: 합쳐서 {s} | 其余 {n} 项合计 {s}
curves | That is more than rounding: within {h} of it the loss is not straight. | 반올림보다 큰 차이입니다. 좌우 {h} 안에서 손실은 직선이 아닙니다. | 这超过了舍入误差：在它左右 {h} 之内，损失不是直线。
noNumber | {x} is no number. | {x}: 숫자가 아닙니다. | {x} 不是数。
fineSlope | One step of a {bits}-bit number near {loss} changes the measured slope by {e}. | {loss} 근처의 {bits}비트 숫자에서 한 간격은 잰 기울기를 {e}만큼 바꿉니다. | {loss} 附近 {bits} 位数的一格，就使所测斜率变动 {e}。
bySign | Judged by its gradient, {g}: this page has no engine to try it. | 그래디언트 {g}(으)로 판정했습니다. 이 페이지에는 시험해 볼 엔진이 없습니다. | 按梯度 {g} 判定：本页没有引擎可以一试。
lesson | Lesson | 수업 | 课程
passes | passes | 통과 | 通过
cutOff | cut off | 잘림 | 截断
keptCell | kept | 남김 | 保留
droppedCell | dropped | 버림 | 丢弃
ignored | ignored | 무시됨 | 忽略
apart_ | The recorded numbers give {s}, but {r} was recorded. One of them may have changed since. | 기록된 숫자들로는 {s}인데 기록된 값은 {r}입니다. 둘은 맞지 않습니다. 그 뒤에 숫자가 바뀌었을 수 있습니다. | 按记录的数算得 {s}，记录值却是 {r}：两者不符。其中的数可能后来被改动。
changedSince | was changed in place after this run | 이 실행 뒤에 제자리에서 바뀜 | 这次运行之后被就地改动
changedSum | {c} was changed in place after this run, so no sum is shown. | {c}(은/는) 이 실행 뒤에 제자리에서 바뀌어 합을 보이지 않습니다. | {c} 在这次运行之后被就地改动，所以不显示和式。
pathHidden | The path ends here: the page does not know the slopes of {op}. | 길은 여기서 끝납니다. {op}의 기울기는 이 페이지에 없습니다. | 路到此为止：本页不知道 {op} 的斜率。
pathNone | No path leads to the loss: {op} does not pass this number on. | 손실로 가는 길이 없습니다. {op}(은/는) 이 숫자를 전달하지 않습니다. | 没有通向损失的路：{op} 不传递这个数。
tooLarge | {x} is too large for a {bits}-bit number. | {x}: {bits}비트 숫자로는 너무 큽니다. | {x} 太大，{bits} 位数放不下。
wasRead | It cannot be changed here: {how} took it, or what follows from it, out of the tensors, and the tape does not show what for. | 여기서는 바꿀 수 없습니다. {how}에서 이 숫자나 여기서 나온 값을 텐서 밖으로 꺼냈고, 그 뒤는 테이프에 없습니다. | 此处不能改动：{how} 从张量中取出了它或由它算出的数，之后怎样使用，计算记录上没有。
wasReadEarlier | Earlier, {how} took it, or what follows from it, out of the tensors: what the program did with that (a step of training, perhaps) stays as it was. | 이전에 {how}에서 이 숫자나 여기서 나온 값을 텐서 밖으로 꺼냈습니다. 그것으로 한 일(학습 단계 등)은 바꿔도 그대로입니다. | 先前 {how} 从张量中取出了它或由它算出的数：改动后，用它们所做的（例如训练的一步）仍保持原样。
whichWay | Make {c} larger by {by}: the loss … | {c}(을/를) {by}만큼 키우면 손실은? | 把 {c} 增大 {by}，损失会怎样？
stays | stays | 그대로입니다 | 不动
`),
);
