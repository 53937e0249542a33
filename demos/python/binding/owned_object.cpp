// How Python's garbage collector sees the objects that nodes own.
//
// It counts, for each object, the references from other objects it traverses; an object without
// others is garbage unless something reachable refers to it. Python's tensors lead to nodes, which
// share their inputs. So a node counts as traversed once all its owners have been; then its inputs
// and objects are counted. In the second phase, everything that a tensor leads to is reachable.
//
// Most collections are of young objects alone. They do not enter nodes that survived such a one
// before: what these own is kept until an older generation is collected. Else each collection would
// walk the whole history.
#include "demos/python/binding/owned_object.hpp"

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/tape/tape.hpp"
#include "demos/python/binding/view.hpp"

namespace stepgrad::python {
namespace {

std::unordered_multimap<const Node*, PyObject*> owned_objects;
int without_gil = 0;
visitproc counting = nullptr;  // what the collector calls in its first phase
bool looking_for_it = false;
int64_t survived[2] = {};  // Node::number when generation 0, 1 or an older one was last collected
int64_t oldest = 0;        // this collection enters ops after it, and leaves
const PyTypeObject* tensor_type = nullptr;

// The number of owners seen so far in a phase, of tensors, views and nodes.
class Phase {
 public:
  int traverse(const PyObject* root, const TypedTensor& x, visitproc visit, void* arg) {
    if (visit != visit_ || roots_.contains(root)) *this = {};  // it visits each root once
    visit_ = visit;
    roots_.insert(root);
    from(x.tensor);
    if (x.view && all_seen(x.view.get(), x.view.use_count())) {
      from(x.view->base);
      enter(x.view->history.get());
    }
    while (!entered_.empty()) {
      const Node* node = entered_.back();
      entered_.pop_back();
      for (auto [it, end] = owned_objects.equal_range(node); it != end; ++it)
        if (const int stop = visit_(it->second, arg)) return stop;
      if (!node->is_leaf()) from(node->grad);
      for (const Input* input = node->inputs; input; input = input->next) enter(input->node.get());
    }
    return 0;
  }

 private:
  // Whether this was the last owner to be seen; in a later phase, whether it was the first.
  bool all_seen(const void* owned, int64_t owners) {
    const int64_t seen = ++seen_[owned];
    return seen == (visit_ == counting ? owners : 1);
  }
  void from(const Tensor& x) {
    const TensorImpl* impl = reinterpret_cast<const Ref<TensorImpl>&>(x).get();
    if (!impl || !impl->node || !all_seen(impl, impl->refs)) return;
    const Node* node = impl->node.get();
    enter(node);
    if (node->is_leaf() && static_cast<const AccumulateGrad*>(node)->tensor == impl)
      from(node->grad);  // which goes with the leaf
  }
  void enter(const Node* node) {
    if (!node || (node->number <= oldest && !node->is_leaf())) return;
    if (all_seen(node, node->refs)) entered_.push_back(node);
  }

  visitproc visit_ = nullptr;
  std::unordered_set<const PyObject*> roots_;
  std::unordered_map<const void*, int64_t> seen_;
  std::vector<const Node*> entered_;
};
auto& phase = *new Phase;

const TypedTensor* tensor_of(PyObject* self) {
  const auto* instance = reinterpret_cast<py::detail::instance*>(self);
  return instance->simple_layout ? static_cast<const TypedTensor*>(instance->simple_value_holder[0]) : nullptr;
}

PyObject*& attributes_of(PyObject* self) {
  return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(self) + tensor_type->tp_dictoffset);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  if (looking_for_it) counting = visit, looking_for_it = false;
  Py_VISIT(attributes_of(self));
  Py_VISIT(Py_TYPE(self));
  const TypedTensor* x = tensor_of(self);
  if (owned_objects.empty() || without_gil || !counting || !x || !x->tensor.defined() ||
      !(x->view || x->tensor.node()))  // undefined: cleared, and held by somebody
    return 0;
  return phase.traverse(self, *x, visit, arg);
}

int clear(PyObject* self) {
  Py_CLEAR(attributes_of(self));
  if (const TypedTensor* x = tensor_of(self)) {
    const TypedTensor dropped = std::move(*const_cast<TypedTensor*>(x));
  }
  return 0;
}

void deallocate(PyObject* self) {
  PyObject_GC_UnTrack(self);
  tensor_type->tp_base->tp_dealloc(self);
}

}

OwnedObject::OwnedObject(py::object object) : owned_(new Owned{std::move(object)}, &release) {}

void OwnedObject::by(const Node* node) const {
  owned_->node = node;
  owned_objects.emplace(node, owned_->object.ptr());
}

py::cpp_function OwnedObject::remover(int number) const {
  return [owned = std::weak_ptr(owned_), number] {
    if (const std::shared_ptr<Owned> alive = owned.lock()) alive->node->remove_hook(number);
  };
}

void OwnedObject::release(Owned* owned) {
  if (!Py_IsInitialized()) return;  // the interpreter is gone, and its objects with it
  const py::gil_scoped_acquire gil;
  for (auto [it, end] = owned_objects.equal_range(owned->node); it != end; ++it) {
    if (it->second != owned->object.ptr()) continue;
    owned_objects.erase(it);
    break;
  }
  delete owned;
}

WithoutGil::WithoutGil() { ++without_gil; }
WithoutGil::~WithoutGil() { --without_gil; }

void make_collectable(PyHeapTypeObject* heap_type) {
  PyTypeObject& type = heap_type->ht_type;
  tensor_type = &type;
#ifdef Py_TPFLAGS_MANAGED_DICT
  type.tp_flags &= ~Py_TPFLAGS_MANAGED_DICT;  // which Python would look into as well
#endif
  type.tp_dictoffset = type.tp_basicsize;
  type.tp_basicsize += static_cast<Py_ssize_t>(sizeof(PyObject*));
  type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type.tp_traverse = &traverse;
  type.tp_clear = &clear;
  type.tp_dealloc = &deallocate;
}

// What the collector calls as it begins and as it ends.
void begin_or_end(const std::string& which, const py::dict& about) {
  phase = {};
  if (which != "start") return;
  const auto generation = about["generation"].cast<size_t>();
  const std::lock_guard lock(the_tape.lock);
  oldest = generation < 2 && survived[generation] <= the_tape.numbered ? survived[generation] : 0;
  for (size_t i = 0; i < 2 && i <= generation; ++i) survived[i] = the_tape.numbered;
}

// Finds the collector's functions: it calls them for a new tensor.
void find_out_how_it_counts() {
  const py::object gc = py::module_::import("gc"), tensor = py::cast(TypedTensor{});
  looking_for_it = true;
  gc.attr("collect")(0);
  looking_for_it = false;
  gc.attr("callbacks").attr("append")(py::cpp_function(&begin_or_end));
}

}
