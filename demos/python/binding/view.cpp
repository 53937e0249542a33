#include "demos/python/binding/view.hpp"

#include <algorithm>
#include <cctype>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "demos/python/binding/lines.hpp"
#include "demos/python/binding/tensor.hpp"
#include "ops/detach.hpp"

namespace stepgrad::python {
namespace {

bool shares_storage(const Tensor& a, const Tensor& b) { return a.storage().get() == b.storage().get(); }

// A leaf of its own, whatever its base becomes.
bool has_leaf(const Tensor& x) { return x.node() && x.node()->is_leaf(); }

void check_recordable(Made made, const char* what) {
  check<Error>(
      made != Made::no_grad, what, ": this view was created under no_grad, so an in-place write cannot be recorded");
  check<Error>(made == Made::normal, what, ": a view ",
      made == Made::part ? "from unbind(), split() or chunk()" : "returned by a Function",
      " cannot be changed in place, or read after its base was, while autograd records; ",
      made == Made::part ? "index the base instead: x[i]" : "clone() it in the Function");
}

// The node of a stale view: its base changed in place and its history is lost. Its values may be
// read; recorded ops throw.
struct LostView final : Node {
  static constexpr Formula formula{"lost_view", "Y = X (history lost)", ""};
  explicit LostView(Made made) : Node(formula), made(made) {}
  void backward(Tensor) override { check_recordable(made, "a stale view, whose base was changed in place"); }
  Made made;
};

void check_in_place_of(const char* op, const TypedTensor& x, bool recorded) {
  const Tensor& base = base_of(x);
  const bool requires_grad = x.tensor.requires_grad() || base.requires_grad();
  if (!grad_enabled() || !(recorded || requires_grad)) return;
  if (x.view) check_recordable(x.view->made, op);
  check<Error>(!requires_grad || !(x.tensor.is_leaf() || base.is_leaf()), op, ": ", x.tensor.shape(),
      " is a leaf that requires a gradient, or a view of one, and may be "
      "changed in place only with torch.no_grad()");
}

}

Layout layout_of(const TypedTensor& x) { return x.view ? x.view->layout : Layout(x.tensor.shape()); }
const Tensor& base_of(const TypedTensor& x) { return x.view ? x.view->base : x.tensor; }

void check_history(const Tensor& x) {
  if (!x.node()) return;
  if (auto* lost = dynamic_cast<LostView*>(x.node())) lost->backward({});
}

// Copies to the view x its base's current values and history.
void make_again_if_stale(const TypedTensor& x) {
  View& view = *x.view;
  const Tensor& base = view.base;
  if (!shares_storage(base, view.numbers)) view.base = view.numbers, view.history = {};
  const int version = base.storage()->version();
  if (view.version == version && !base.storage()->written_unseen) return;
  const bool shared = shares_storage(base, x.tensor);
  if (!shared) copy_out(view.layout, base.data(), x.tensor.data());
  if (std::exchange(view.version, version) == version) return;
  if (view.made != Made::normal && (x.tensor.requires_grad() || base.requires_grad())) {
    x.tensor.set_node(Ref<Node>(new LostView(view.made)));
  } else if (view.history.get() != base.node() && (base.requires_grad() || !has_leaf(x.tensor))) {
    const EnableGrad as_it_was_made;
    const bool retains_grad = x.tensor.node() && x.tensor.node()->retains_grad;
    x.tensor.set_node({});
    const Places places(view.layout, IndexKind::as_strided);
    on_tape(x.tensor, record_index(base, places, line_if_recorded(base)));
    if (retains_grad && x.tensor.requires_grad()) x.tensor.retain_grad();
    view.history = Ref<Node>(base.node());
  }
  if (shared) x.tensor.set_detached(true);
}

TypedTensor view_of(const TypedTensor& x, const Layout& layout, Tensor made) {
  if (made.is(x.tensor)) return x;
  const Tensor& base = base_of(x);
  if (shares_storage(made, base))
    made.set_detached(true);  // its history follows base's
  else
    made.storage()->count_versions_with(*base.storage());
  const Made how = x.view && x.view->made != Made::normal ? x.view->made
      : grad_enabled()                                    ? Made::normal
                                                          : Made::no_grad;
  View view{base, base.off_tape(), layout, how, Ref<Node>(base.node()), base.storage()->version()};
  return {std::move(made), x.dtype, std::make_shared<View>(std::move(view))};
}

void mark_as(const TypedTensor& x, Made made) {
  if (x.view && x.view->made == Made::normal) x.view->made = made;
}

TypedTensor detached(const TypedTensor& x) {
  const Loc loc = observers() ? python_line() : Loc{};  // of a stale view, too
  TypedTensor result{stepgrad::detach({x.tensor, loc}), x.dtype};
  if (!x.view) return result;
  const View& view = *x.view;
  result.view =
      std::make_shared<View>(View{view.base.off_tape(), view.numbers, view.layout, Made::normal, {}, view.version});
  return result;
}

bool was_put_through_view(const Node& node) { return kind_of_put(node).value_or(IndexKind::index) != IndexKind::index; }

bool is_alone(const TypedTensor& x) { return !x.view && !x.tensor.shares_history(); }

void check_distinct(const char* op, const Layout& layout) {
  check<Error>(!layout.overlaps(), op, ": ", layout.shape,
      " is an expanded view: elements share one memory location; clone() it first");
}

TypedTensor before_in_place(const char* op, const TypedTensor& x) {
  const bool leaf = x.tensor.node() && x.tensor.node()->is_leaf();
  if (!grad_enabled() && (leaf || !shows_ops())) return x;
  check_in_place_of(op, x, false);
  const Tensor before = x.tensor.copied();
  if (*x.tensor.c_name()) before.set_name(x.tensor.c_name());
  before.set_node(Ref<Node>(x.tensor.node()));
  return {before, x.dtype};
}

void become(const char* op, const TypedTensor& x, const TypedTensor& y) {
  check<Error>(category(y.dtype) <= category(x.dtype), "result type ", type_name(y.dtype),
      " can't be cast to the desired output type ", type_name(x.dtype));
  write_in_place(op, x, to_dtype(y, x.dtype, line_if_recorded(y.tensor)).tensor);
}

void write_in_place(const char* op, const TypedTensor& x, const Tensor& y) {
  check<Error>(x.tensor.shape() == y.shape(), op, ": the result of shape ", y.shape(), " does not fit in place into ",
      x.tensor.shape());
  const Layout layout = layout_of(x);
  check_distinct(op, layout);
  const bool forgets = grad_enabled() && x.tensor.requires_grad() && !y.requires_grad();
  if (x.view || forgets) {
    const Ref<Node> before(base_of(x).node());
    write_in_place(op, x, {layout, IndexKind::index}, y);
    return show_write(op, x, before.get(), y.requires_grad() ? y.node() : nullptr);
  }
  check_in_place_of(op, x, y.requires_grad());
  std::copy_n(y.data(), y.numel(), x.tensor.data());
  Ref<Node> node(y.node());
  if (node && node->wants_grad && !grad_enabled()) {
    stepgrad::tell_read(y, op, node->loc, x.tensor.storage().get());
    node = {};
  }
  written_in_place(x.tensor, std::move(node));
}

void show_write(std::string_view op, const TypedTensor& x, const Node* before, const Node* value) {
  if (!op.ends_with('_')) return;  // a Function's own
  const bool copies = op == "copy_", fills = op == "fill_";
  std::vector<const Node*> operands{before};
  if (value || copies) operands.push_back(value);
  std::string name(op.substr(0, op.size() - 1));
  name[0] = char(std::toupper(name[0]));
  if (copies)
    name = "CopyBackwards";
  else
    name += fills ? (value ? "Backward3" : "Backward2") : "Backward0";
  if (x.view) name = value && !copies && !fills ? "CopySlices of an op" : "CopySlices";
  show_as(base_of(x), name, std::move(operands));
}

void write_in_place(const char* op, const TypedTensor& x, Places places, const Tensor& y) {
  check_in_place_of(op, x, y.requires_grad());
  const Tensor& base = base_of(x);
  const Loc loc = line_if_recorded(base, y);
  if (x.view) places.kind = IndexKind::slice;
  unsafe_index_put_({base, loc}, places, {y, loc});
}

}
