#pragma once

#include "nn/distributed/distributed.hpp"

namespace stepgrad::nn {

struct DistributedOptions {
  int64_t micro_batches = 8;  // M, of a step
  double bucket_cap_mb = 1;   // of what is sent at once; a parameter that is larger goes alone
  bool overlap = true;        // sent while backward goes on
};

// Trains a module on several ranks, as torch.nn.parallel.DistributedDataParallel; the bits of its
// gradients do not depend on how many there are. For each step:
//
//   nn::DistributedDataParallel parallel(world, model.parameters());
//   optimizer.zero_grad();
//   double loss = parallel.backward(batch_size, [&](int64_t first, int64_t last) {
//     return cross_entropy(model(x.slice(0, first, last)), targets.slice(0, first, last));
//   });
//   optimizer.step();    // the same on every rank
//
// A batch is cut into M micro-batches, whatever the number of ranks; rank r of R computes those
// from r·M/R, rounded up, to (r + 1)·M/R. A gradient is the sum of theirs in one binary tree over
// their indices:
//   s(i, i + 1) = micro-batch i's      s(a, c) = s(a, b) + s(b, c),  b = a + (c - a)/2
// A sum lives where its first micro-batch was computed: if that is another rank for the right half
// than for the left one, it is sent there. So s(0, M) ends on rank 0, which sends it to all.
class DistributedDataParallel {
 public:
  // ValueError, on every rank: M is not positive, or a rank has other options, parameters or
  // weights than rank 0.
  DistributedDataParallel(Distributed& world, std::vector<Tensor> parameters,
                          DistributedOptions options = {});
  DistributedDataParallel(const DistributedDataParallel&) = delete;
  ~DistributedDataParallel();

  // loss(first, last) is the mean loss of these examples of the batch, computed by whatever rank
  // has them. Adds the gradient of the mean over all to grad() of each parameter, and returns that
  // mean, the same on every rank. A parameter that no loss depends on keeps the gradient it had.
  // Random numbers are drawn as the whole batch would (RandomState::first_example); each step has
  // 2³² draws of its own, whatever it uses.
  // TapeError: with overlap, a micro-batch has added to a parameter's gradient more than once.
  template <class Loss>
  double backward(int64_t examples, Loss loss) {
    begin(examples);
    while (begin_micro_batch()) {
      const Tensor mean = loss(first_, last_);
      mean.backward(share_of_batch(mean));
      end_micro_batch(mean);
    }
    return finish();
  }

  std::vector<size_t> bucket_bytes() const;  // of the messages that a sum goes up and down in

  // What was computed and sent when, if somebody wants to know: seconds_now() of its beginning and
  // end. Lane 0: compute; 1: waiting; 2: from the first message of a bucket to its last.
  struct Event {
    std::string name;
    int lane;
    double begin, end;
  };
  std::vector<Event>* timeline = nullptr;

 private:
  // What this rank does for a node of the tree: s(left, end) = s(left, middle) + s(middle, end). If
  // one of the two is another rank's, the peer's, it is sent or received.
  struct Move {
    enum { add, send, receive } kind;
    int64_t left, middle, end;
    int peer;
  };
  // Parameters that are sent together, [first, last). The last of all is the loss.
  struct Bucket {
    size_t first, last;
    size_t missing = 0;  // gradients of the last micro-batch that are still to come
    size_t next = 0;     // of the moves
    enum { ready, moving, broadcasting, done } state = ready;
    std::vector<Scalar> message{};  // for each 1 if it has a gradient, else 0; then the gradients
    MPI_Request request = MPI_REQUEST_NULL;
    double began = 0;
  };

  void begin(int64_t examples);
  bool begin_micro_batch();
  Tensor share_of_batch(const Tensor& mean) const;
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
  void pack(Bucket& bucket, int64_t first);  // the sum that begins there
  void add_message(const Bucket& bucket, int64_t first);
  size_t message_size(const Bucket& bucket) const;
  Shape shape_of(size_t k) const;
  Tensor& sum(size_t k, int64_t first) { return sums_[k][first - first_of(world_.rank())]; }
  bool is_last() const { return micro_batch_ + 1 == first_of(world_.rank() + 1); }
  void note(const std::string& name, int lane, double begin) const;

  Distributed& world_;
  std::vector<Tensor> parameters_;
  DistributedOptions options_;
  std::vector<int> hooks_;
  std::vector<Move> own_, moves_;          // among its own micro-batches, and with others
  std::vector<std::vector<Tensor>> sums_;  // of a parameter, and the loss: by its first micro-batch
  std::vector<Tensor> before_;             // gradients from before the step
  std::vector<char> here_;                 // whose gradient of this micro-batch has arrived
  std::vector<Bucket> buckets_;
  std::vector<size_t> bucket_of_;
  size_t moved_ = 0;       // buckets, from the first one on, whose moves are all made
  size_t broadcasts_ = 0;  // begun; on all ranks in the order of buckets
  int64_t examples_ = 0, micro_batch_ = 0, first_ = 0, last_ = 0;
  uint64_t seed_ = 0, call_ = 0;  // where the step's random numbers begin
  double computing_since_ = 0;
};

}  // namespace stepgrad::nn
