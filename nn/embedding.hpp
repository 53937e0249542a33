#pragma once

#include "nn/module.hpp"

namespace stepgrad::nn {

// A table of vectors, looked up by id, as torch.nn.Embedding. Initialised normal, mean 0 and
// variance 1.        ids: [..]   weight: [num_embeddings, embedding_dim]   result: [.., dim]
struct Embedding : Module<Embedding> {
  Embedding(int64_t num_embeddings, int64_t embedding_dim,
      OpCall = Loc::here());  // ValueError: not positive

  // Uses this table; if frozen, it is no parameter. ShapeError: not [n, dim].
  static Embedding from_pretrained(Tensor weight, bool freeze = true, Loc loc = Loc::here());

  std::string extra_repr() const;
  Tensor forward(Tensor ids);  // IndexError: an id that is no whole number in [0, num_embeddings)

  void parts(auto visit) { visit("weight", weight); }

  Tensor weight;

 private:
  Embedding() = default;
};

}
