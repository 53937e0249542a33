#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "core/tape/node.hpp"

namespace stepgrad::python {

namespace py = pybind11;

// A Python object that a node owns: a hook, a call of a Function, what a checkpoint computes again.
// Copies share it, and any thread may drop the last. Python's collector of cycles looks for it
// behind the tensors whose history the node is: see held.cpp.
class Held {
 public:
  explicit Held(py::object object);
  const py::object& operator*() const { return owned_->object; }  // with the GIL held
  const py::object* operator->() const { return &owned_->object; }
  void by(const Node* node) const;  // who owns it

 private:
  struct Owned {
    py::object object;
    const Node* node = nullptr;
  };
  static void release(Owned* owned);
  std::shared_ptr<Owned> owned_;
};

// While one lives, a thread runs without the GIL, and the collector does not look at nodes.
struct WithoutGil {
  WithoutGil();
  ~WithoutGil();
};

// Makes Python's class of tensors one that the collector looks into.
void make_collectable(PyHeapTypeObject* type);
void find_out_how_it_counts();  // once there is the class

}  // namespace stepgrad::python
