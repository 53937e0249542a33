// What an op does, in a sentence, where its formula takes words; {0} and {1} are its inputs.
const OPS = rowsOf(`
matmul | each row of {0} times each column of {1}, summed | {0}의 각 행과 {1}의 각 열을 곱해 더한 값 | {0} 的每一行乘以 {1} 的每一列，再求和
linear | each row of {0} times each row of {1}, summed | {0}의 각 행과 {1}의 각 행을 곱해 더한 값 | {0} 的每一行乘以 {1} 的每一行，再求和
mul | {0} times {1}, number by number | {0}(와/과) {1}의 곱, 숫자끼리 | {0} 乘 {1}，逐个相乘
relu | each number of {0} that is positive; 0 for the rest | {0}에서 양수는 그대로, 나머지는 0 | {0} 中的正数保留，其余为 0
dropout_mask | 1 (kept) or 0 (dropped) at random for each number | 숫자마다 무작위로 1(남김) 또는 0(버림) | 每个数随机为 1（保留）或 0（丢弃）
embedding | the rows of the table {0} for the ids | id마다 표 {0}의 그 행 | 每个 id 对应表 {0} 的一行
layer_norm | each row of {0} moved and scaled to mean 0 and variance 1, then times weight plus bias | {0}의 각 행을 평균 0, 분산 1로 맞춘 뒤 가중치를 곱하고 편향을 더한 값 | {0} 的每一行变为均值 0、方差 1，再乘权重加偏置
softmax | each row of {0} as shares that add up to 1 | 더해서 1이 되는 몫으로 바꾼 {0}의 각 행 | {0} 的每一行变为总和为 1 的份额
cross_entropy | the mean surprise of the prediction {0} at the right answers | 예측 {0}에 비추어 정답이 얼마나 뜻밖인지의 평균 | 对预测 {0} 来说正确答案有多意外（平均）
checkpoint | a part of the network whose inner numbers are not saved | 안쪽 숫자를 보관하지 않는 부분 | 内部数值不保留的一段网络
`);
// Terms, and what they mean.
const TERMS = rowsOf(`
tape | tape: The list of all ops of the run, in order. Backward reads it from the end. | 테이프: 실행이 만든 모든 연산의 목록입니다. 역전파는 끝에서부터 읽습니다. | 计算记录: 这次运行的全部运算，按次序排列。反向从末尾读起。
matmul | matmul: Matrix product: a row of one matrix and a column of the other, multiplied number by number and added up. | matmul: 행렬 곱: 한 행렬의 행과 다른 행렬의 열을 숫자끼리 곱해 더합니다. | matmul: 矩阵乘法：一个矩阵的行与另一个矩阵的列逐个相乘，再求和。
loss | loss: One number that says how wrong the network is. Training makes it smaller. | 손실: 신경망이 얼마나 틀렸는지를 나타내는 숫자 하나입니다. 학습은 이것을 줄입니다. | 损失: 一个数，表示网络错到什么程度。训练使它变小。
gradient | gradient: For each number: how much the loss moves when that number rises a little, divided by that rise. | 그래디언트: 숫자마다: 그 숫자가 조금 커질 때 손실이 움직인 양을 커진 양으로 나눈 값입니다. | 梯度: 对每个数：该数略微增大时损失的变动除以增大的量。
broadcast | broadcast: A smaller tensor used again for every row (or column) of a larger one. Its gradient is the sum over all these uses. | 브로드캐스트: 작은 텐서를 큰 텐서의 행(또는 열)마다 다시 쓰는 것입니다. 그래디언트는 그 모든 쓰임의 합입니다. | 广播: 较小的张量对较大张量的每一行（列）重复使用。它的梯度是所有这些使用之和。
dropout | dropout: In training some numbers are set to 0 at random, so that the network does not rely on single ones. | 드롭아웃: 학습 중에 일부 숫자를 무작위로 0으로 만들어 숫자 하나에 기대지 않게 합니다. | dropout: 训练时随机把一些数设为 0，使网络不依赖单个的数。
forward | forward: From the input to the loss: each op computes its numbers. | 순전파: 입력에서 손실까지: 연산이 차례로 숫자를 계산합니다. | 前向: 从输入到损失：每个运算计算自己的数。
backward | backward: From the loss back to the inputs: each op says how the loss follows its inputs. | 역전파: 손실에서 입력까지: 연산마다 입력이 바뀌면 손실이 얼마나 바뀌는지 말합니다. | 反向: 从损失回到输入：每个运算说明损失怎样随其输入变动。
`);
