#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/memory/pool.hpp"
#include "core/tape/formula.hpp"

namespace stepgrad {

struct Input;
struct Saved;
struct Ledger;

// A tensor's place on the tape: the op that computed it, the op's inputs, and what its gradient
// needs.
//
// Each op derives one named struct, in its own file. Its members are named after the formula's
// letters: an Input (an edge to a node) for each input, and a Saved for each tensor that backward()
// needs. A leaf has a node too: AccumulateGrad. A Tensor owns its node, and a node owns the nodes
// of its inputs, so a history lives as long as its last tensor. A node does not own its output.
// Cycles arise only if a hook owns its tensor, or if a gradient has a history (create_graph).
class Node {
 public:
  explicit Node(const Formula& formula);  // appends itself to the tape; `formula` must outlive it
  Node(const Node&) = delete;
  virtual ~Node();
  static void* operator new(size_t bytes) { return pool_allocate(bytes); }
  static void operator delete(void* node, size_t bytes) { pool_release(node, bytes); }

  // The chain rule: adds this op's contribution to the gradient of each input. dY is the gradient
  // of the output. Nobody else holds dY, so a kernel may overwrite it, unless the pass is recorded.
  virtual void backward(Tensor dY) = 0;

  // Whether backward() may be given a dY that the caller holds, too; by default it gets a copy. For
  // ops that only read dY, or ask dY.owned_alone() before they write over it.
  virtual bool takes_shared_gradient() const { return false; }

  // backward() written with recorded ops, for create_graph. By default it calls backward(); a
  // struct whose backward() calls a kernel overrides it.
  virtual void backward_by_ops(Tensor dY);

  // Whether backward_by_ops() consists of recorded ops. By default true for leaves and for ops with
  // a `recompute`.
  virtual bool has_second_gradient() const { return is_leaf() || formula.recompute; }

  virtual Attributes attributes() const { return {}; }  // the op's arguments that are not tensors

  // The op's output for the given inputs, by its formula and attributes alone. Undefined if the
  // formula has no recompute.
  virtual Tensor recompute(Inputs x) const;

  // Moves a saved tensor out, unless the pass retains it. Call it at the last use in backward():
  // its memory is free for the next op as soon as the result is gone.
  Tensor take(Saved& saved) const;

  const char* op() const { return formula.op; }
  bool is_leaf() const;
  // Whether new ops keep no edge to it: a frozen leaf, or display-only, with inputs and older than
  // the last backward pass, unless lasting; else a sum over a training would keep the tape of every
  // step.
  bool is_past() const;
  std::string gradient_name() const;  // MulBackward, as its struct is called; AccumulateGrad

  int64_t number = 0;  // 1, 2, ... in the order of recording; starts again on an empty tape
  int refs = 0;
  bool wants_grad = true;      // false for a display-only node (dropout_mask) and a frozen leaf
  bool retains_grad = false;   // Tensor::retain_grad() was called
  bool under_no_grad = false;  // display-only, and seen by no observer but the ledger
  bool lasting = false;        // display-only, computed from constants since the last pass
  bool done = false;           // a pass has visited it and freed its saved tensors
  const Formula& formula;
  const char* name = "";  // the output tensor's
  Shape shape;            // the output's, and so the gradient's
  Loc loc;                // where the op was called
  Loc caller;             // the line of user code that called the module containing loc, if any
  struct {
    const Formula* formula = nullptr;
    int64_t number = 0;
  } gradient_of;  // the op whose backward() recorded this one (create_graph)

  // State of the current or latest backward pass.
  struct InPass {
    Tensor arrived;            // the sum of the contributions so far
    int64_t consumers = 0;     // for reachable(): number of edges to this node found so far
    bool visited = false;      // its backward() has run and all contributions are added
    bool keeps_saved = false;  // saved tensors stay, for another pass or until this one ends
    bool left_out = false;     // leads to no input that grad() is asked for
    bool ends = false;         // is one, and leads to no other: backward() does not run
  } pass;
  Tensor grad;  // Tensor::grad(): of a leaf, or retained

  Input* inputs = nullptr;  // the first of the op's inputs, in the order of its members
  Saved* saved = nullptr;   // the first of the tensors it saved
  struct Hook {
    int number;
    std::function<Tensor(const Tensor&)> call;
  };
  std::unique_ptr<std::vector<Hook>> hooks;
  int add_hook(std::function<Tensor(const Tensor&)> call);  // its number
  void remove_hook(int hook_number) const;                  // nothing, if it is gone
  std::shared_ptr<void> metadata;  // what a program keeps with the node; the engine only drops it
  std::shared_ptr<Ledger> ledger;  // core/watch/ledger.hpp's, likewise

  Node* older = nullptr;  // neighbours on the tape
  Node* newer = nullptr;
  Node* next_doomed = nullptr;  // the next node to delete: from a list, not recursively
};

// An edge from a node to the node of one of its inputs. False if that input requires no gradient:
// if (a) a.add_grad(...).
struct Input {
  explicit Input(Node* owner);
  void connect(const Tensor& tensor);
  explicit operator bool() const { return node && node->wants_grad; }
  Tensor over(const Tensor& data) const;  // data's values, with this input's history

  // Adds the contribution g at this input's node. g has the input's shape, or the shape that the
  // input was broadcast to: then it is summed to the input's shape, here and nowhere else. The
  // buffer of the first g is reused if nobody else holds it, and copied otherwise.
  // ShapeError: g has another shape.
  void add_grad(Tensor g, Loc loc = Loc::here()) const;

  Ref<Node> node;  // null: the tensor is not on the tape
  Shape shape;
  const char* name = "";
  Input* next = nullptr;
};

using Operands = std::span<const Tensor* const>;  // an op's input tensors

// A saved tensor: values that backward() needs, without history, and their version. A pass refuses
// to run if an in-place op has changed them since.
struct Saved : Tensor {
  Saved(Node* owner, const char* letter, const Input* input = nullptr);
  Saved& operator=(const Tensor& tensor);

  const char* letter;  // its name in the formula
  const Input* input;  // the input it was saved from; null for the output Y or an intermediate
  int version = 0;
  Saved* next = nullptr;
};

// A leaf's node: where Tensor::grad() lives.
struct AccumulateGrad final : Node {
  static constexpr Formula formula{"leaf", "", "grad += dY"};
  AccumulateGrad() : Node(formula) {}
  void backward(Tensor dY) override;  // grad += dY
  TensorImpl* tensor = nullptr;       // the leaf, as long as it lives
};

}
