// The JSON of a tape, byte by byte.
#include <map>

#include "core/files.hpp"
#include "core/trace/arrays.hpp"
#include "core/trace/base64.hpp"
#include "core/trace/json_text.hpp"
#include "core/trace/recording.hpp"
#include "core/trace/trace.hpp"
#include "core/utf8.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

TEST_CASE("A source that the compiler named from its folder is found in one around, or in the tree") {
  const auto has = [](const char* file, const char* line) {
    const Tensor x = Tensor::of({1.}).requires_grad_();
    const std::string json = to_json(recording_of(sum(Arg(x, {file, 1})), 1));
    return count(json, std::string("[1,\"") + line) == 1;
  };
  const char *const file = "../../../../../../tests/trace/json_test.cpp", *first = "// The JSON of";
  const Folder folder;
  std::filesystem::create_directory(folder.path / "below");
  write_file(folder.file("around.cpp"), "found");
  CHECK(has(file, first));
  for (const std::filesystem::path& from : {std::filesystem::path("tests/trace"), folder.path / "below"}) {
    const Inside elsewhere(from);
    CHECK(has(file, first));
    CHECK(has("../../../around.cpp", "found") == (from != "tests/trace"));
  }
}

TEST_CASE("A page says which gradient recorded an op") {
  const Tensor x = Tensor::of({1., 2.}).requires_grad_(), y = sum(exp(x));
  const Tensor second = sum(grad({y}, {x}, {.create_graph = true})[0]);
  const std::string json = to_json(recording_of(second, 100));
  CHECK_THAT(json, ContainsSubstring("\"op\":\"mul\"") && ContainsSubstring("\"within\":\"exp #1\""));
  CHECK_THAT(to_json(recording_of(y, 100)), !ContainsSubstring("\"within\""));
}

TEST_CASE("Equal tensors that share data are on the page once per shape") {
  const KeepLedger on(true);
  const Tensor x = Tensor::of({{1, 2, 3}, {4, 5, 6}}).requires_grad_();
  const std::string json = to_json(recording_of(sum(x.reshape({3, 2})), 100));
  for (const char* shape : {"[2,3]", "[3,2]"}) CHECK(count(json, "{\"shape\":" + std::string(shape) + ",\"v\":") == 1);
  const Recording nothing;
  const Crops crops(nothing, Cell{});
  Arrays arrays(&crops);
  for (const double one : {0., -0., double{NAN}, double{NAN}, double{NAN}}) arrays.add(Tensor::full({1}, one));
  CHECK(count(arrays.json(), "\"v\"") == 3);
}

TEST_CASE("An op's times are forward, then backward") {
  const KeepLedger on(true);
  const Tensor x = Tensor::of({1., 2.}).requires_grad_(), loss = sum(x);
  loss.backward({}, true);
  loss.node()->ledger->forward_seconds = 0.25, loss.node()->ledger->backward_seconds = 0.5;
  CHECK(count(to_json(recording_of(loss, 100)), "\"seconds\":[0.25,0.5]") == 1);
}

