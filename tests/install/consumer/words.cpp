#include <iostream>

#include "nn/nn.hpp"
#include "nn/text/vocabulary.hpp"

using namespace stepgrad;

int main() {
  const auto vocab = nn::Vocabulary::train({"one two three", "two three", "three"}, 20);
  std::cout << nn::pad_sequence({vocab.encode_as_ids("one two"), vocab.encode_as_ids("two")});
  return vocab.decode_ids(vocab.encode_as_ids("one two")) == "one two" ? 0 : 1;
}
