#pragma once

#include "demos/notebook/binding/dtype.hpp"
#include "demos/notebook/binding/index.hpp"

// In Python x.t(), x[0] and their like are views, as in torch: what is written to one is written to
// all. The engine's tensors are dense, so that most views are copies. Such a copy knows its base:
// what is written to it goes to the base as well (index_put), and once another has written there it
// is made again (as_strided) before anybody reads it.
namespace stepgrad::python {

// What is made with no_grad has no history that it could share with its base; of the parts of a
// split and of what a Function returns torch refuses it, so that none may be written to while that
// is recorded. Such views lose what history they have once their base is written to.
enum class Made { normal, no_grad, part, function };

struct View {
  Tensor base;     // which is no view
  Tensor numbers;  // base, detached: what it is without x.data = y
  Layout layout;   // where the view's elements lie in them
  Made made;
  Ref<Node> history;  // what base's was when the view was last made
  int version;        // likewise
};

// RuntimeError: x's history is lost, see Made.
void check_history(const Tensor& x);

Layout layout_of(const TypedTensor& x);
const Tensor& base_of(const TypedTensor& x);

// The view of x that `made`, which an op has computed from x, is: at `layout` in x's base.
TypedTensor view_of(const TypedTensor& x, const Layout& layout, Tensor made);
void mark_as(const TypedTensor& view, Made made);
TypedTensor detached(const TypedTensor& x);  // shares x's numbers and not its history

// x becomes y, whose shape it has: the numbers are written over, and the history is y's.
// RuntimeError: x is a leaf that requires a gradient, or a view of one, and this is recorded; or
// see Made; or some elements of x are one.
void write_in_place(const char* op, const TypedTensor& x, const Tensor& y);
// The same of a part of x, at `places` in its base, of which y's shape broadcasts to theirs.
void write_in_place(const char* op, const TypedTensor& x, Places places, const Tensor& y);
// What y is made from then: its node may save it, and x itself is about to change.
TypedTensor before_in_place(const char* op, const TypedTensor& x);
// The same of a y of another dtype. RuntimeError: x's dtype is of a lower category.
void become(const char* op, const TypedTensor& x, const TypedTensor& y);

// Whether an in-place op of the engine may write x itself: nobody would miss it.
bool is_alone(const TypedTensor& x);

}  // namespace stepgrad::python
