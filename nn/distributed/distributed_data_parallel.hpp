#pragma once

#include "core/tape/modes.hpp"
#include "core/tensor/tensor.hpp"
#include "nn/distributed/distributed.hpp"

namespace stepgrad::nn {

struct DistributedOptions {
  int64_t micro_batches = 8;  // per step; M below
  double bucket_cap_mb = 1;   // bucket size; a larger parameter gets its own bucket
  bool overlap = true;        // send during backward
};

// Trains a module on several ranks, as torch.nn.parallel.DistributedDataParallel; its gradients are
// bitwise equal for any number of ranks. For each step:
//
//   nn::DistributedDataParallel parallel(world, model.parameters());
//   optimizer.zero_grad();
//   double loss = parallel.backward(batch_size, [&](int64_t first, int64_t last) {
//     return cross_entropy(model(x.slice(0, first, last)), targets.slice(0, first, last));
//   });
//   optimizer.step();    // the same on every rank
//
// A batch is cut into M micro-batches, whatever the number of ranks; rank r of R computes those
// from r·M/R, rounded up, to (r + 1)·M/R. A gradient is the sum of the micro-batches' gradients,
// added in one fixed binary tree:
//   s(i, i + 1) = micro-batch i's      s(a, c) = s(a, b) + s(b, c),  b = a + (c - a)/2
// A sum lives on the rank of its first micro-batch. If the right half lies on another rank, that
// rank sends it to the left half's rank. So s(0, M) ends on rank 0, which broadcasts it.
class DistributedDataParallel {
 public:
  // ValueError, on every rank: M is not positive, or a rank has other options, parameters or
  // weights than rank 0.
  DistributedDataParallel(
      Distributed& world, Tensors parameters, DistributedOptions options = {}, OpCall = Loc::here());
  DistributedDataParallel(const DistributedDataParallel&) = delete;
  ~DistributedDataParallel();

  // loss(first, last) is the mean loss of these examples of the batch; their rank calls it. Adds
  // the gradient of the mean over the batch to grad() of each parameter, and returns that mean, the
  // same on every rank. A parameter that no loss depends on keeps its gradient. Random
  // numbers are those of the whole batch (RandomState::first_example); each step advances
  // RandomState::call by 2³², however many draws it makes.
  // TapeError: with overlap, a micro-batch has added to a parameter's gradient more than once.
  double backward(int64_t examples, auto loss, Loc loc = Loc::here()) {
    begin(examples, loc);
    while (begin_micro_batch()) {
      const Tensor mean = loss(first_, last_);
      mean.backward(share_of_batch(mean, loc));
      end_micro_batch(mean);
    }
    return finish();
  }

 private:
  // This rank's work for a node of the tree: s(left, end) = s(left, middle) + s(middle, end). If
  // one half belongs to another rank (peer), it is sent or received.
  struct Move {
    enum { add, send, receive } kind;
    int64_t left, middle, end;
    int peer;
  };
  // Parameters [first, last), sent together. The loss is the last entry.
  struct Bucket {
    size_t first, last;
    size_t missing = 0;  // gradients of the last micro-batch that have not arrived
    size_t next = 0;     // index of the next move
    enum { ready, moving, broadcasting, done } state = ready;
    std::vector<Scalar> message{};  // [flags (1: has a gradient), gradients]
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void begin(int64_t examples, Loc loc);
  bool begin_micro_batch();
  Tensor share_of_batch(const Tensor& mean, Loc loc) const;
  void end_micro_batch(const Tensor& mean);
  double finish();

  int64_t first_of(int rank) const;  // micro-batch
  int owner(int64_t micro_batch) const;
  void plan(int64_t a, int64_t c);
  void make_buckets();
  void add_hooks();
  void arrived(size_t k, Tensor g);
  void end_of(size_t k);
  void advance_all();
  void advance(Bucket& bucket);
  void begin_move(Bucket& bucket, const Move& move, int tag);
  void end_move(const Bucket& bucket, const Move& move);
  void begin_broadcast(Bucket& bucket);
  void pack(Bucket& bucket, int64_t first);  // the sum whose first micro-batch is `first`
  void add_message(const Bucket& bucket, int64_t first);
  Shape shape_of(size_t k) const;
  Tensor& sum(size_t k, int64_t first) { return sums_[k][first - first_of(world_.rank())]; }
  bool is_last() const { return micro_batch_ + 1 == first_of(world_.rank() + 1); }

  Distributed& world_;
  Tensors parameters_;
  DistributedOptions options_;
  std::vector<int> hooks_;
  std::vector<Move> own_, moves_;  // own_: both halves on this rank
  std::vector<Tensors> sums_;      // [parameter][first - this rank's first]; the loss last
  Tensors before_;                 // gradients before the step
  std::vector<char> here_;         // [k]: parameter k's gradient of this micro-batch arrived
  std::vector<Bucket> buckets_;
  std::vector<size_t> bucket_of_;
  size_t moved_ = 0;       // leading buckets whose moves are finished
  size_t broadcasts_ = 0;  // broadcasts started; all ranks start them in bucket order
  int64_t examples_ = 0, micro_batch_ = 0, first_ = 0, last_ = 0;
  uint64_t seed_ = 0, call_ = 0;  // where the step's random numbers begin
};

}
