#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "core/tape/node.hpp"

namespace stepgrad::python {

namespace py = pybind11;

// A Python object owned by a node: a hook, a call of a Function, a checkpoint's function. Copies
// share the object; any thread may destroy the last copy. Python's garbage collector reaches it
// from tensors whose history has the node: see owned_object.cpp.
class OwnedObject {
 public:
  explicit OwnedObject(py::object object);
  const py::object& operator*() const { return owned_->object; }  // with the GIL held
  const py::object* operator->() const { return &owned_->object; }
  void by(const Node* node) const;             // who owns it
  py::cpp_function remover(int number) const;  // a function that takes this hook from its node

 private:
  struct Owned {
    py::object object;
    const Node* node = nullptr;
  };
  static void release(Owned* owned);
  std::shared_ptr<Owned> owned_;
};

// While one lives, this thread runs without the GIL, and the collector skips nodes.
struct WithoutGil {
  WithoutGil();
  ~WithoutGil();
};

// Lets the collector traverse Python's class of tensors; and once there is the class, learns which
// function the collector counts references by.
void make_collectable(PyHeapTypeObject* type);
void find_out_how_it_counts();

}
