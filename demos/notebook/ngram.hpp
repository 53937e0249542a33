#pragma once

#include "demos/parts/text.hpp"

// Predictions of the next character by counting alone. Results are in nats per character over a
// text's held-out part: exp() of one is a perplexity.
namespace stepgrad::demo {

// The loss of tables counted on the training part: N characters, of which n(b) are b and n(a, b)
// are b after a. Both give every character of the alphabet some probability.
//   unigram: p(b) = (n(b) + 1) / (N + size of the alphabet)
//   bigram:  p(b | a) = (n(a, b) + t·p(b)) / (n(a) + t),  t = the number of characters seen after a
// The bigram's smoothing is Witten and Bell's (1991).
double unigram_loss(const Text& text);
double bigram_loss(const Text& text);

// The entropy of the next character given the last one, counted on the held-out part itself: a
// lower bound for any model that sees only the last character (Gibbs).
double bigram_entropy(const Text& text);

}