TEST_CASE("A large tensor has each block's largest number, its share of zeros, and figures of all") {
  for (const auto& [shape, high, wide] : std::vector<std::tuple<Shape, int64_t, int64_t>>{
           {{301, 201}, 8, 8}, {{1, 9000}, 1, 16}, {{5000}, 1, 8}, {{9000, 1}, 16, 1}, {{3, 7, 999}, 1, 32}}) {
    const Tensor x = Tensor::empty(shape);
    const int64_t columns = x.size(-1), across = (columns + wide - 1) / wide;
    std::map<int64_t, Values> blocks;
    double finite = 0;
    std::map<std::string, double> known{{"min", infinity}, {"max", -infinity}};
    for (int64_t i = 0; i < x.numel(); ++i) {
      const int64_t k = i * 7919 % 1009;
      const Scalar some[] = {NAN, infinity, -infinity, -0.f};
      const Scalar value = x.data()[i] = k < 99 ? some[k % 4]
          : k < 300                             ? 0
                                                : Scalar(k - 650) * (k % 3 ? 1.2345678e-9f : 8.7654321e9f);
      blocks[i / columns / high * across + i % columns / wide].push_back(value);
      known["zeros"] += value == 0, known["nan"] += std::isnan(value);
      known["inf"] += std::isinf(value);
      if (!std::isfinite(value)) continue;
      ++finite;
      known["mean"] += value, known["size"] += std::abs(value);
      known["min"] = std::min<double>(known["min"], value);
      known["max"] = std::max<double>(known["max"], value);
    }
    for (const char* name : {"mean", "size"}) known[name] /= finite;
    std::vector<float> most;
    std::string gaps;
    for (const auto& [at, block] : blocks) {
      const auto size = [](Scalar v) { return std::abs(v); };
      const auto nan = std::ranges::find_if(block, [](Scalar v) { return std::isnan(v); });
      most.push_back(nan != block.end() ? *nan : *std::ranges::max_element(block, {}, size));
      gaps += char(std::lround(255. * std::ranges::count(block, 0) / std::ssize(block)));
    }
    Arrays arrays;
    arrays.add(x);
    const std::string said = arrays.summary(x.data(), columns, x.numel());
    INFO(shape << ' ' << said);
    CHECK_THAT(said,
        ContainsSubstring("\"v\":\"" + base64(most) + "\",\"block\":[" + std::to_string(high) + ',' +
            std::to_string(wide) + "],\"gaps\":\"" + base64(gaps) + '"'));
    for (const auto& [name, figure] : known)
      CHECK(std::strtod(said.c_str() + said.find('"' + name + "\":") + name.size() + 3, nullptr) ==
          Approx(figure).epsilon(1e-8));
  }
}

TEST_CASE("A string of any bytes is one of JSON") {
  CHECK(json_string("a\"\\\n</") == "\"a\\u0022\\u005c\\u000a\\u003c/\"");
  CHECK(json_string("é한\U0001F600") == "\"é한\U0001F600\"");
  CHECK(json_string("\u2028\u2029") == "\"\\u2028\\u2029\"");
  for (const char* last : {"\xED\x9F\xBF", "\xEE\x80\x80"})  // beside the surrogates
    CHECK(json_string(last) == '"' + std::string(last) + '"');
  for (const char* bad : {"\x80", "\xBF", "\xC3", "\xC3(", "\xE2\x82", "\xF5\x80\x80\x80", "\xC1\x81", "\xC1\xBF",
           "\xE0\x9F\xBF", "\xF4\x90\x80\x80", "\xED\xA0\x80", "\xED\xAF\xBF", "\xED\xB0\x80", "\xED\xBF\xBF"})
    CHECK(json_string(bad).starts_with("\"\\ufffd"));
}

TEST_CASE("Rows get words if the tensor of that very name has as many") {
  const std::vector<std::string> all{"a", "\"b\"", "", "d"};
  for (const auto& [name, shape, n] : std::vector<std::tuple<const char*, Shape, int64_t>>{{"x", {2, 3}, 2},
           {"x", {2, 3, 4}, 3}, {"x", {3, 3}, 3}, {"x", {1, 4}, 1}, {"x1", {2, 3}, 0}, {"X", {2, 3}, 0}, {"x", {3}, 0}})
    for (int64_t words = 1; words <= 4; ++words) {
      const Tensor x = Tensor::ones(shape).requires_grad_().set_name(name);
      Lesson lesson("# L\n");
      lesson.rows["x"] = {all.begin(), all.begin() + words};
      const auto json = [&] { return to_json(recording_of(sum(x), 1), {}, lesson); };
      INFO(name << ' ' << shape << ' ' << words);
      if (words != n) {
        CHECK_THROWS_AS(json(), ValueError);
        continue;
      }
      const char* said[] = {R"(["a"])", R"(["a","\u0022b\u0022"])", R"(["a","\u0022b\u0022",""])"};
      CHECK(count(json(), std::string(R"("rows":{"x":)") + said[n - 1] + '}') == 1);
    }
}
