#include "demos/parts/captions.hpp"

#include <cstdlib>
#include <map>

namespace stepgrad::demo {
namespace {

using Table = std::map<std::string_view, std::string_view>;

const Table korean{
    // 000
    {"The notebook in C++, by these kernels:", "노트북을 C++로, 쓰인 커널:"},
    {"The sizes, and the parameters of FFN(x) = max(0, x·W_1 + b_1)·W_2 + b_2",
     "크기, 그리고 FFN(x) = max(0, x·W_1 + b_1)·W_2 + b_2의 파라미터"},
    {"ReLU is a clamp: what is below 0 becomes 0", "ReLU는 clamp: 0보다 작으면 0이 된다"},
    {"class ReLU: into a new tensor, or in place", "class ReLU: 새 텐서에, 또는 제자리에서"},
    {"class Dropout: a share p becomes 0, the rest grows by 1 / (1 - p)",
     "class Dropout: 비율 p만큼 0이 되고, 나머지는 1 / (1 - p)배가 된다"},
    {"class PositionWiseFeedForward", "class PositionWiseFeedForward: 위의 것을 모두 모아서"},
    {"B sentences of L words: each word goes through the same weights",
     "단어 L개짜리 문장 B개: 모든 단어가 같은 가중치를 지난다"},
    {"What was recorded on the way, one line an op", "지나며 기록된 것, 연산마다 한 줄"},
    {"The same way back: each op passes its gradient to its inputs",
     "같은 길로 되돌아가며: 연산마다 입력에 그래디언트를 넘긴다"},
    {"Who confirms the gradients", "그래디언트를 누가 확인하는가"},
    {"backward() adds to gradients: start again from zeros",
     "backward()는 그래디언트에 더한다: 0에서 다시 시작한다"},
    {"train and eval reach the parts: without dropout, two calls agree",
     "train과 eval은 부품까지 미친다: 드롭아웃이 없으면 두 번의 결과가 같다"},
    {"The notebook's messages, as std::invalid_argument",
     "노트북의 메시지, std::invalid_argument로"},
    {"What to try now", "이제 해 볼 것"},
    {"Which character comes next, after the k before it?", "앞의 k글자 다음에는 어떤 글자가 올까?"},
    {"First the network sees one character only", "먼저 신경망이 한 글자만 본다"},
    {"Then the same network, with more to see", "이제 같은 신경망이 더 많이 본다"},
    {"What it writes, a character at a time", "신경망이 한 글자씩 쓴 글"},
    // 001
    {"FFN(x) = σ(x·W₁ + b₁)·W₂ + b₂ at each position; d_ff is usually 4·d_model",
     "각 위치에서 FFN(x) = σ(x·W₁ + b₁)·W₂ + b₂, d_ff는 보통 4·d_model"},
    {"class PositionwiseFeedForward: w_1, relu, dropout, w_2",
     "class PositionwiseFeedForward: w_1, relu, dropout, w_2 순서로"},
    {"class FeedForwardGELU: the same with another activation",
     "class FeedForwardGELU: 활성화 함수만 다른 같은 구조"},
    {"class GatedFeedForward: gelu(w_gate(x)) ∘ w_value(x), so a third matrix",
     "class GatedFeedForward: gelu(w_gate(x)) ∘ w_value(x), 그래서 행렬이 세 개"},
    {"Efficiency: a loop over the positions gives what one call gives, but later",
     "효율성: 위치마다 반복해도 한 번에 계산한 것과 같지만 더 느리다"},
    {"Sharing: the same weights at every position, for any length",
     "공유: 모든 위치에서 같은 가중치, 길이와 상관없이"},
    {"Local: which outputs change with position 2, here and in attention",
     "지역성: 위치 2가 바뀌면 어떤 출력이 바뀌는가, FFN과 어텐션에서"},
    {"Expand, then compress; without an activation between, two matrices are one",
     "확장한 뒤 압축; 사이에 활성화 함수가 없으면 두 행렬은 하나와 같다"},
    {"What each d_ff / d_model costs; demos/run experiments trains them: perplexity",
     "d_ff / d_model 비율마다 드는 비용; 학습은 demos/run experiments에서"},
    {"max(0, x), x·Φ(x) exactly and by tanh, x·sigmoid(x): values, then gradients",
     "max(0, x), 정확한 x·Φ(x)와 tanh 근사, x·sigmoid(x): 값과 그래디언트"},
    {"Units that no input gets a gradient through, before and after learning, too fast at first",
     "어떤 입력에도 그래디언트가 흐르지 않는 유닛: 처음에 너무 빠른 학습의 전과 후"},
    {"For four million numbers, forward and backward", "숫자 사백만 개의 순전파와 역전파 시간"},
    {"class MoEFeedForward: every expert at every position, weighted by softmax(gate(x))",
     "class MoEFeedForward: 모든 위치에서 모든 전문가를 softmax(gate(x))로 가중"},
    {"In practice each position asks its best experts only, here 2 of 8",
     "실제로는 위치마다 가장 좋은 전문가만, 여기서는 8명 중 2명"},
    {"A gate that prefers expert 0, before and after learning by the balance loss",
     "전문가 0을 선호하는 게이트: 균형 손실로 학습하기 전과 후"},
    {"class AdaptiveFeedForward: as many hidden units as each sequence needs",
     "class AdaptiveFeedForward: 시퀀스마다 필요한 만큼의 은닉 유닛"},
    {"With units that fade out instead of being cut, the controller learns, too",
     "유닛을 자르지 않고 서서히 줄이면 제어기도 학습한다"},
    {"class TransformerBlock: attention and feed-forward, each added and normalised",
     "class TransformerBlock: 어텐션과 FFN, 각각 더하고 정규화"},
    {"Xavier keeps the size of what goes through; biases begin at zero",
     "Xavier 초기화는 신호의 크기를 지킨다; 편향은 0에서 시작"},
    {"class CheckpointedFFN: the hidden layers are recomputed, not kept",
     "class CheckpointedFFN: 은닉층을 저장하지 않고 다시 계산"},
    {"class MixedPrecisionFFN: products of rounded numbers, sums and weights in fp32",
     "class MixedPrecisionFFN: 곱은 반올림한 수로, 합과 가중치는 fp32로"},
    {"A loss is scaled so that no gradient is lost; a step that overflows is left out",
     "그래디언트가 사라지지 않도록 손실을 키운다; 넘치는 단계는 건너뛴다"},
    {"Attention against feed-forward, counted in a block of 512, 8 heads, 2048",
     "512, 헤드 8개, 2048인 블록에서 어텐션과 FFN의 파라미터 수 비교"},
    {"The document's experiments, trained on real text", "문서의 실험을 실제 텍스트로 학습"},
    // 002
    {"Vocab: sentences as pieces, pieces as ids, ids as a tensor",
     "Vocab: 문장을 조각으로, 조각을 id로, id를 텐서로"},
    {"Input embedding: a vector for each piece", "입력 임베딩: 조각마다 벡터 하나"},
    {"Position embedding: a frozen table; padding gets row 0",
     "위치 임베딩: 고정된 표; 패딩은 0번 행"},
    {"Scaled dot-product attention", "Scaled dot-product 어텐션"},
    {"Multi-head attention", "멀티 헤드 어텐션"},
    {"Masked multi-head attention: no piece sees those after it",
     "마스크드 멀티 헤드 어텐션: 뒤에 오는 조각은 보지 못한다"},
    {"Feed-forward: two convolutions with a kernel of 1, so each position by itself",
     "피드 포워드: 커널 1인 합성곱 두 번, 그래서 위치마다 따로"},
};

const Table chinese{
    // 003
    {"A linear layer treats each position alone, as a kernel of 1 that goes over them",
     "线性层单独处理每个位置，如同大小为 1 的卷积核"},
    {"class PositionwiseFeedForward: proj_up is w_1 here, proj_down is w_2",
     "class PositionwiseFeedForward：proj_up 在这里是 w_1，proj_down 是 w_2"},
    {"A batch of 64 sentences of 256 words", "一批 64 个句子，每句 256 个词"},
    {"class ResidualConnection: x + dropout(sublayer(x)), for any sublayer",
     "class ResidualConnection：x + dropout(sublayer(x))，适用于任何子层"},
    {"The same batch through the feed-forward and the connection around it",
     "同一批数据通过前馈网络及其外面的残差连接"},
    {"Of a gradient of norm 1 at the output, what arrives at the input",
     "输出处范数为 1 的梯度，到达输入时还剩多少"},
};

const Table* chosen = nullptr;

void choose(const std::string& language) {
  chosen = language == "ko" ? &korean : language == "zh" ? &chinese : nullptr;
}

}

void add_language(CLI::App& app, const std::string& own) {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* set = std::getenv(name); set && *set) {
      if (std::string_view(set).starts_with(own)) choose(own);
      break;
    }
  app.add_option_function<std::string>("--lang", choose, "of captions, if not LC_ALL's or LANG's")
      ->check(CLI::IsMember({std::string("en"), own}));
}

std::string_view caption(std::string_view english) {
  if (!chosen) return english;
  const auto found = chosen->find(english);
  return found == chosen->end() ? english : found->second;
}

}
