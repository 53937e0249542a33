#pragma once

#include "demos/distributed/checkpoint.hpp"
#include "demos/distributed/task.hpp"
#include "nn/distributed/distributed_data_parallel.hpp"

namespace stepgrad::demo {

// One training on all ranks.
class Training {
 public:
  Training(nn::Distributed& world, const Options& options, const Text& text,
           nn::DistributedOptions how);

  double step();  // one more; the loss of its batch
  int64_t done() const { return done_; }
  void save();  // called by all ranks; rank 0 writes
  void load();
  double held_out_loss();  // nats a character; ranks share the work
  uint64_t hash() const { return nn::hash(optimizer_.parameters()); }
  int64_t examples() const { return task_->examples; }
  nn::DistributedDataParallel& parallel() { return *parallel_; }

 private:
  TrainingState state();

  nn::Distributed& world_;
  const Options& options_;
  std::unique_ptr<Task> task_;
  nn::AdamW optimizer_;
  std::unique_ptr<nn::DistributedDataParallel> parallel_;
  std::string described_;
  int64_t done_ = 0;
  RandomState random_;
};

std::string hexadecimal(uint64_t number);

// The program that mpirun starts. Returns the exit code.
int train_as_rank(const Options& options, int argc, char** argv);

}  // namespace stepgrad::demo
