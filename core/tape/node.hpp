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
void destroy(Ledger* ledger);

// A tensor's place on the tape: which op made it, from what, and what its gradient needs.
//
// Each op derives one named struct, in its own file. Its members are named after the formula's
// letters: an Input for each tensor that it is computed from, an edge to that tensor's node, and a
// Saved for each tensor whose numbers its rule needs. A leaf, which no op made, has a node too:
// AccumulateGrad. A Tensor owns its node and a node the nodes of its inputs, so a history lives as
// long as its last tensor. No node owns the tensor that it made: there are no cycles but by a
// hook that owns its tensor, or a gradient that has a history.
class Node {
 public:
  explicit Node(const Formula& formula);  // goes to the end of the tape. `formula` must outlive it
  Node(const Node&) = delete;
  virtual ~Node();
  static void* operator new(size_t bytes) { return pool_allocate(bytes); }
  static void operator delete(void* node, size_t bytes) { pool_release(node, bytes); }

  // The chain rule: adds to each input's gradient what dY, the gradient of this op's output,
  // contributes. Nobody else holds dY: a kernel may overwrite it, unless the pass is recorded.
  virtual void backward(Tensor dY) = 0;

  // The same by ops alone, so that the tape can record it: for create_graph. It calls backward(),
  // which usually is all ops. A struct whose backward() calls a kernel overrides it.
  virtual void backward_by_ops(Tensor dY);

  // Whether backward_by_ops() is all ops, and so can be recorded. Taken for granted of ops that
  // have a `recompute`; other structs override it.
  virtual bool has_second_gradient() const { return is_leaf() || formula.recompute; }

  virtual Attributes attributes() const { return {}; }  // what its op was called with

  // What the op makes of other inputs, by its formula and attributes alone. Undefined if the
  // formula has no recompute.
  virtual Tensor recompute(Inputs x) const;

  // For backward(): what was saved, in the last line that uses it. Unless the pass keeps it for
  // another one, its memory is free for the next op as soon as the result of take() is gone.
  Tensor take(Saved& saved) const;

  const char* op() const { return formula.op; }
  bool is_leaf() const;
  std::string gradient_name() const;  // MulBackward, as its struct is called; AccumulateGrad

  int64_t number = 0;  // 1, 2, ... in the order of recording; starts again on an empty tape
  int refs = 0;
  bool wants_grad = true;     // false for a node that is only there to be seen (dropout_mask)
  bool retains_grad = false;  // Tensor::retain_grad() was called
  bool done = false;          // a pass has been here, and what was saved is freed
  const Formula& formula;
  const char* name = "";  // the output tensor's
  Shape shape;            // the output's, and so the gradient's
  Loc loc;                // where the op was called
  Loc caller;  // where the reader's innermost line called a module that contains loc, if any
  struct {
    const Formula* formula = nullptr;
    int64_t number = 0;
  } gradient_of;  // the op whose rule recorded this one, if one did

  // What the backward pass that is here, or came by last, keeps of this node.
  struct InPass {
    Tensor arrived;            // the sum of the gradients that have arrived from its consumers
    int64_t consumers = 0;     // for reachable(): how many inputs it has found that lead here
    bool visited = false;      // all that its gradient adds has been added
    bool keeps_saved = false;  // what was saved stays, for another pass or until this one is over
  } pass;
  Tensor grad;  // what Tensor::grad() shows: of a leaf, or retained

  Input* inputs = nullptr;  // the first of the op's inputs, in the order of its members
  Saved* saved = nullptr;   // the first of the tensors it saved
  struct Hook {
    int number;
    std::function<Tensor(const Tensor&)> call;
  };
  std::unique_ptr<std::vector<Hook>> hooks;
  Ledger* ledger = nullptr;  // for core/watch/ledger.hpp: the engine only destroys it

  Node* older = nullptr;  // neighbours on the tape
  Node* newer = nullptr;
  Node* next_doomed = nullptr;  // orphans queue up to be deleted
};

// The edge from a node to the node of a tensor that it was computed from. It is false where no
// gradient is wanted: if (a) a.add_grad(...).
struct Input {
  explicit Input(Node* owner);
  void connect(const Tensor& tensor);
  explicit operator bool() const { return node && node->wants_grad; }
  Tensor over(const Tensor& data) const;  // these numbers, with the history of this input

  // Adds g to the gradient that has arrived at this input's node. g has the input's shape, or one
  // that the input was broadcast to: then it is summed to the input's, here and nowhere else. The
  // first g to arrive is taken over if nobody else holds it, and copied otherwise.
  // ShapeError: g has another shape.
  void add_grad(Tensor g) const;

  Ref<Node> node;  // null: the tensor is not on the tape
  Shape shape;
  const char* name = "";
  Input* next = nullptr;
};

// The tensors that an op is computed from.
using Operands = std::span<const Tensor* const>;

// A tensor whose numbers a rule needs, without its history, and the version that they had:
// backward() refuses if an op in place has written over them since.
struct Saved : Tensor {
  Saved(Node* owner, const char* letter, const Input* input = nullptr);
  Saved& operator=(const Tensor& tensor);

  // With create_graph the tape records what a rule computes, so it must know where a saved
  // tensor came from. While that rule runs, the tensor has its history: that of the input which
  // it was or, if it is Y, of the owner's output. For longer, a node would own itself.
  void lend_history(Node& owner);
  void take_history_back();

  const char* letter;  // its name in the formula
  const Input* input;  // the input that it was; null: Y, or something computed for the gradient
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

}  // namespace stepgrad
