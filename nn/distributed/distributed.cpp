#include "nn/distributed/distributed.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <numeric>
#include <thread>
#include <utility>

#include "core/check.hpp"
#include "core/kernels/table.hpp"
#include "core/text_stream.hpp"
#include "nn/distributed/rank_process.hpp"

namespace stepgrad::nn {
namespace {

std::string host_name() {
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  MPI_Get_processor_name(name, &length);
  return {name, size_t(length)};
}

}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Distributed::Distributed(int& argc, char**& argv, double timeout) {
  end_with_parent();
  never_yield();
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  hosts_.assign(size_t(size_), "an unknown host");
  hosts_[size_t(rank_)] = host_name();
  for (MPI_Comm* copy : {&for_beats_, &communicator_}) {
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, copy, &request);
    wait_at_most(timeout > 0 ? std::max(timeout, 10.) : 0,
        request);  // not as soon as others are slow
  }
  TextStream text;
  text << timeout << " s";
  const std::string seconds = text.str();
  if (size_ > 1 && timeout > 0 && level == MPI_THREAD_MULTIPLE) {
    beats_ = std::make_unique<Beats>(for_beats_, timeout,
        [this, seconds](int rank) { end_all(rank, last_step_, "has not been heard of for " + seconds); });
  }
  std::vector<std::string> hosts = all_gather(host_name());
  {
    const std::lock_guard lock(mutex_);
    hosts_ = std::move(hosts);
  }
  require_same("the program", std::filesystem::path(argc > 0 ? argv[0] : "").filename().string());
  require_same("stepgrad", STEPGRAD_VERSION);
  require_same("a timeout of", seconds);
  require_same("SIMD kernels", kernels::table().name);
}

Distributed::~Distributed() {
  if (std::uncaught_exceptions() > 0) abort("an exception leaves the scope of nn::Distributed");
  barrier();
  beats_.reset();
  MPI_Comm_free(&for_beats_);
  MPI_Comm_free(&communicator_);
  MPI_Finalize();
}

void Distributed::abort(const std::string& why) { end_all(rank_, step, why); }

void Distributed::end_all(int rank, int64_t in_step, const std::string& why) {
  const std::lock_guard lock(mutex_);
  std::fprintf(stderr, "rank %d on %s, in step %lld: %s\n", rank, hosts_[rank].c_str(), static_cast<long long>(in_step),
      why.c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

void Distributed::poll() {
  last_step_ = step;
  if (beats_) beats_->here();
}

void Distributed::wait_since(double beginning) {
  poll();
  // A long wait leaves the core to others: there may be more ranks than cores.
  if (seconds_now() - beginning > 1e-3)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  else
    std::this_thread::yield();
}

void Distributed::wait(MPI_Request& request) { wait_at_most(0, request); }

void Distributed::wait_at_most(double seconds, MPI_Request& request) {
  const double beginning = seconds_now();
  double waited = 0, last = beginning;
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return;
    wait_since(beginning);
    const double now = seconds_now();
    waited += std::min(now - std::exchange(last, now), 0.1);  // not while this process was stopped
    if (seconds > 0 && waited > seconds)
      abort("a rank is not in the first exchange: it is stopped, or another program");
  }
}

void Distributed::barrier() {
  MPI_Request request;
  MPI_Ibarrier(communicator_, &request);
  wait(request);
}

std::vector<std::string> Distributed::all_gather(const std::string& bytes) {
  const auto size = int(bytes.size());
  std::vector<int> sizes(size_), starts(size_);
  MPI_Request request;
  MPI_Iallgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, communicator_, &request);
  wait(request);
  std::exclusive_scan(sizes.begin(), sizes.end(), starts.begin(), 0);
  std::string all(size_t(starts.back() + sizes.back()), '\0');
  MPI_Iallgatherv(
      bytes.data(), size, MPI_BYTE, all.data(), sizes.data(), starts.data(), MPI_BYTE, communicator_, &request);
  wait(request);
  std::vector<std::string> parts;
  for (int r = 0; r < size_; ++r) parts.push_back(all.substr(starts[r], sizes[r]));
  return parts;
}

void Distributed::require_same(const std::string& what, const std::string& value) {
  const std::vector<std::string> values = all_gather(value);
  for (int r = 1; r < size_; ++r) {
    check<ValueError>(values[r] == values[0], "rank ", r, " on ", hosts_[r], " has ", what, ' ', values[r],
        ", and rank 0 on ", hosts_[0], " has ", what, ' ', values[0]);
  }
}

}
