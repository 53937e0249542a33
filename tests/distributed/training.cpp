// Trains a small network on the ranks that mpirun starts, and prints the hash of its weights.
// Options are NAME=NUMBER: steps, timeout, outlives (a process, which ends before the
// last step), and accidents.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

#include "nn/distributed/distributed_data_parallel.hpp"
#include "nn/nn.hpp"

using namespace stepgrad;

namespace {

struct Options {
  std::map<std::string, double> given;
  Options(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const char* equals = std::strchr(argv[i], '=');
      if (!equals) throw std::invalid_argument(argv[i]);
      given[std::string(argv[i], size_t(equals - argv[i]))] = std::stod(equals + 1);
    }
  }
  double operator()(const char* name, double otherwise) const {
    const auto found = given.find(name);
    return found == given.end() ? otherwise : found->second;
  }
};

// Has a weight that is used twice, one that only some micro-batches use, and one that none does.
struct Network : nn::Module<Network> {
  Network() : ffn(12, 32, Scalar(0.2)) {
    sometimes = Tensor::randn({12}).requires_grad_().set_name("sometimes");
    never = Tensor::randn({3}).requires_grad_().set_name("never");
  }
  Tensor forward(Tensor x, bool some) {
    x = x + ffn(ffn(x));
    return mean(x * x) + (some ? sum(x * sometimes) * Scalar(0.01) : Tensor::zeros({}));
  }
  void parts(auto visit) { visit("ffn", ffn), visit("sometimes", sometimes), visit("never", never); }
  nn::PositionwiseFeedForward ffn;
  Tensor sometimes, never;
};

// Bytes that this process has in memory.
double memory() {
  double all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * double(sysconf(_SC_PAGESIZE));
}

// A fault of a rank in step `when`; the option's value names the rank.
void have_accident(const Options& options, const nn::Distributed& world, int64_t step) {
  const double began = nn::seconds_now();
  const auto here = [&](const char* what) {
    return options(what, -1) == world.rank() && double(step) == options("when", 3);
  };
  if (here("stop")) std::raise(SIGSTOP);
  while (here("hang")) std::this_thread::sleep_for(std::chrono::seconds(1));
  while (here("compute") && nn::seconds_now() - began < 1.5 * options("timeout", 60)) {
  }
  if (here("throw")) throw std::runtime_error("something is wrong with the data");
}

void train(const Options& options, nn::Distributed& world) {
  const auto steps = int64_t(options("steps", 10)), batch = int64_t{13};
  manual_seed(3);
  Network network;
  const Tensor data = Tensor::randn({batch, 5, 12});
  nn::DistributedDataParallel parallel(world, network.parameters());
  nn::AdamW optimizer(network.parameters(), 1e-2);
  double loss = 0;
  int64_t nodes = 0;
  double bytes = 0;
  const auto other = static_cast<pid_t>(options("outlives", 0));
  for (int64_t step = 1; step <= steps; ++step) {
    if (other && step == 2 && world.rank() == 0) std::puts("they train"), std::fflush(stdout);
    while (other && step == steps && kill(other, 0) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    optimizer.zero_grad(step % 2 == 0);
    loss = parallel.backward(batch, [&](int64_t first, int64_t last) {
      have_accident(options, world, step);
      if (options("twice", -1) == world.rank()) sum(network.parameters()[size_t(options("of", 0))]).backward();
      return network(data.slice(0, first, last), first % 3 == 0);
    });
    optimizer.step();
    if (step == 10) nodes = live_nodes();
    if (step > 10 && live_nodes() != nodes) world.abort("the tape grows");
    if (step == 100) bytes = memory();
    if (step > 100 && memory() > bytes + 0x1p20) world.abort("memory grows");
  }
  if (network.never.grad().defined()) world.abort("a gradient from nowhere");
  const uint64_t hash = nn::hash(network.parameters());
  world.require_same("final weights of hash", std::to_string(hash));
  world.require_same("a loss of", std::to_string(loss));
  world.require_same("random calls", std::to_string(random_state().call));
  if (world.rank() != 0) return;
  std::printf("%016llx %.9g\n", static_cast<unsigned long long>(hash), loss);
}

int stops_early = -1;  // this rank, before it has said on which host it is

}

extern "C" int MPI_Iallgather(const void* own, int own_count, MPI_Datatype own_type, void* all, int count,
    MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == stops_early) std::raise(SIGSTOP);
  return PMPI_Iallgather(own, own_count, own_type, all, count, type, comm, request);
}

int main(int argc, char** argv) {
  const Options options(argc, argv);
  stops_early = int(options("stop_early", -1));
  try {
    nn::Distributed world(argc, argv, options("timeout", 60));
    try {
      train(options, world);
    } catch (const std::exception& error) {
      if (options("escape", -1) == world.rank()) throw;
      world.abort(error.what());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
