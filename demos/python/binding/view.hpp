#pragma once

#include <string_view>

#include "demos/python/binding/dtype.hpp"
#include "ops/index.hpp"

// In Python x.t(), x[0] and the like are views, as in torch: a write to one changes all. The
// engine's tensors are dense, so most views are copies. Such a copy knows its base: a write to it
// is also written to the base (index_put), and after a write elsewhere it is refreshed (as_strided)
// before it is read.
namespace stepgrad::python {

// A view made under no_grad has no history to share with its base; torch refuses recorded writes to
// parts of a split and to views returned by a Function. Such views lose their history once their
// base is written.
enum class Made { normal, no_grad, part, function };

struct View {
  Tensor base;     // which is no view
  Tensor numbers;  // base, detached: what it is without x.data = y
  Layout layout;   // where the view's elements lie in them
  Made made;
  Ref<Node> history;  // the base's node when the view was last refreshed
  int version;        // and its version
};

// RuntimeError: x's history is lost, see Made.
void check_history(const Tensor& x);

Layout layout_of(const TypedTensor& x);
const Tensor& base_of(const TypedTensor& x);

// Makes `made`, computed from x by an op, a view with `layout` in x's base.
TypedTensor view_of(const TypedTensor& x, const Layout& layout, Tensor made);
void mark_as(const TypedTensor& view, Made made);
TypedTensor detached(const TypedTensor& x);  // shares x's numbers and not its history

// x becomes y, which has its shape: overwrites the numbers, and takes y's history. RuntimeError: x
// is a leaf that requires a gradient, or a view of one, and recording is on; or see Made; or
// elements of x share a place.
void write_in_place(const char* op, const TypedTensor& x, const Tensor& y);
// The same for a part of x, at `places` in its base; y broadcasts to their shape.
void write_in_place(const char* op, const TypedTensor& x, Places places, const Tensor& y);
// Shows such a write as torch does: `before` was the node of x's base, `value` is that of what was
// written, or null.
void show_write(std::string_view op, const TypedTensor& x, const Node* before, const Node* value);
// RuntimeError: elements share a place.
void check_distinct(const char* op, const Layout& layout);
// The operand to compute y from: its node may save it, while x itself changes.
TypedTensor before_in_place(const char* op, const TypedTensor& x);
// The same for a y of another dtype. RuntimeError: x's dtype is of a lower category.
void become(const char* op, const TypedTensor& x, const TypedTensor& y);

// Whether the node's output was written through a view: by any kind of index but index tensors.
bool was_put_through_view(const Node& node);

// Whether an in-place op of the engine may write x directly: nobody else would see it.
bool is_alone(const TypedTensor& x);

}
