#pragma once

// Every op at once; "ops/matmul.hpp" and its like are one each. ops/every_op.hpp includes them all:
// the build makes it, and installs it with the others.
#include "core/tape/grad.hpp"
#include "core/tape/modes.hpp"
#include "core/tape/tape.hpp"
#include "core/watch/detect_nan.hpp"
#include "core/watch/explain.hpp"
#include "core/watch/ledger.hpp"
#include "core/watch/print_tape.hpp"
#include "ops/every_op.hpp"
