#pragma once

#include "nn/positionwise_feed_forward.hpp"

// The notebook's classes under its names; only PositionWiseFeedForward differs, by one capital:
//   using namespace stepgrad::nn::document_000;
namespace stepgrad::nn::document_000 {

using nn::Dropout;
using nn::ReLU;
using PositionWiseFeedForward = nn::PositionwiseFeedForward;  // w1, b1, w2, b2

}
