#pragma once

// Every module and optimizer at once; "nn/dropout.hpp" and its like are one each.
#include "nn/adamw.hpp"
#include "nn/dropout.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "nn/relu.hpp"
#include "nn/sgd.hpp"
