// Trains a small network on the ranks that mpirun starts, and prints the hash of its weights.
// Options are NAME=NUMBER, those of `Options` below.
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

#include "nn/distributed_data_parallel.hpp"
#include "nn/nn.hpp"

using namespace stepgrad;

namespace {

struct Options {
  std::map<std::string, double> given;
  Options(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const char* equals = std::strchr(argv[i], '=');
      if (!equals) throw std::invalid_argument(argv[i]);
      given[std::string(argv[i], static_cast<size_t>(equals - argv[i]))] = std::stod(equals + 1);
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
  template <class Visit>
  void parts(Visit visit) {
    visit("ffn", ffn), visit("sometimes", sometimes), visit("never", never);
  }
  nn::PositionwiseFeedForward ffn;
  Tensor sometimes, never;
};

[[noreturn]] void sleep_for_ever() {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

// Bytes that this process has in memory.
double memory() {
  double all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// What happens to the rank `who` in step `when`.
void have_accident(const Options& options, const nn::Distributed& world, int64_t step) {
  const auto here = [&](const char* what) {
    return options(what, -1) == world.rank() && static_cast<double>(step) == options("when", 1);
  };
  if (here("kill")) std::raise(SIGKILL);
  if (here("hang")) sleep_for_ever();
  if (here("throw")) throw std::runtime_error("something is wrong with the data");
}

void train(const Options& options, nn::Distributed& world) {
  manual_seed(3);
  Network network;
  const auto batch = static_cast<int64_t>(options("batch", 13));
  const Tensor data = Tensor::randn({batch, 5, 12});
  if (options("other_weights", -1) == world.rank()) network.never.data()[1] += 1;
  if (options("other_version", -1) == world.rank()) {
    world.require_same("stepgrad", "0.0.1");
  } else if (options("other_version", -1) >= 0) {
    world.require_same("stepgrad", "0.1.0");
  }
  nn::DistributedDataParallel parallel(
      world, network.parameters(),
      {.micro_batches = static_cast<int64_t>(options("micro_batches", 8)),
       .bucket_cap_mb = options("bucket", 1),
       .overlap = options("overlap", 1) != 0});
  nn::AdamW optimizer(network.parameters(), 1e-2);
  double loss = 0;
  int64_t nodes = 0;
  double bytes = 0;
  const auto steps = static_cast<int64_t>(options("steps", 10));
  for (int64_t step = 1; step <= steps; ++step) {
    optimizer.zero_grad(step % 2 == 0);
    loss = parallel.backward(batch, [&](int64_t first, int64_t last) {
      have_accident(options, world, step);
      if (options("twice", -1) == world.rank()) network(data, true).backward();
      const Tensor loss = network(data.slice(0, first, last), first % 3 == 0);
      return options("two_losses", -1) == world.rank() ? expand(loss, {2}) : loss;
    });
    if (options("throw_late", -1) == world.rank()) throw std::runtime_error("a late one");
    optimizer.step();
    if (step == 10) nodes = live_nodes();
    if (step > 10 && live_nodes() != nodes) world.abort("the tape grows");
    if (step == 100) bytes = memory();
    if (step > 100 && memory() > bytes + 0x1p20) world.abort("memory grows");
  }
  if (network.never.grad().defined()) world.abort("a gradient from nowhere");
  world.require_same("final weights of hash", std::to_string(nn::hash(network.parameters())));
  world.require_same("a loss of", std::to_string(loss));
  world.require_same("random calls", std::to_string(random_state().call));
  if (world.rank() == 0) {
    std::printf("%016llx %.9g\n", static_cast<unsigned long long>(nn::hash(network.parameters())),
                loss);
  }
}

void collectives(nn::Distributed& world) {
  const Tensor x = Tensor::full({3}, static_cast<Scalar>(world.rank() + 1));
  world.all_reduce(x);
  const int n = world.size();
  if (x.at(2) != static_cast<Scalar>(n * (n + 1) / 2)) world.abort("a wrong sum");
  x.fill_(static_cast<Scalar>(world.rank()));
  world.broadcast(x, n - 1);
  if (x.at(0) != static_cast<Scalar>(n - 1)) world.abort("a wrong broadcast");
  const std::string text = world.broadcast(world.rank() == 0 ? "from 0" : "");
  if (text != "from 0") world.abort("a wrong text");
  const auto all = world.all_gather(std::string(static_cast<size_t>(world.rank()), 'x'));
  for (int r = 0; r < n; ++r) {
    if (all[r].size() != static_cast<size_t>(r)) world.abort("a wrong gathering");
  }
  world.barrier();
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  try {
    nn::Distributed world(argc, argv, options("timeout", 60));
    try {
      collectives(world);
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
