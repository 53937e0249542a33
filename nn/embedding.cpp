#include "nn/embedding.hpp"

#include "core/check.hpp"
#include "ops/embedding.hpp"

namespace stepgrad::nn {

Embedding::Embedding(int64_t num_embeddings, int64_t embedding_dim, OpCall) {
  check<ValueError>(num_embeddings > 0 && embedding_dim > 0, "Embedding: num_embeddings ", num_embeddings,
      " and embedding_dim ", embedding_dim, " must be positive");
  weight = Tensor::randn({num_embeddings, embedding_dim}).requires_grad_();
  name_parameters();
}

Embedding Embedding::from_pretrained(Tensor weight, bool freeze, Loc loc) {
  const OpCall call(Arg(weight, loc));
  check<ShapeError>(weight.dim() == 2, "Embedding: a table of ", weight.shape(), " is not [n, dim]");
  Embedding embedding;
  embedding.weight = weight.requires_grad_(!freeze).set_name("weight");
  return embedding;
}

std::string Embedding::extra_repr() const { return text_of(weight.size(0), ", ", weight.size(1)); }

Tensor Embedding::forward(Tensor ids) { return embedding(weight, ids); }

}
