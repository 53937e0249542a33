// Demo: the notebook, then a language model (start here)
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <optional>

#include "core/text_stream.hpp"
#include "core/trace/trace.hpp"
#include "core/watch/ledger.hpp"
#include "demos/notebook/learning.hpp"
#include "demos/parts/captions.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/command_line.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

struct Options {
  std::optional<std::string> file, html;
  bool live = false;
  int64_t seed = 0, context = 8, steps = 600;
};

constexpr int64_t B = 4, L = 10, d_model = 512, d_ff = 2048;

void parameters() {
  cell("In [7]", "The sizes, and the parameters of FFN(x) = max(0, x·W_1 + b_1)·W_2 + b_2",
      "크기, 그리고 FFN(x) = max(0, x·W_1 + b_1)·W_2 + b_2의 파라미터",
      "大小，以及 FFN(x) = max(0, x·W_1 + b_1)·W_2 + b_2 的参数");
  show_definitions({"d_model"});
  SHOW(Shape{B, L, d_model, d_ff});
  RUN(Tensor W_1 = Tensor::randn({d_model, d_ff}).requires_grad_());
  SHOW(W_1.shape());
  RUN(Tensor b_1 = Tensor::zeros({d_ff}).requires_grad_());
  SHOW(b_1.shape());
  RUN(Tensor W_2 = Tensor::randn({d_ff, d_model}).requires_grad_());
  SHOW(W_2.shape());
  RUN(Tensor b_2 = Tensor::zeros({d_model}).requires_grad_());
  SHOW(b_2.shape());
}

void relu() {
  cell("In [10]", "ReLU is a clamp: what is below 0 becomes 0", "ReLU는 clamp: 0보다 작으면 0이 된다",
      "ReLU 就是 clamp：小于 0 的变成 0");
  RUN(Tensor x = Tensor::of({0, 2, 5, 2, 3, -12}));
  SHOW(x.clamp(0));

  cell("In [11]", "class ReLU: into a new tensor, or in place", "class ReLU: 새 텐서에, 또는 제자리에서",
      "class ReLU：写入新张量，或原地修改");
  RUN(nn::ReLU relu);
  SHOW(relu(x));
  SHOW(x);
  RUN(nn::ReLU relu_in_place(true));
  SHOW(relu_in_place(x));
  SHOW(x);
  SHOW(relu.parameters().size());
}

void dropout() {
  cell("In [18]", "class Dropout: a share p becomes 0, the rest grows by 1 / (1 - p)",
      "class Dropout: 비율 p만큼 0이 되고, 나머지는 1 / (1 - p)배가 된다",
      "class Dropout：比例 p 变成 0，其余乘 1 / (1 - p)");
  RUN(Tensor x = Tensor::ones({B, L, d_ff}));
  RUN(nn::Dropout dropout(0.1));
  RUN(Tensor y = dropout(x));
  SHOW_AS("the share of zeros", mean(eq(y, 0)));
  SHOW_AS("the expected value is kept", mean(y));
  RUN(dropout.eval());
  SHOW_AS("in evaluation, x itself", dropout(x).is(x));
}

Tensor forward(nn::PositionwiseFeedForward& ffn) {
  cell("Forward", "B sentences of L words: each word goes through the same weights",
      "단어 L개짜리 문장 B개: 모든 단어가 같은 가중치를 지난다", "B 个句子，每句 L 个词：每个词经过相同的权重");
  RUN(Tensor x = Tensor::randn({B, L, d_model}).set_name("x"));
  RUN(Tensor y = ffn(x));
  SHOW(y.shape());
  RUN(Tensor loss = mean(y));
  SHOW(loss);

  cell("Tape", "What was recorded on the way, one line an op", "지나며 기록된 것, 연산마다 한 줄",
      "途中的记录，每个运算一行");
  SHOW(tape(loss));
  return loss;
}

// w1  gradient [512, 2048]  norm 0.1166
void show_gradient(const Tensor& p) {
  TextStream line;
  line << p.name() << "  gradient " << p.grad().shape() << "  norm " << std::setprecision(4)
       << std::sqrt(sum(p.grad() * p.grad()).item());
  show_text(line.str());
}

void backward(nn::PositionwiseFeedForward& ffn, const Tensor& loss) {
  cell("Backward", "The same way back: each op passes its gradient to its inputs",
      "같은 길로 되돌아가며: 연산마다 입력에 그래디언트를 넘긴다", "沿原路返回：每个运算把梯度传给它的输入");
  SHOW_AS("PyTorch's None", ffn.w1.grad());
  show_definitions({"show_gradient"});
  RUN(loss.backward());
  RUN(for (const Tensor& p : ffn.parameters()) show_gradient(p));
  SHOW_AS("b2[0] is in B·L of the B·L·d_model numbers of the mean: 1 / 512", ffn.b2.grad().at(0));
}

void check() {
  cell("Check", "Who confirms the gradients", "그래디언트를 누가 확인하는가", "由谁核对梯度");
  show_text(
      "demos/run gradient_check compares these with central differences, in double; tests/run "
      "does so for every op.");
}

