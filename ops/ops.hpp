#pragma once

// All ops. A single one: "ops/matmul.hpp". The build generates and installs ops/every_op.hpp, which
// includes each.
#include "core/tape/grad.hpp"
#include "core/tape/modes.hpp"
#include "core/tape/tape.hpp"
#include "core/watch/detect_nan.hpp"
#include "core/watch/explain.hpp"
#include "core/watch/ledger.hpp"
#include "core/watch/print_tape.hpp"
#include "ops/every_op.hpp"
