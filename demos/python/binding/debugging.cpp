// Functions for a notebook's cells: the tape, contributions to gradients, stepping, gdb.
#include <pybind11/stl.h>

#include <optional>

#include "core/files.hpp"
#include "core/memory/pool.hpp"
#include "core/memory/storage.hpp"
#include "core/text_stream.hpp"
#include "core/trace/trace.hpp"
#include "core/watch/detect_nan.hpp"
#include "core/watch/explain.hpp"
#include "core/watch/ledger.hpp"
#include "core/watch/print_tape.hpp"
#include "core/watch/stepper.hpp"
#include "demos/python/binding/tensor.hpp"

template <>
class pybind11::detail::type_caster<stepgrad::Stepper> : public stepgrad::python::Initialised<stepgrad::Stepper> {};

namespace stepgrad::python {
namespace {

// A node as text in Python, so that it may outlive the node.
py::object shown(const Node* node) {
  if (!node) return py::none();
  TextStream text;
  text << '#' << node->number << ' ' << node->op();
  if (*node->name) text << " '" << node->name << '\'';
  if (!node->is_leaf()) text << " at " << called_at(*node);
  if (*node->formula.gradient) text << ":  " << node->formula.gradient;
  return py::str(text.str());
}

// `text`: a lesson, or the name of one on a single line. `engine`: None for a page that is not
// live, a file, or empty for the built one. Returns the page and, if it should be live, why it is
// not.
std::pair<std::string, std::string> html(const TypedTensor& loss, const std::string& name,
    const std::vector<int64_t>& index, const std::string& text, const std::optional<std::string>& engine,
    decltype(Lesson::rows) rows) {
  const bool named = text.find('\n') == std::string::npos;
  Lesson beside = text.empty() ? Lesson() : named ? lesson(text) : Lesson(text);
  beside.rows = std::move(rows);
  return computed([&]() -> std::pair<std::string, std::string> {
    const Cell cell{name, index};
    if (!engine) return {to_html(loss.tensor, cell, beside), ""};
    const Live found{engine->empty() ? live.engine : engine->c_str()};
    Page page = to_html(loss.tensor, found, cell, beside);
    return {std::move(page.html), std::move(page.not_live)};
  });
}

}

void bind_debugging(py::module_& module, Class&) {
  module.def("_tape", [](const TypedTensor& x) { return tape_rows(x.tensor); });
  module.def("_columns", &in_columns);
  module.def("_explain", [](const TypedTensor& x) { return explain(x.tensor); });
  module.def("_to_html", &html);
  module.def("_refusal_to_html", [] { return refusal_to_html(); });
  module.def("_write_file", &write_file);
  module.def("set_ledger", &set_ledger, "keep"_a);
  module.def("set_detect_nan", &set_detect_nan, "detect"_a);
  module.def("memory_stats", [] {
    const MemoryStats stats = memory_stats();
    py::dict result;
    result["in_use"] = stats.in_use;
    result["cached"] = stats.cached;
    result["peak"] = stats.peak;
    result["live_nodes"] = live_nodes();
    result["live_storages"] = live_storages();
    return result;
  });
  module.def("empty_cache", &empty_cache);
#ifdef STEPGRAD_TEACH
  module.attr("teaching") = true;
#else
  module.attr("teaching") = false;
#endif

  py::class_<Stepper>(module, "Stepper", "Runs backward one gradient at a time: next(), back(), run_until(op).")
      .def(py::init([](const TypedTensor& loss) { return std::make_unique<Stepper>(loss.tensor); }), "loss"_a)
      .def("next", [](Stepper& s) { return shown(s.next()); })
      .def("back", [](Stepper& s) { return shown(s.back()); })
      .def(
          "run_until", [](Stepper& s, const std::string& op) { return shown(s.run_until(op)); }, "op"_a);
}

}
