#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/memory/pool.hpp"
#include "core/tensor/tensor.hpp"

namespace stepgrad {

struct Input;
struct Ledger;
void destroy(Ledger* ledger);  // defined with it
struct Saved;

// A number or several that an op was called with: dim 1.
struct Attribute {
  const char* name;
  std::vector<double> values;
};

// All that an op was called with, but for its inputs.
struct Attributes : std::vector<Attribute> {
  using std::vector<Attribute>::vector;
  const std::vector<double>& all(std::string_view name) const;  // ValueError: there is none
  double operator()(std::string_view name) const { return all(name).at(0); }
};
using Inputs = std::span<const Tensor>;

// What an op computes, for the reader of a tape, a debugger or a picture.
struct Formula {
  const char* op;        // matmul
  const char* forward;   // Y = A·B
  const char* gradient;  // dA = dY·Bᵀ   dB = Aᵀ·dY

  // Y once more, from other inputs. Random numbers are drawn again by their counter. Null if there
  // is no such: of a function of the reader's, or of a kernel that keeps what it likes.
  Tensor (*recompute)(Inputs x, const Attributes& of) = nullptr;
  Kind of_integers = Kind::integer;  // what it makes of integers alone: floating, as exp does
  bool rounds = false;               // in steps: central differences do not tell its slope
};

// Of the op of this name, if one was recorded anywhere in this program's text; else null.
const Formula* formula_named(std::string_view op);

// An entry of the list of all ops' formulas. Every op that calls record() has one, before main().
struct KnownFormula {
  explicit KnownFormula(const Formula& formula);
  const Formula& formula;
  const KnownFormula* const next;
};

// A tensor's place on the tape: which op made it, from what, and what its gradient needs.
// Each op derives one named struct with its Inputs and Saved tensors as members, under the letters
// of the formula. A node never owns a handle of its own output, so there are no cycles.
class Node {
 public:
  explicit Node(const Formula& formula);  // goes to the end of the tape. `formula` must outlive it
  Node(const Node&) = delete;
  virtual ~Node();
  static void* operator new(size_t bytes) { return pool_allocate(bytes); }
  static void operator delete(void* node, size_t bytes) { pool_release(node, bytes); }

  // The chain rule: adds to each input's gradient what dY, the gradient of this op's output,
  // contributes. Nobody else holds dY: it may be overwritten.
  virtual void backward(Tensor dY) = 0;

  // The same in a pass that is recorded itself: by ops only. An op whose backward() calls a kernel
  // has one of its own.
  virtual void backward_by_ops(Tensor dY);

  // Whether backward_by_ops() is all ops. If a node does not say, one whose op can be computed once
  // more is taken to have it.
  virtual bool has_second_gradient() const { return is_leaf() || formula.recompute; }

  virtual Attributes attributes() const { return {}; }

  // What the op makes of other inputs, by its formula and attributes alone. Undefined: it can't be.
  virtual Tensor recompute(Inputs x) const;

  // For backward(): what was saved, used for the last time. Unless the pass retains the tape, its
  // memory is free as soon as the result of take() is gone.
  Tensor take(Saved& saved) const;

  const char* op() const { return formula.op; }
  bool is_leaf() const;
  std::string gradient_name() const;  // MulBackward, as its struct is called; AccumulateGrad

  int64_t number = 0;  // 1, 2, ... in the order of recording; starts again on an empty tape
  int refs = 0;
  bool wants_grad = true;  // false for a node that is only there to be seen (dropout_mask)
  bool retains_grad = false;
  bool done = false;  // its gradient has run, and what it saved is freed
  const Formula& formula;
  const char* name = "";  // the output tensor's
  Shape shape;            // the output's, and so the gradient's
  Loc loc;                // where the op was called
  Loc caller;  // where the reader's innermost line called a module that contains loc, if any
  struct {
    const Formula* formula = nullptr;
    int64_t number = 0;
  } gradient_of;  // the op whose gradient recorded this one, if one did

  // What the backward pass that is here, or came by last, keeps of this node.
  struct InPass {
    Tensor arrived;         // the gradient that has arrived so far
    int64_t consumers = 0;  // while the pass is being prepared: edges found that lead here
    bool visited = false;   // the gradient has run
    bool retains = false;   // what was saved is left for another pass
  } pass;
  Tensor grad;  // what Tensor::grad() shows: of a leaf, or retained

  Input* inputs = nullptr;  // the first of the op's inputs, in the order of its members
  Saved* saved = nullptr;   // the first of the tensors it saved
  struct Hook {
    int number;
    std::function<Tensor(const Tensor&)> call;
  };
  std::unique_ptr<std::vector<Hook>> hooks;
  Ledger* ledger = nullptr;  // what observers keep of it, see core/watch/ledger.hpp

  Node* older = nullptr;  // neighbours on the tape
  Node* newer = nullptr;
  Node* next_doomed = nullptr;  // orphans queue up to be deleted
};

// The edge from a node to what it was computed from. False where no gradient is wanted.
struct Input {
  explicit Input(Node* owner);
  void connect(const Tensor& tensor);
  explicit operator bool() const { return node && node->wants_grad; }
  Tensor over(const Tensor& data) const;  // data, with this input's place on the tape

  // Adds g, of this input's shape or one that it was broadcast to, to the gradient that has
  // arrived. This is the only place where a gradient is un-broadcast. The first g to arrive is
  // taken over if nobody else holds it, and copied otherwise. ShapeError: g has another shape.
  void add_grad(Tensor g) const;

  Ref<Node> node;  // null: the tensor is not on the tape
  Shape shape;
  const char* name = "";
  Input* next = nullptr;
};

// The tensors that an op is computed from.
using Operands = std::span<const Tensor* const>;

// Data that a gradient needs: a handle off the tape, and the version it had.
struct Saved : Tensor {
  Saved(Node* owner, const char* letter, const Input* input = nullptr);
  Saved& operator=(const Tensor& tensor);

  // While a gradient runs that is recorded itself, what it saved has its place on the tape: that of
  // the input, or as Y that of the owner's output. Not for longer: a node would keep itself alive.
  void lend_history(Node& owner);
  void take_history_back();

  const char* letter;  // its name in the formula
  const Input* input;  // that it was, or null
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

// sum += g, taking g over if sum is undefined and nobody else holds g.
void accumulate(Tensor& sum, Tensor g);

// A gradient that somebody gives is data: what it was computed from must not live on with it.
Tensor off_tape(Tensor g);

}  // namespace stepgrad
