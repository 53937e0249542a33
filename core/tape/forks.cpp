// The child of a fork has one thread, the one that called fork(): a lock that another thread held
// would stay locked there. So fork() takes all locks first, and parent and child give them back.
#include <pthread.h>

#include "core/kernels/threads.hpp"
#include "core/memory/locks.hpp"
#include "core/tape/pass.hpp"

namespace stepgrad {

constinit std::mutex locks::names, locks::random, locks::large_blocks, locks::ledger;

namespace {

// The lock of passes is not among them: its holder may run for long, or wait for the thread that
// forks. Instead, the child forgets passes of other threads.
void each_lock(auto f) {
  f(the_tape.lock);
  f(locks::names), f(locks::random), f(locks::large_blocks), f(locks::ledger);
}

void take_all() {
  each_lock([](auto& lock) { lock.lock(); });
}

void give_back_all() {
  each_lock([](auto& lock) { lock.unlock(); });
}

void begin_child() {
  give_back_all();
  kernels::forget_threads();
  Pass::forget_those_of_other_threads();
}

[[maybe_unused]] const bool prepared = pthread_atfork(take_all, give_back_all, begin_child) == 0;

}

}
