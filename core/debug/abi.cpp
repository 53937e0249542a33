// What debuggers look for in a program: their script, and its layout's version. The linker takes
// this file into every program, so it also starts observers before the first op.
#include "core/tape/tape.hpp"
#include "core/watch/going_back.hpp"
#include "core/watch/ledger.hpp"
#include "core/watch/paranoid.hpp"

namespace stepgrad {

namespace {

// Before the user's own globals are made.
struct Start {
  Start() {
#ifdef STEPGRAD_TEACH
    set_ledger(true);
#endif
    set_paranoid_from_environment();
  }
};
[[gnu::init_priority(1000)]] Start start;

// The scripts beside this file read these members by name. If you change one, change the scripts
// too, and count up stepgrad_debug_abi here and ABI in stepgrad_read.py.
template <class Expected, class Owner, class Found>
constexpr bool has(Found Owner::*) {
  return std::is_same_v<Expected, Found>;
}
static_assert(has<int>(&TensorImpl::refs) && has<Shape>(&TensorImpl::shape) &&
    has<Ref<Storage>>(&TensorImpl::storage) && has<Scalar*>(&TensorImpl::data) && has<int64_t>(&TensorImpl::size) &&
    has<Ref<Node>>(&TensorImpl::node) && has<const char*>(&TensorImpl::name));
static_assert(has<int64_t>(&Storage::size) && has<Scalar*>(&Storage::data));
static_assert(has<int64_t>(&Node::number) && has<const char*>(&Node::name) && has<Shape>(&Node::shape) &&
    has<Loc>(&Node::loc) && has<Loc>(&Node::caller) && has<bool>(&Node::wants_grad) && has<bool>(&Node::done) &&
    has<Tensor>(&Node::grad) && has<Node::InPass>(&Node::pass) && has<bool>(&Node::InPass::visited) &&
    has<Tensor>(&Node::InPass::arrived) && has<Input*>(&Node::inputs) && has<Saved*>(&Node::saved) &&
    has<std::shared_ptr<Ledger>>(&Node::ledger) && has<Node*>(&Node::older) && has<Node*>(&Node::newer) &&
    has<TensorImpl*>(&AccumulateGrad::tensor) && sizeof(AccumulateGrad) == sizeof(Node) + sizeof(TensorImpl*));
static_assert(has<Ref<Node>>(&Input::node) && has<Shape>(&Input::shape) && has<const char*>(&Input::name) &&
    has<Input*>(&Input::next));
static_assert(has<const char*>(&Saved::letter) && has<Saved*>(&Saved::next));
static_assert(has<Node*>(&Tape::newest) && has<int64_t>(&Tape::ops) && has<int64_t>(&Tape::numbered) &&
    has<Node*>(&Tape::visiting) && has<SpinLock>(&Tape::lock) && std::is_same_v<decltype(gradients_to_undo), int> &&
    has<int64_t>(&Awaited::times) && has<const Node*>(&Awaited::input) && has<bool>(&Awaited::observed));
static_assert(has<std::vector<Range>>(&Ledger::inputs) && has<Range>(&Ledger::output) && has<Range>(&Ledger::arrived) &&
    has<std::vector<Contribution>>(&Ledger::contributions));

}
}

extern "C" {
extern const int stepgrad_debug_abi;
[[gnu::used]] const int stepgrad_debug_abi = 9;
}

// Only debuggers call it; every program contains it.
extern "C" void stepgrad_answer();
[[gnu::used]] static const auto their_answer = &stepgrad_answer;

// In the teaching build, programs contain gdb's scripts. gdb asks the user once to allow them, and
// prints the line to type. Each file becomes a module, see stepgrad_inlined.py.
#if defined(STEPGRAD_TEACH) && defined(__ELF__)
#define FILE_TEXT(name) ".incbin \"core/debug/stepgrad_" name ".py\"\n"
#define MODULE(name) ".ascii \"_module('stepgrad_" name "', r'''\"\n" FILE_TEXT(name) ".ascii \"''')\\n\"\n"
__asm__(
    ".pushsection \".debug_gdb_scripts\",\"MS\",%progbits,1\n"
    ".byte 4\n"  // what follows is a name, a newline, and the text of a Python script
    ".ascii \"gdb.inlined-stepgrad\\n\"\n"
    FILE_TEXT("inlined")
    MODULE("format")
    MODULE("memory")
    MODULE("read")
    MODULE("tensor")
    MODULE("methods")
    MODULE("tape")
    MODULE("frames")
    MODULE("names")
    MODULE("commands")
    MODULE("gdb_values")
    MODULE("gdb_calls")
    MODULE("gdb_printers")
    MODULE("skips")
    MODULE("gdb_skips")
    MODULE("gdb_commands")
    MODULE("gdb_going")
    MODULE("gdb_functions")
    MODULE("gdb_frames")
    MODULE("gdb_methods")
    FILE_TEXT("gdb")
    ".byte 0\n"
    ".popsection\n");
#endif