void zero_grad_and_eval(nn::PositionwiseFeedForward& ffn) {
  cell("zero_grad", "backward() adds to gradients: start again from zeros",
      "backward()는 그래디언트에 더한다: 0에서 다시 시작한다", "backward() 会累加梯度：重新从零开始");
  RUN(ffn.zero_grad());
  RUN(for (const Tensor& p : ffn.parameters()) show_gradient(p));

  cell("eval", "train and eval reach the parts: without dropout, two calls agree",
      "train과 eval은 부품까지 미친다: 드롭아웃이 없으면 두 번의 결과가 같다",
      "train 和 eval 会作用到各部件：没有 dropout，两次结果相同");
  RUN(Tensor x = Tensor::randn({B, L, d_model}));
  SHOW_AS("the share of equal numbers", mean(eq(ffn(x), ffn(x))));
  RUN(ffn.eval());
  SHOW(mean(eq(ffn(x), ffn(x))));
}

void mistakes(nn::PositionwiseFeedForward& ffn) {
  cell("Mistakes", "The notebook's messages, as std::invalid_argument", "노트북의 메시지, std::invalid_argument로",
      "笔记本的错误信息，作为 std::invalid_argument");
  REFUSED(nn::Dropout(1.0f));
  REFUSED(nn::PositionwiseFeedForward(0, d_ff));
  REFUSED(nn::PositionwiseFeedForward(d_model, d_ff, -0.1f));
  REFUSED(ffn(Tensor::randn({B, L, d_model + 1})));
}

void write_page(const std::filesystem::path& program, const Tensor& loss, const std::string& html, bool is_live) {
  const auto say = [](std::string_view text, const std::string& what = {}) { show_text(std::string(text) + what); };
  const auto say_so = [&] {
    say(caption({"A page to step through this tape, forward and backward: ",
            "이 테이프를 순전파와 역전파로 한 단계씩 볼 페이지: ", "可以前向、反向逐步查看这份计算记录的页面："}),
        html);
  };
  if (!is_live) return trace(loss, html), say_so();
  // Without emscripten the page is a recorded one.
  const auto build = program.parent_path().parent_path();
  if (exists(build / "CMakeCache.txt")) {
    say(caption({"Its engine is being built: minutes the first time.",
        "엔진을 빌드하는 중입니다. 처음에는 몇 분 걸립니다.", "正在编译引擎：第一次需要几分钟。"}));
    const std::string command = "cmake --build '" + build.string() + "' --target engine";
    [[maybe_unused]] const int status = std::system((command + " >/dev/null 2>&1").c_str());
  }
  const std::string why_not = trace(loss, html, live);
  say_so();
  if (why_not.empty())
    return say(caption({"It has the engine in it: change its numbers.", "엔진이 들어 있습니다. 숫자를 바꿔 보세요.",
        "里面有引擎：可以改动其中的数。"}));
  say(caption({"It is not live: ", "숫자를 바꿔 볼 수 없습니다: ", "不能改数重算："}), why_not + '.');
}

void walk(const std::filesystem::path& program, const Options& options) {
  const std::optional<std::string>& html = options.html;
  parameters();
  relu();
  dropout();
  cell("In [19]", "class PositionWiseFeedForward", "class PositionWiseFeedForward: 위의 것을 모두 모아서",
      "class PositionWiseFeedForward：把上面的合起来");
  RUN(nn::PositionwiseFeedForward ffn(d_model, d_ff, 0.1f));
  if (html) set_ledger(true);
  const Tensor loss = forward(ffn);
  if (html) {
    write_page(program, loss, *html, options.live);
    set_ledger(false);
  }
  backward(ffn, loss);
  check();
  zero_grad_and_eval(ffn);
  mistakes(ffn);
}

void what_next() {
  cell("Next", "What to try now", "이제 해 볼 것", "现在可以试试");
  show_text(
      "demos/run notebook --text FILE     another text: a novel, in any language\n"
      "demos/run notebook --context 4     less to see, or more: 1, 2, 4, 8, ..., 64 characters\n"
      "demos/run notebook --steps 5000    more to learn: the default, 600, is short\n"
      "tests/run                          the proof that all of this is right\n"
      "\n"
      "ops/matmul.cpp                     start reading here: an op on one screen\n"
      "demos/parts/language_model.cpp     the model that you have just seen\n"
      "core/tape/backward.cpp             where a debugger stops at each step back");
}

void add_options(CLI::App& app, Options& options) {
  add_language(app, {"ko", "zh"});
  app.add_option("--html", options.html, "where the tape goes as a page to step through");
  app.add_flag("--live", options.live, "with the engine in it, to change numbers")->needs("--html");
  app.add_option("--text", options.file, "a UTF-8 file to learn from, instead of the sources");
  app.add_option("--seed", options.seed, "of all random numbers")
      ->capture_default_str()
      ->check(CLI::Range(0, 2'147'483'647));
  app.add_option("--context", options.context, "characters that the model sees")
      ->capture_default_str()
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32, 64}));
  app.add_option("--steps", options.steps, "of training")->capture_default_str()->check(CLI::Range(1, 10'000'000));
}

}

int main(int argc, char** argv) {
  CLI::App app("The notebook cell by cell, and a language model that learns from real text.", "demos/run notebook");
  Options options;
  add_options(app, options);
  return main_of(app, argc, argv, [&] {
    const Text text(options.file ? read_text(*options.file) : read_sources(STEPGRAD_TREE));
    const std::string name = options.file.value_or("stepgrad's sources and README");

    cell("stepgrad",
        std::string(caption({"The notebook in C++, by these kernels:", "노트북을 C++로, 쓰인 커널:",
            "用 C++ 写的笔记本，所用的内核："})) +
            " " + kernels::table().name);
    manual_seed(options.seed);
    walk(argv[0], options);
    learn(text, name, options.context, options.steps);
    what_next();
    return 0;
  });
}
