#include "core/memory/storage.hpp"

#include <atomic>
#include <new>

#include "core/memory/pool.hpp"

namespace stepgrad {
namespace {

// Unless borrowed, the elements follow their Storage in one block; over 1 KiB, on the next cache line.
constexpr size_t header = 64;
static_assert(sizeof(Storage) <= header);

std::atomic<int64_t> live_blocks = 0;

size_t block_size(int64_t size) { return header + bytes_of(size); }

}

constinit thread_local bool Storage::in_pass = false;

Ref<Storage> Storage::allocate(int64_t size) {
  void* block = pool_allocate(block_size(size));
  auto* storage = new (block) Storage;
  storage->size = size;
  storage->of_gradients = in_pass;
  storage->data = reinterpret_cast<Scalar*>(static_cast<char*>(block) + header);
  live_blocks.fetch_add(1, std::memory_order_relaxed);
  return Ref<Storage>(storage);
}

Ref<Storage> Storage::borrow(Scalar* data, int64_t size, void (*release)(void*), void* owner) {
  Ref<Storage> storage = allocate(0);
  storage->size = size;
  storage->data = data;
  storage->written_unseen = true;
  storage->release = release;
  storage->owner = owner;
  return storage;
}

void Storage::count_versions_with(Storage& other) {
  if (!other.together) {
    other.together = Ref<Versions>(new Versions);
    other.together->count = other.own_version;
  }
  together = other.together;
}

void destroy(Storage* storage) {
  if (storage->release) storage->release(storage->owner);
  const int64_t size = storage->release ? 0 : storage->size;
  storage->~Storage();
  pool_release(storage, block_size(size));
  live_blocks.fetch_sub(1, std::memory_order_relaxed);
}

int64_t live_storages() { return live_blocks.load(std::memory_order_relaxed); }

}
