#pragma once

#include "nn/feed_forward.hpp"
#include "nn/residual_connection.hpp"

// The classes of "Transformer 组件" under its names.
//   using namespace stepgrad::nn::document_003;
namespace stepgrad::nn::document_003 {

using nn::ResidualConnection;

// nn::FeedForward, whose w_1 and w_2 are proj_up and proj_down here.
struct PositionwiseFeedForward : FeedForward {
  using FeedForward::FeedForward;
  PositionwiseFeedForward(const PositionwiseFeedForward& other) : FeedForward(other) {}
  PositionwiseFeedForward& operator=(const PositionwiseFeedForward& other) {
    FeedForward::operator=(other);
    return *this;
  }

  Linear &proj_up = w_1, &proj_down = w_2;
};

}
