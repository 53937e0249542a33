#include "nn/distributed_data_parallel.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "core/check.hpp"
#include "core/node.hpp"
#include "core/random.hpp"

namespace stepgrad::nn {
namespace {

constexpr uint64_t draws_of_a_step = uint64_t{1} << 32;

std::string hexadecimal(uint64_t number) {
  std::ostringstream text;
  text << std::hex << number;
  return text.str();
}

std::string described(const std::vector<Tensor>& parameters) {
  std::ostringstream text;
  for (const Tensor& p : parameters) {
    text << (p.is(parameters[0]) ? "" : ", ") << p.name() << ' ' << p.shape();
  }
  return text.str();
}

}  // namespace

uint64_t hash(const std::vector<Tensor>& tensors) {  // FNV-1a, a number at a time
  uint64_t hash = 14695981039346656037u;
  for (const Tensor& tensor : tensors) {
    for (int64_t i = 0; i < tensor.numel(); ++i) {
      uint64_t bits = 0;
      std::memcpy(&bits, tensor.data() + i, sizeof(Scalar));
      hash = (hash ^ bits) * 1099511628211u;
    }
  }
  return hash;
}

DistributedDataParallel::DistributedDataParallel(Distributed& world, std::vector<Tensor> parameters,
                                                 DistributedOptions options)
    : world_(world), parameters_(std::move(parameters)), options_(options) {
  check<ValueError>(options.micro_batches > 0, "DistributedDataParallel: ", options.micro_batches,
                    " micro-batches are not at least one");
  world.require_same("micro-batches", std::to_string(options.micro_batches));
  world.require_same("bucket_cap_mb", std::to_string(options.bucket_cap_mb));
  world.require_same("parameters", described(parameters_));
  world.require_same("weights of hash", hexadecimal(hash(parameters_)));
  // From the last one to the first is about how backward() completes them.
  std::reverse(parameters_.begin(), parameters_.end());
  const int64_t own = first_of(world.rank() + 1) - first_of(world.rank());
  sums_.assign(parameters_.size() + 1, std::vector<Tensor>(std::max<int64_t>(own, 1)));
  plan(0, options.micro_batches);
  make_buckets();
  if (options.overlap && world.size() > 1) add_hooks();
}

DistributedDataParallel::~DistributedDataParallel() {
  for (size_t k = 0; k < hooks_.size(); ++k) parameters_[k].remove_hook(hooks_[k]);
}

// ---- Who computes what --------------------------------------------------------------------------

int64_t DistributedDataParallel::first_of(int rank) const {
  return (rank * options_.micro_batches + world_.size() - 1) / world_.size();
}

int DistributedDataParallel::owner(int64_t micro_batch) const {
  int rank = world_.size() - 1;
  while (first_of(rank) > micro_batch) --rank;
  return rank;
}

// The moves of s(a, c), its halves' first: the same order on every rank, so nobody waits in a ring.
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

void DistributedDataParallel::make_buckets() {
  const double most = options_.bucket_cap_mb * 0x1p20 / sizeof(Scalar);
  const size_t n = parameters_.size();
  double numbers = 0;
  for (size_t k = 0; k < n; ++k) {
    const auto more = static_cast<double>(parameters_[k].numel());
    if (buckets_.empty() || numbers + more > most) {
      buckets_.push_back({k, k});
      numbers = 0;
    }
    numbers += more;
    buckets_.back().last = k + 1;
    bucket_of_.push_back(buckets_.size() - 1);
  }
  if (buckets_.empty()) buckets_.push_back({0, 0});
  buckets_.back().last = n + 1;
  bucket_of_.push_back(buckets_.size() - 1);
  for (Bucket& bucket : buckets_) {
    size_t size = bucket.last - bucket.first;
    for (size_t k = bucket.first; k < bucket.last; ++k) size += shape_of(k).numel();
    if (world_.size() > 1) bucket.message.resize(size);
  }
}

// In the last micro-batch a gradient is sent as soon as it is complete. Backward comes here again
// and again, which is when messages move on.
void DistributedDataParallel::add_hooks() {
  for (size_t k = 0; k < parameters_.size(); ++k) {
    hooks_.push_back(parameters_[k].register_hook([this, k](const Tensor& g) {
      if (is_last()) {
        check<TapeError>(!here_[k], "DistributedDataParallel: micro-batch ", micro_batch_,
                         " has added to the gradient of '", parameters_[k].name(),
                         "' twice: take overlap = false where backward() or a checkpoint() does");
        arrived(k, g);
        advance_all();
      }
      world_.poll();
      return Tensor();
    }));
  }
}

// ---- A step -------------------------------------------------------------------------------------

void DistributedDataParallel::begin(int64_t examples) {
  check<ValueError>(examples > 0, "DistributedDataParallel: a batch of ", examples, " examples");
  const RandomState random = random_state();
  seed_ = random.seed, call_ = random.call;
  examples_ = examples;
  micro_batch_ = first_of(world_.rank()) - 1;
  broadcasts_ = 0;
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

// Goes to the next that has examples. What has none still has its place in the tree.
bool DistributedDataParallel::begin_micro_batch() {
  const int64_t m = options_.micro_batches;
  for (++micro_batch_; micro_batch_ < first_of(world_.rank() + 1); ++micro_batch_) {
    first_ = micro_batch_ * examples_ / m, last_ = (micro_batch_ + 1) * examples_ / m;
    here_.assign(sums_.size(), false);
    if (first_ < last_) {
      set_random_state({seed_, call_, first_, last_ - first_});
      computing_since_ = seconds_now();
      return true;
    }
    for (size_t k = 0; k < sums_.size(); ++k) end_of(k);
  }
  return false;
}

Tensor DistributedDataParallel::share_of_batch(const Tensor& mean) const {
  check<ShapeError>(mean.numel() == 1, "DistributedDataParallel: a loss of ", mean.shape(),
                    " is not a single number");
  return Tensor::full(mean.shape(),
                      static_cast<Scalar>(last_ - first_) / static_cast<Scalar>(examples_));
}

void DistributedDataParallel::end_micro_batch(const Tensor& mean) {
  note("micro-batch " + std::to_string(micro_batch_), 0, computing_since_);
  for (size_t k = 0; k < parameters_.size(); ++k) {
    if (!here_[k]) arrived(k, parameters_[k].grad());
    parameters_[k].set_grad({});
  }
  arrived(parameters_.size(), Tensor::full({1}, mean.item() * share_of_batch(mean).item()));
  world_.poll();
}

double DistributedDataParallel::finish() {
  const double beginning = seconds_now();
  for (Bucket& bucket : buckets_) bucket.missing = 0;
  const auto is_done = [](const Bucket& bucket) { return bucket.state == Bucket::done; };
  for (advance_all(); !std::all_of(buckets_.begin(), buckets_.end(), is_done); advance_all()) {
    world_.wait_since(beginning);
  }
  note("wait", 1, beginning);
  for (size_t k = 0; k < parameters_.size(); ++k) {
    Tensor g = std::move(sums_[k][0]);
    if (g.defined() && before_[k].defined()) accumulate(before_[k], std::move(g));
    parameters_[k].set_grad(before_[k].defined() ? before_[k] : g);
  }
  before_.clear();
  set_random_state({seed_, call_ + draws_of_a_step});
  return sums_.back()[0].item();
}

// g of micro_batch_, undefined if there is none.
void DistributedDataParallel::arrived(size_t k, Tensor g) {
  sum(k, micro_batch_) = std::move(g);
  here_[k] = true;
  end_of(k);
  if (is_last()) --buckets_[bucket_of_[k]].missing;
}

// The sums that are complete with micro_batch_.
void DistributedDataParallel::end_of(size_t k) {
  for (const Move& move : own_) {
    if (move.end != micro_batch_ + 1) continue;
    Tensor g = std::move(sum(k, move.middle));
    if (g.defined()) accumulate(sum(k, move.left), std::move(g));
  }
}

// ---- Messages -----------------------------------------------------------------------------------

void DistributedDataParallel::advance_all() {
  for (Bucket& bucket : buckets_) {
    if (bucket.missing == 0 && bucket.state != Bucket::done) advance(bucket);
  }
}

// Goes on until there is something to wait for.
void DistributedDataParallel::advance(Bucket& bucket) {
  const auto tag = static_cast<size_t>(&bucket - buckets_.data());
  const int64_t own = first_of(world_.rank());
  while (bucket.state != Bucket::done) {
    int complete = true;
    if (bucket.request != MPI_REQUEST_NULL) MPI_Test(&bucket.request, &complete, MPI_STATUS_IGNORE);
    if (!complete) return;
    if (bucket.state == Bucket::moving) {
      end_move(bucket, moves_[bucket.next++]);
      bucket.state = Bucket::ready;
    } else if (bucket.state == Bucket::broadcasting) {
      if (world_.rank() != 0) add_message(bucket, own);
      bucket.state = Bucket::done;
      note("bucket " + std::to_string(tag), 2 + static_cast<int>(tag), bucket.began);
    } else if (bucket.next < moves_.size()) {
      if (bucket.next == 0) bucket.began = seconds_now();
      begin_move(bucket, moves_[bucket.next], static_cast<int>(tag));
      bucket.state = Bucket::moving;
    } else {
      if (broadcasts_ != tag) return;
      if (moves_.empty()) bucket.began = seconds_now();
      ++broadcasts_;
      begin_broadcast(bucket);
      bucket.state = Bucket::broadcasting;
    }
  }
}

void DistributedDataParallel::begin_move(Bucket& bucket, const Move& move, int tag) {
  const MPI_Comm comm = world_.communicator();
  if (move.kind == Move::send) {
    pack(bucket, move.middle);
    MPI_Isend(bucket.message.data(), static_cast<int>(bucket.message.size()), scalar_type,
              move.peer, tag, comm, &bucket.request);
  } else if (move.kind == Move::receive) {
    MPI_Irecv(bucket.message.data(), static_cast<int>(bucket.message.size()), scalar_type,
              move.peer, tag, comm, &bucket.request);
  }
}

void DistributedDataParallel::end_move(const Bucket& bucket, const Move& move) {
  if (move.kind == Move::receive) {
    add_message(bucket, move.left);
    return;
  }
  for (size_t k = bucket.first; k < bucket.last; ++k) {
    Tensor right = std::move(sum(k, move.middle));
    if (move.kind == Move::add && right.defined()) accumulate(sum(k, move.left), std::move(right));
  }
}

void DistributedDataParallel::begin_broadcast(Bucket& bucket) {
  if (world_.size() == 1) return;
  if (world_.rank() == 0) pack(bucket, 0);
  MPI_Ibcast(bucket.message.data(), static_cast<int>(bucket.message.size()), scalar_type, 0,
             world_.communicator(), &bucket.request);
}

// A message: for each of the bucket's gradients 1 if there is one, else 0, then all of them.
void DistributedDataParallel::pack(Bucket& bucket, int64_t first) {
  Scalar* is_there = bucket.message.data();
  Scalar* numbers = is_there + (bucket.last - bucket.first);
  for (size_t k = bucket.first; k < bucket.last; ++k) {
    const Tensor& g = sum(k, first);
    *is_there++ = g.defined();
    if (g.defined()) std::copy_n(g.data(), g.numel(), numbers);
    numbers += shape_of(k).numel();
  }
}

void DistributedDataParallel::add_message(const Bucket& bucket, int64_t first) {
  const Scalar* is_there = bucket.message.data();
  const Scalar* numbers = is_there + (bucket.last - bucket.first);
  for (size_t k = bucket.first; k < bucket.last; ++k) {
    const Shape shape = shape_of(k);
    if (*is_there++ != 0) {
      Tensor g = Tensor::empty(shape);
      std::copy_n(numbers, g.numel(), g.data());
      accumulate(sum(k, first), std::move(g));
    }
    numbers += shape.numel();
  }
}

Shape DistributedDataParallel::shape_of(size_t k) const {
  return k < parameters_.size() ? parameters_[k].shape() : Shape{1};
}

void DistributedDataParallel::note(const std::string& name, int lane, double begin) const {
  if (timeline) timeline->push_back({name, lane, begin, seconds_now()});
}

}  // namespace stepgrad::nn
