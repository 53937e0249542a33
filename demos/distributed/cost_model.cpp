#include "demos/distributed/cost_model.hpp"

#include <algorithm>
#include <bit>

#include "core/tape/accumulate.hpp"

namespace stepgrad::demo {
namespace {

// Half the median time of a message of that size to the last rank and back.
double one_way(nn::Distributed& world, std::vector<Scalar>& numbers, int64_t count, int times) {
  const int last = world.size() - 1;
  const auto move = [&](bool sends) {
    MPI_Request request;
    const int peer = last - world.rank();
    if (sends) {
      MPI_Isend(numbers.data(), static_cast<int>(count), nn::scalar_type, peer, 0,
                world.communicator(), &request);
    } else {
      MPI_Irecv(numbers.data(), static_cast<int>(count), nn::scalar_type, peer, 0,
                world.communicator(), &request);
    }
    world.wait(request);
  };
  std::vector<double> seconds;
  for (int i = 0; i < times; ++i) {
    world.barrier();
    const double beginning = nn::seconds_now();
    if (world.rank() == 0) move(true), move(false);
    if (world.rank() == last) move(false), move(true);
    seconds.push_back(nn::seconds_now() - beginning);
  }
  return median(seconds) / 2;
}

double to_pack_and_add(std::vector<Scalar>& message) {
  const Shape shape{std::ssize(message)};
  const Tensor g = Tensor::ones(shape);
  Tensor sum = Tensor::zeros(shape);
  std::vector<double> seconds;
  for (int i = 0; i < 9; ++i) {
    const double beginning = nn::seconds_now();
    std::copy_n(g.data(), g.numel(), message.data());
    Tensor received = Tensor::empty(shape);
    std::copy_n(message.data(), g.numel(), received.data());
    accumulate(sum, std::move(received));
    seconds.push_back(nn::seconds_now() - beginning);
  }
  return median(seconds);
}

}  // namespace

double median(std::vector<double> numbers) {
  std::nth_element(numbers.begin(), numbers.begin() + std::ssize(numbers) / 2, numbers.end());
  return numbers[numbers.size() / 2];
}

// One bucket goes down while the next goes up.
double CostModel::reduction(const std::vector<size_t>& buckets) const {
  double is_up = 0, is_down = 0;
  for (const size_t bytes : buckets) {
    const double message = alpha + (beta + gamma) * static_cast<double>(bytes);
    is_up += up * message;
    is_down = std::max(is_down, is_up) + down * message;
  }
  return is_down;
}

double CostModel::step(double compute, double backward, const std::vector<size_t>& buckets,
                       bool overlap) const {
  const double all = reduction(buckets);
  return compute + (overlap ? std::max(all - backward, reduction({buckets.back()})) : all);
}

// Sums go up the levels of a binary tree. Going down, Open MPI's MPI_Ibcast sends to one rank after
// another for up to four ranks; for more, along a chain in pieces, so each line carries one copy.
CostModel measure_costs(nn::Distributed& world) {
  if (world.size() == 1) return {0, 0, 0, 0, 0};
  const int up = std::bit_width(static_cast<unsigned>(world.size() - 1));
  const int down = world.size() <= 4 ? world.size() - 1 : 1;
  std::vector<Scalar> message(size_t{1} << 18);
  const auto bytes = static_cast<double>(message.size() * sizeof(Scalar));
  const double alpha = one_way(world, message, 1, 31);
  const double beta = (one_way(world, message, std::ssize(message), 9) - alpha) / bytes;
  return {alpha, std::max(beta, 0.), to_pack_and_add(message) / bytes, up, down};
}

}  // namespace stepgrad::demo
