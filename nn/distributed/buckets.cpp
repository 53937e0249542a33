#include <algorithm>

#include "core/tape/accumulate.hpp"
#include "nn/distributed/distributed_data_parallel.hpp"

// How DistributedDataParallel sends its sums: parameters are grouped into buckets. Each bucket's
// sums go up the tree to rank 0, which broadcasts them. Buckets go up one after another: two at
// once would share the line and both be late, and nothing could come down meanwhile.
namespace stepgrad::nn {

Shape DistributedDataParallel::shape_of(size_t k) const {
  return k < parameters_.size() ? parameters_[k].shape() : Shape{1};
}

void DistributedDataParallel::make_buckets() {
  const double most = options_.bucket_cap_mb * 0x1p20 / sizeof(Scalar);
  std::vector<size_t> sizes;
  for (size_t k = 0; k <= parameters_.size(); ++k) {
    const auto more = size_t(shape_of(k).numel() + 1);  // plus its flag
    if (sizes.empty() || double(sizes.back() + more) > most) {
      buckets_.push_back({k, k});
      sizes.push_back(0);
    }
    sizes.back() += more;
    buckets_.back().last = k + 1;
    bucket_of_.push_back(buckets_.size() - 1);
  }
  if (world_.size() == 1) return;  // it sends nothing
  for (size_t b = 0; b < buckets_.size(); ++b) buckets_[b].message.resize(sizes[b]);
}

void DistributedDataParallel::advance_all() {
  while (moved_ < buckets_.size() && buckets_[moved_].next == moves_.size()) ++moved_;
  for (Bucket& bucket : buckets_) {
    if (bucket.missing == 0 && bucket.state != Bucket::done) advance(bucket);
  }
}

// Continues until it must wait.
void DistributedDataParallel::advance(Bucket& bucket) {
  const auto tag = size_t(&bucket - buckets_.data());
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
    } else if (bucket.next < moves_.size()) {
      if (tag != moved_) return;
      begin_move(bucket, moves_[bucket.next], int(tag));
      bucket.state = Bucket::moving;
    } else {
      if (broadcasts_ != tag) return;
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
    MPI_Isend(bucket.message.data(), int(bucket.message.size()), scalar_type, move.peer, tag, comm, &bucket.request);
  } else if (move.kind == Move::receive) {
    MPI_Irecv(bucket.message.data(), int(bucket.message.size()), scalar_type, move.peer, tag, comm, &bucket.request);
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
  MPI_Ibcast(bucket.message.data(), int(bucket.message.size()), scalar_type, 0, world_.communicator(), &bucket.request);
}

// A message: for each of the bucket's gradients a flag, 1 if it exists, else 0; then all gradients.
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

}
