#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iostream>
#include <random>
#include <sstream>

#include "core/text_stream.hpp"
#include "demos/exercise/check.hpp"

namespace stepgrad::exercise {
namespace {

constexpr int64_t max_numel = 100'000;

struct Line {
  bool failed;
  std::string text;
};

// This run of a check.
struct Run {
  std::string token;  // begins each line of the student's program that is an answer
  bool judge = false;
  std::string ended;                     // judge: why the student's program wrote no more
  std::vector<std::vector<Line>> lines;  // judge: the answers of each part
  std::mt19937 random;
  double phase = 0;    // of numbers()
  size_t answers = 0;  // of the current part
  int parts = 0, right = 0;
  std::string first_wrong;
} current_run;

void write_line(const char* how, std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::cout << '\n'
            << current_run.token << ' ' << current_run.parts << ' ' << how << ' ' << text
            << std::endl;
}

// TOKEN PART (is | fails) TEXT. Anything else is the student's own output.
void read_line(const std::string& line) {
  const std::string& token = current_run.token;
  if (line.compare(0, token.size() + 1, token + ' ') != 0) return;
  size_t part = 0;
  const char *at = line.data() + token.size() + 1, *end = line.data() + line.size();
  const auto [rest, error] = std::from_chars(at, end, part);
  if (error != std::errc() || part < 1 || part > 1000) return;
  const std::string text(rest, end);
  if (current_run.lines.size() < part) current_run.lines.resize(part);
  if (text.rfind(" is ", 0) == 0) current_run.lines[part - 1].push_back({false, text.substr(4)});
  if (text.rfind(" fails ", 0) == 0) current_run.lines[part - 1].push_back({true, text.substr(7)});
}

Line next_line() {
  const size_t part = size_t(current_run.parts) - 1, answer = current_run.answers++;
  if (part >= current_run.lines.size() || answer >= current_run.lines[part].size())
    wrong(current_run.ended);
  return current_run.lines[part][answer];
}

// 2 4 3 and twelve values for a tensor of [4, 3]
std::string text_of(const Tensor& x) {
  if (!x.defined()) return "undefined";
  if (x.numel() > max_numel) wrong("the result is much too large");
  std::string text = std::to_string(x.dim());
  for (const int64_t size : x.shape()) text += ' ' + std::to_string(size);
  char value[32];
  for (int64_t i = 0; i < x.numel(); ++i) {
    std::snprintf(value, sizeof value, " %.9g", double{x.data()[i]});
    text += value;
  }
  return text;
}

Tensor tensor_of(const std::string& text) {
  if (text == "undefined") return {};
  std::istringstream in(text);
  size_t dims = 0;
  in >> dims;
  std::vector<int64_t> sizes(in && dims <= 6 ? dims : 0);
  int64_t count = 1;
  for (int64_t& size : sizes) {
    if (!(in >> size) || size < 0 || size > max_numel) wrong("its answer cannot be read");
    count = std::min(count * size, max_numel + 1);
  }
  std::vector<Scalar> values;
  for (std::string word; in >> word;) values.push_back(std::strtof(word.c_str(), nullptr));
  if (count != int64_t(values.size())) wrong("its answer cannot be read");
  Tensor x = Tensor::empty(Shape(sizes));
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

}  // namespace

void wrong(const std::string& sentence) { throw std::runtime_error(sentence); }

std::string answer_text(const std::function<std::string()>& f) {
  Line line{true, "it throws something"};
  if (current_run.judge) {
    line = next_line();
  } else {
    try {
      line = {false, f()};
    } catch (const std::exception& error) {
      line.text = error.what();
    } catch (...) {
    }
    write_line(line.failed ? "fails" : "is", line.text);
  }
  if (line.failed) wrong(line.text);
  return line.text;
}

Tensor answer(const std::function<Tensor()>& f) {
  return tensor_of(answer_text([&] { return text_of(f()); }));
}

int64_t answer_number(const std::function<int64_t()>& f) {
  return std::strtoll(answer_text([&] { return std::to_string(f()); }).c_str(), nullptr, 10);
}

int64_t draw(int64_t least, int64_t most) {
  return least + int64_t(current_run.random() % uint64_t(most - least + 1));
}

std::vector<int64_t> draw_sizes(size_t count, int64_t least, int64_t most) {
  std::vector<int64_t> sizes;
  while (sizes.size() < count) {
    const int64_t size = draw(least, most);
    if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
  }
  return sizes;
}

Tensor drawn_mask(const Shape& shape) {
  Tensor mask = Tensor::empty(shape);
  const int64_t n = shape[-1];
  for (int64_t i = 0; i < mask.numel(); ++i) mask.data()[i] = Scalar(draw(0, 1));
  for (int64_t row = 0; row < shape.rows(); ++row) mask.data()[row * n + draw(0, n - 1)] = 0;
  return mask;
}

Tensor numbers(const Shape& shape, int seed) {
  Tensor x = Tensor::empty(shape);
  for (int64_t i = 0; i < x.numel(); ++i)
    x.data()[i] = Scalar(1.5 * std::sin(current_run.phase + 1.3 * double(i) + 2.1 * seed));
  return x;
}

void part(const std::function<void()>& body) {
  ++current_run.parts, current_run.answers = 0;
  try {
    body();
    ++current_run.right;
  } catch (const std::exception& error) {
    if (current_run.first_wrong.empty()) current_run.first_wrong = error.what();
  }
}

}  // namespace stepgrad::exercise

// NAME SEED TOKEN: calls the student's function, and writes its answers, each behind the token.
// NAME SEED TOKEN ENDED: judges the answers that standard input has. ENDED: why there are no more.
int main(int argc, char** argv) {
  using namespace stepgrad::exercise;
  if (argc != 4 && argc != 5) return 2;
  Run& run = current_run;
  run.token = argv[3];
  run.random.seed(unsigned(std::strtoul(argv[2], nullptr, 10)));
  run.phase = double(draw(0, 999)) / 100;
  run.judge = argc == 5;
  if (run.judge) {
    run.ended = argv[4];
    for (std::string line; std::getline(std::cin, line);) read_line(line);
  }
  std::vector<Check> checks = op_checks;
  checks.insert(checks.end(), model_checks.begin(), model_checks.end());
  for (const auto& [exercise, there, check] : checks) {
    if (std::strcmp(exercise, argv[1]) != 0) continue;
    if (!run.judge && !there) {
      run.parts = 1;
      write_line("fails", "the function that the exercise asks for is not there");
      return 0;
    }
    check();
    if (!run.judge) return 0;
    if (run.right == run.parts) return std::cout << "right" << std::endl, 0;
    std::cout << "not yet (" << run.right << " of " << run.parts << ", seed " << argv[2]
              << "): " << run.first_wrong << std::endl;
  }
}
