// Demo: nine lessons about gradients: pages to step through
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/path.hpp"
#include "core/trace/json_text.hpp"
#include "core/trace/trace.hpp"
#include "core/watch/ledger.hpp"
#include "demos/lessons/tapes.hpp"
#include "demos/lessons/thumbnail.hpp"
#include "demos/parts/command_line.hpp"
#include "demos/parts/own_source.hpp"

using namespace stepgrad;

namespace {

// A page of the course. Its text is core/trace/lessons/NAME.LANGUAGE.md, its Python code the part
// NAME of cells.py. A lesson ends with the walk of the same number in demos/step/step.md, the last
// one with lesson 8's.
struct Page {
  int lesson, minutes;
  const char* name;
  Tensor (*loss)();
  const char* function;   // that is `loss`, in tapes.cpp
  const char* exercises;  // of demos/run exercise
};
#define CODE(function) demo::function, #function
constexpr Page pages[] = {
    {1, 15, "one_number", CODE(one_number), ""},
    {1, 25, "chain", CODE(chain), "mul_backward"},
    {2, 20, "used_twice", CODE(used_twice), "used_twice"},
    {2, 30, "own_tape", CODE(own_tape), ""},
    {3, 40, "matmul", CODE(matmul_and_bias), "matmul_backward add_backward"},
    {3, 10, "tour", CODE(tour), ""},
    {4, 25, "feed_forward", CODE(feed_forward), "feed_forward"},
    {4, 25, "dropout_and_relu", CODE(dropout_and_relu), "relu_backward dropout"},
    {5, 20, "gradient_check", CODE(gradient_check), ""},
    {5, 30, "nan", CODE(shares), "find_the_nan"},
    {6, 15, "cross_entropy", CODE(next_word), ""},
    {6, 40, "attention", CODE(attention), "softmax_backward decoder_mask attention"},
    {7, 40, "block", CODE(block), "layer_norm_backward no_feed_forward sequence_wise"},
    {7, 15, "depth", CODE(depth), ""},
    {8, 20, "zero_grad", CODE(zero_grad), "sgd_step"},
    {8, 30, "adam", CODE(adam), "overfit"},
    {9, 50, "training", CODE(training), "gated_feed_forward hidden_size mixture_of_experts"},
};
#undef CODE

const char* debugged(const Page& page) { return page.lesson < 6 ? "demos/run step" : "demos/run step --block"; }

struct Language {
  const char *tag, *about, *code, *cpp, *python, *exercises, *debugger, *course;
};
constexpr Language languages[] = {
    {"en", "Lesson # of #, about # minutes with the exercises", "The code",
        "C++, which made this page:", "Cells of a notebook, for PyTorch and for this engine:",
        "Exercises, by `demos/run exercise`:", "In a debugger:", "The course"},
    {"ko", "#강(모두 #강), 연습 문제까지 약 #분", "코드", "이 페이지를 만든 C++ 코드입니다.",
        "노트북의 셀입니다. PyTorch에서도, 이 엔진에서도 실행됩니다.",
        "연습 문제(`demos/run exercise`):", "디버거에서:", "차례"},
    {"zh", "第 # 课，共 # 课，连练习约 # 分钟", "代码", "生成本页的 C++ 代码：",
        "笔记本的单元格，可在 PyTorch 或本引擎上运行：", "练习（`demos/run exercise`）：", "用调试器：", "目录"},
};

std::string in_demos(const char* file) { return read_file(std::string(STEPGRAD_TREE "/demos/") + file); }

std::string cells_of(const Page& page) {
  const std::string text = in_demos("lessons/cells.py"), mark = "# == ";
  const std::string own = mark + page.name + '\n';
  const size_t begin = text.find(own);
  check<ValueError>(begin != text.npos, "cells.py has no part '", page.name, "'");
  const size_t end = std::min(text.find(mark, begin + 1), text.size());
  const size_t last = text.find_last_not_of('\n', end - 1);
  return text.substr(begin + own.size(), last + 1 - begin - own.size());
}

// A lesson's first line, without its mark.
std::string title(const std::string& text) { return text.substr(2, text.find('\n') - 2); }
std::string goal(const std::string& text) {
  const size_t begin = text.find("\n\n") + 2;
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::vector<std::string> words(const char* text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::string text_of(const Page& page, const char* language) { return lesson(page.name).texts.at(language); }

// A page's last step: its code, what to do next, and links to the pages beside it; of cells and
// exercises, to the tab that runs them, if there is one.
std::string last_step(const Page& page, const Language& l, bool has_tab) {
  const Page *before = &page == std::begin(pages) ? nullptr : &page - 1,
             *after = &page + 1 == std::end(pages) ? nullptr : &page + 1;
  const auto link = [&](const Page& to, const char* mark, const char* end) {
    return "[" + (mark + title(text_of(to, l.tag))) + end + "](" + to.name + ".html)";
  };
  const auto in_tab = [&](const std::string& text, const std::string& book) {
    return has_tab ? "[" + text + "](tab.html#book=" + book + ")" : text;
  };
  std::string text = std::string("\n## ") + l.code + "\n" + l.cpp + "\n```cpp\n" +
      demo::definition(page.function, {"demos/lessons/tapes.cpp"}) + "\n```\n" +
      in_tab(l.python, std::to_string(page.lesson)) + "\n```python\n" + cells_of(page) + "\n```\n";
  std::string exercises;
  for (const std::string& name : words(page.exercises))
    exercises += ' ' + in_tab(has_tab ? name : '`' + name + '`', name);
  if (!exercises.empty()) text += l.exercises + exercises + "\n";
  if (!after || after->lesson != page.lesson)
    text += std::string(l.debugger) + " `" + debugged(page) + "`, demos/step/step.md, " +
        std::to_string(std::min(page.lesson, 8)) + "\n";
  if (before) text += link(*before, "← ", "") + " · ";
  text += std::string("[") + l.course + "](index.html)";
  return text + (after ? " · " + link(*after, "", " →") : "") + '\n';
}

// The line below a lesson's title, for the page's first screen.
std::string about(const Page& page, const Language& l) {
  std::string text = l.about;
  for (const int number : {page.lesson, std::rbegin(pages)->lesson, page.minutes})
    text.replace(text.find('#'), 1, std::to_string(number));
  return "about: " + text + '\n';
}

Lesson beside(const Page& page, bool has_tab) {
  Lesson text = lesson(page.name);
  for (const Language& l : languages) {
    std::string& own = text.texts.at(l.tag);
    own.insert(own.find('\n') + 1, about(page, l));
    own += last_step(page, l, has_tab);
  }
  return text;
}

std::string in_languages(const Page& page, std::string (*part)(const std::string&)) {
  std::vector<Member> all;
  for (const Language& l : languages) all.push_back({l.tag, json_string(part(text_of(page, l.tag)))});
  return object(all);
}

// The course for index.html with a picture of each page, and the folder's other pages with their
// sizes.
std::string course_json(const std::string& folder, const std::vector<std::string>& pictures) {
  std::vector<std::string> others;
  for (const std::string name : {"playground", "notebook", "tab"})
    if (const auto file = path_of(folder) / (name + ".html"); exists(file))
      others.push_back(object({{"name", json_string(name)}, {"bytes", file_size(file)}}));
  const auto page_json = [&](const Page& page) {
    return object({
        {"lesson", page.lesson},
        {"name", json_string(page.name)},
        {"title", in_languages(page, title)},
        {"goal", in_languages(page, goal)},
        {"minutes", page.minutes},
        {"picture", json_string(pictures[&page - pages])},
        {"exercises", list(words(page.exercises), json_string)},
    });
  };
  return object({{"pages", list(pages, page_json)}, {"others", list(others)}});
}

// All cells, each below its page's title and goal.
std::string notebook(const Language& l) {
  std::vector<std::string> cells;
  const auto add = [&](const char* kind, const std::string& source) {
    const bool runs = kind == std::string_view("code");
    cells.push_back(object({
        {"cell_type", json_string(kind)},
        {"id", json_string("cell" + std::to_string(cells.size()))},
        {"metadata", "{}"},
        {"source", json_string(source)},
        {"outputs", only_if(runs, "[]")},
        {"execution_count", only_if(runs, "null")},
    }));
  };
  add("code", "import torch\nfrom torch import nn");
  for (const Page& page : pages) {
    const std::string text = text_of(page, l.tag);
    add("markdown", "## " + title(text) + "\n\n" + goal(text));
    add("code", cells_of(page));
  }
  return object({{"cells", list(cells)}, {"metadata", "{}"}, {"nbformat", "4"}, {"nbformat_minor", "5"}});
}

void write_course(const std::string& folder) {
  std::vector<std::string> pictures;
  for (const Page& page : pages) {
    manual_seed(3);
    const Tensor loss = page.loss();
    const std::string file = folder + "/" + page.name + ".html";
    const std::string not_live = trace(loss, file, live, {}, beside(page, exists(path_of(folder) / "tab.html")));
    std::cout << file << (not_live.empty() ? "" : ", not live: " + not_live) << '\n';
    loss.backward(Tensor(), true);
    pictures.push_back(demo::thumbnail(loss));
  }
  for (const Language& l : languages) write_file(folder + "/course." + l.tag + ".ipynb", notebook(l));
  std::string index = in_demos("lessons/index.html");
  index.replace(index.find("@COURSE@"), 8, course_json(folder, pictures));
  write_file(folder + "/index.html", index);
  write_file(folder + "/offline.js", in_demos("lessons/offline.js"));
  std::cout << folder + "/index.html" << '\n';
}

}

int main(int argc, char** argv) {
  CLI::App app("Writes the pages of the course, and an index of them.", "demos/run lessons");
  std::string folder = "stepgrad-output/lessons";
  app.add_option("FOLDER,--out", folder, "where to")->capture_default_str();
  return demo::main_of(app, argc, argv, [&] {
    set_ledger(true);
    std::filesystem::create_directories(path_of(folder));
    write_course(folder);
    return 0;
  });
}
