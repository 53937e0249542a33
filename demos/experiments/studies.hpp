#pragma once

#include "demos/parts/causal_transformer.hpp"

namespace stepgrad::demo {

// A feed-forward under test. Studies share the training of variants with the same name.
struct Variant {
  std::string name;
  MakeFeedForward make;
};

// An expectation from the literature: `better` has the smaller loss. Names of variants.
struct Expectation {
  std::string better, worse, because;
};

// A question, and the variants that answer it.
struct Study {
  std::string name, question;
  std::vector<Variant> variants;
  std::vector<Expectation> expectations;
  std::string note;  // what a reader of the table must know
};

// ratios, ablation, activations, sequence, experts
std::vector<Study> studies(const Size& size);

}
