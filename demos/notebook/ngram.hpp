#pragma once

#include "demos/parts/text.hpp"

// What counting alone knows about the next character. All results are in nats a character, over the
// held-out part of a text: exp() of one is a perplexity.
namespace stepgrad::demo {

// How surprised tables are that were counted on the part before: N characters, of which n(b) are b
// and n(a, b) are b after a. Both give every character of the alphabet some probability.
//   unigram: p(b) = (n(b) + 1) / (N + size of the alphabet)
//   bigram:  p(b | a) = (n(a, b) + t·p(b)) / (n(a) + t),  t = the number of characters seen after a
// The bigram's smoothing is Witten and Bell's (1991).
double unigram_loss(const Text& text);
double bigram_loss(const Text& text);

// The entropy of the next character given the last one, counted on the held-out part itself. No
// model that sees the last character only, whatever it is, has a smaller loss there (Gibbs).
double bigram_entropy(const Text& text);

}  // namespace stepgrad::demo
