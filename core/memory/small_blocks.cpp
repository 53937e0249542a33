#include "core/memory/small_blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/memory/locks.hpp"

namespace stepgrad {
namespace {

constexpr size_t slab = 64 << 10;  // bytes, aligned to as many
constexpr size_t size_classes = most_of_small / cache_line;

size_t index(size_t size) { return size / cache_line - 1; }

// Free blocks of one size, linked through themselves: the list needs no memory of its own.
class Stack {
 public:
  bool full() const { return count_ >= most; }
  bool empty() const { return top_ == nullptr; }
  size_t count() const { return count_; }
  void push(void* block) {
    top_ = new (block) Link{top_};
    ++count_;
  }
  void* pop() {
    if (empty()) return nullptr;
    --count_;
    return std::exchange(top_, top_->next);
  }

 private:
  friend class CommonBlocks;
  struct Link {
    Link* next;
    Link* next_stack = nullptr;  // top of a stack in the shared store: the top of the next stack
    size_t count = 0;            // top of a stack in the shared store: the number of its blocks
  };
  static constexpr size_t most = 4096;
  Link* top_ = nullptr;
  size_t count_ = 0;
};

// The blocks of a new slab, the first one on top.
Stack fresh_slab(size_t size) {
  auto* const begin = static_cast<char*>(system_allocate(slab, std::align_val_t(slab)));
  Stack blocks;
  for (size_t n = slab / size; n-- > 0;) blocks.push(begin + n * size);
  return blocks;
}

// The shared store: blocks that a thread had too many of, or left when it ended.
class CommonBlocks {
 public:
  void push(const Stack& stack, size_t size) {
    if (stack.empty()) return;
    const std::lock_guard lock(locks::small_blocks);
    stack.top_->count = stack.count_;
    stack.top_->next_stack = std::exchange(tops_[index(size)], stack.top_);
  }
  Stack take(size_t size) {  // one stack, which is empty if there is none
    const std::lock_guard lock(locks::small_blocks);
    Stack taken;
    Stack::Link*& top = tops_[index(size)];
    if (!top) return taken;
    taken.count_ = top->count;
    taken.top_ = std::exchange(top, top->next_stack);
    return taken;
  }

 private:
  Stack::Link* tops_[size_classes] = {};  // of one stack each
};

constinit CommonBlocks common;

thread_local bool thread_ends = false;  // its SmallBlocks are gone: a static tensor may still live

class SmallBlocks {
 public:
  ~SmallBlocks() {
    thread_ends = true;
    for (size_t size = cache_line; size <= most_of_small; size += cache_line) {
      common.push(stacks_[index(size)], size);
    }
  }

  void* take(size_t size) {
    void* block = stacks_[index(size)].pop();
    return block ? block : take_new(size);
  }

  void keep(void* block, size_t size) {
    Stack& stack = stacks_[index(size)];
    if (stack.full()) leave(stack, size);
    stack.push(block);
  }

  void give_back() {
    for (size_t size = cache_line; size <= most_of_small; size += cache_line) {
      give_back_slabs(size);
    }
  }

 private:
  // Out of line, so that the common path stays small.
  [[gnu::noinline]] static void leave(Stack& stack, size_t size) { common.push(std::exchange(stack, {}), size); }
  [[gnu::noinline]] void* take_new(size_t size) {
    Stack& stack = stacks_[index(size)];
    stack = common.take(size);
    if (stack.empty()) stack = fresh_slab(size);
    return stack.pop();
  }

  // The slabs whose blocks are all here or in the shared store.
  void give_back_slabs(size_t size) {
    Stack& all = stacks_[index(size)];
    for (Stack some = common.take(size); !some.empty(); some = common.take(size)) {
      while (void* block = some.pop()) all.push(block);
    }
    std::vector<char*> blocks;
    blocks.reserve(all.count());  // throws before anything is moved
    while (void* block = all.pop()) blocks.push_back(static_cast<char*>(block));
    std::sort(blocks.begin(), blocks.end(), std::greater<>());
    for (auto first = blocks.begin(); first != blocks.end();) {
      char* const begin = *first - reinterpret_cast<uintptr_t>(*first) % slab;
      const auto end = std::find_if(first, blocks.end(), [&](char* b) { return b < begin; });
      if (size_t(end - first) == slab / size)
        stepgrad::system_free(begin, std::align_val_t(slab));
      else
        std::for_each(first, end, [&](char* block) { keep(block, size); });
      first = end;
    }
  }

  Stack stacks_[size_classes];
};
thread_local SmallBlocks small_blocks;

}

void* system_allocate(size_t size, std::align_val_t alignment) {
  void* block = ::operator new(size, alignment, std::nothrow);
  if (!block) throw OutOfMemory(size);
  return block;
}

void system_free(void* block, std::align_val_t alignment) { ::operator delete(block, alignment); }

// Once a thread's own blocks are gone.
[[gnu::noinline]] static void* take_common(size_t size) {
  Stack stack = common.take(size);
  if (stack.empty()) stack = fresh_slab(size);
  void* block = stack.pop();
  common.push(stack, size);
  return block;
}
[[gnu::noinline]] static void release_common(void* block, size_t size) {
  Stack alone;
  alone.push(block);
  common.push(alone, size);
}

void* take_small(size_t size) {
  if (!thread_ends) return small_blocks.take(size);
  return take_common(size);
}

void release_small(void* block, size_t size) {
  if (!thread_ends) return small_blocks.keep(block, size);
  release_common(block, size);
}

void give_back_small() {
  if (!thread_ends) small_blocks.give_back();
}

}
