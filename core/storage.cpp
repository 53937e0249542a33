#include "core/storage.hpp"

#include <atomic>
#include <new>

namespace stepgrad {
namespace {

constexpr std::align_val_t cache_line{64};
std::atomic<int64_t> live = 0;

}  // namespace

Ref<Storage> Storage::allocate(int64_t size) {
  Ref<Storage> storage(new Storage);
  live.fetch_add(1, std::memory_order_relaxed);
  storage->size = size;
  storage->data = static_cast<Scalar*>(::operator new(size * sizeof(Scalar), cache_line));
  return storage;
}

void destroy(Storage* storage) {
  ::operator delete(storage->data, cache_line);
  delete storage;
  live.fetch_sub(1, std::memory_order_relaxed);
}

int64_t live_storages() { return live.load(std::memory_order_relaxed); }

}  // namespace stepgrad
