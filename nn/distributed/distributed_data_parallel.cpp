#include "nn/distributed/distributed_data_parallel.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/tape/accumulate.hpp"
#include "core/tensor/random.hpp"
#include "core/text_stream.hpp"
#include "nn/files/state.hpp"

namespace stepgrad::nn {
namespace {

constexpr uint64_t draws_of_a_step = uint64_t{1} << 32;

std::string hexadecimal(uint64_t number) {
  TextStream text;
  text << std::hex << number;
  return text.str();
}

std::string described(const Tensors& parameters) {
  TextStream text;
  for (const Tensor& p : parameters) {
    text << (p.is(parameters[0]) ? "" : ", ") << p.name() << ' ' << p.shape();
  }
  return text.str();
}

}

DistributedDataParallel::DistributedDataParallel(
    Distributed& world, Tensors parameters, DistributedOptions options, OpCall)
    : world_(world), parameters_(std::move(parameters)), options_(options) {
  check<ValueError>(options.micro_batches > 0, "DistributedDataParallel: ", options.micro_batches,
      " micro-batches are not at least one");
  world.require_same("micro-batches", std::to_string(options.micro_batches));
  world.require_same("bucket_cap_mb", std::to_string(options.bucket_cap_mb));
  world.require_same("parameters", described(parameters_));
  world.require_same("weights of hash", hexadecimal(hash(parameters_)));
  // Buckets go from the last parameter to the first, roughly the order in which backward()
  // completes them.
  std::reverse(parameters_.begin(), parameters_.end());
  const int64_t own = first_of(world.rank() + 1) - first_of(world.rank());
  sums_.assign(parameters_.size() + 1, Tensors(std::max<int64_t>(own, 1)));
  plan(0, options.micro_batches);
  make_buckets();
  if (options.overlap && world.size() > 1) add_hooks();
}

DistributedDataParallel::~DistributedDataParallel() {
  for (size_t k = 0; k < hooks_.size(); ++k) parameters_[k].remove_hook(hooks_[k]);
}

// ---- Which rank computes what

int64_t DistributedDataParallel::first_of(int rank) const {
  return (rank * options_.micro_batches + world_.size() - 1) / world_.size();
}

int DistributedDataParallel::owner(int64_t micro_batch) const {
  int rank = world_.size() - 1;
  while (first_of(rank) > micro_batch) --rank;
  return rank;
}

// The moves of s(a, c), its halves' first: the same order on every rank, so no ranks wait in a
// circle.
void DistributedDataParallel::plan(int64_t a, int64_t c) {
  if (c - a < 2) return;
  const int64_t b = a + (c - a) / 2;
  plan(a, b), plan(b, c);
  const int me = world_.rank(), left = owner(a), right = owner(b);
  if (left != me && right != me) return;
  const int peer = right == me ? left : right;
  const auto kind = peer == me ? Move::add : right == me ? Move::send : Move::receive;
  const bool all_own = peer == me && c <= first_of(me + 1);
  (all_own ? own_ : moves_).push_back({kind, a, b, c, peer});
}

// In the last micro-batch a gradient is sent as soon as it is complete. Backward calls this after
// each one, which lets MPI make progress.
void DistributedDataParallel::add_hooks() {
  for (size_t k = 0; k < parameters_.size(); ++k) {
    hooks_.push_back(parameters_[k].register_hook([this, k](const Tensor& g) {
      if (is_last()) {
        check<TapeError>(!here_[k], "DistributedDataParallel: micro-batch ", micro_batch_,
            " has added to the gradient of '", parameters_[k].name(),
            "' twice: use overlap = false if backward() or a checkpoint() does");
        arrived(k, g);
        advance_all();
      }
      return Tensor();
    }));
  }
}

// ---- A step

void DistributedDataParallel::begin(int64_t examples, Loc loc) {
  check_at<ValueError>(loc, examples > 0, "DistributedDataParallel: a batch of ", examples, " examples");
  const RandomState random = random_state();
  seed_ = random.seed, call_ = random.call;
  examples_ = examples;
  micro_batch_ = first_of(world_.rank()) - 1;
  moved_ = broadcasts_ = 0;
  ++world_.step;
  before_.clear();
  for (const Tensor& p : parameters_) {
    before_.push_back(p.grad());
    p.set_grad({});
  }
  for (auto& sums : sums_) std::fill(sums.begin(), sums.end(), Tensor());
  for (Bucket& bucket : buckets_) {
    bucket.state = Bucket::ready;
    bucket.next = 0;
    bucket.missing = bucket.last - bucket.first;
  }
}

// Goes to the next micro-batch with examples. Empty ones keep their place in the tree.
bool DistributedDataParallel::begin_micro_batch() {
  const int64_t m = options_.micro_batches;
  for (++micro_batch_; micro_batch_ < first_of(world_.rank() + 1); ++micro_batch_) {
    first_ = micro_batch_ * examples_ / m, last_ = (micro_batch_ + 1) * examples_ / m;
    here_.assign(sums_.size(), false);
    if (first_ < last_) {
      set_random_state({seed_, call_, first_, last_ - first_});
      return true;
    }
    for (size_t k = 0; k < sums_.size(); ++k) end_of(k);
  }
  return false;
}

Tensor DistributedDataParallel::share_of_batch(const Tensor& mean, Loc loc) const {
  check_at<ShapeError>(loc, mean.check_defined("backward", loc).numel() == 1, "DistributedDataParallel: a loss of ",
      mean.shape(), " is not a single number");
  return Tensor::full(mean.shape(), Scalar(last_ - first_) / Scalar(examples_));
}

void DistributedDataParallel::end_micro_batch(const Tensor& mean) {
  for (size_t k = 0; k < parameters_.size(); ++k) {
    if (!here_[k]) arrived(k, parameters_[k].grad());
    parameters_[k].set_grad({});
  }
  arrived(parameters_.size(), Tensor::full({1}, mean.item() * share_of_batch(mean, {}).item()));
}

double DistributedDataParallel::finish() {
  const double beginning = seconds_now();
  for (Bucket& bucket : buckets_) bucket.missing = 0;
  const auto is_done = [](const Bucket& bucket) { return bucket.state == Bucket::done; };
  for (advance_all(); !std::all_of(buckets_.begin(), buckets_.end(), is_done); advance_all()) {
    world_.wait_since(beginning);
  }
  for (size_t k = 0; k < parameters_.size(); ++k) {
    Tensor &total = before_[k], &sum = sums_[k][0];
    if (!total.defined())
      total = std::move(sum);
    else if (sum.defined())
      accumulate(total, std::move(sum));
    parameters_[k].set_grad(total);
  }
  before_.clear();
  set_random_state({seed_, call_ + draws_of_a_step});
  return sums_.back()[0].item();
}

// g of micro_batch_; undefined if there is none.
void DistributedDataParallel::arrived(size_t k, Tensor g) {
  sum(k, micro_batch_) = std::move(g);
  here_[k] = true;
  end_of(k);
  if (is_last()) --buckets_[bucket_of_[k]].missing;
}

// Adds up the sums that micro_batch_ completes.
void DistributedDataParallel::end_of(size_t k) {
  for (const Move& move : own_) {
    if (move.end != micro_batch_ + 1) continue;
    Tensor g = std::move(sum(k, move.middle));
    if (g.defined()) accumulate(sum(k, move.left), std::move(g));
  }
}

}
