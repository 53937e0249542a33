#pragma once

#include "core/tensor/tensor.hpp"

// What a program has read of its numbers, where no tape records what it does with them: a page may
// not offer to change these. The ledger notes it, on a clock that each op and pass moves on.
namespace stepgrad {

struct Ledger;

void note_op(Ledger& op);  // its time, and the gradients that were read before it
void note_pass();
// All numbers that the root of a pass was computed from have a part in its gradients.
void note_parts(const Tensor& root);
// x was read by `how`; with `into`, what was read is written there.
void note_reading(const Tensor& x, const char* how, Loc loc, Storage* into);

// When these numbers, or what was computed from them, were read for what no tape records, so that
// the loss may follow them unseen; if not, its `how` is null. Trainings print their losses: a
// reading in which a leaf had a part is `earlier` after the next backward pass.
Reading read_before(const Storage& storage, int version, const Ledger& loss);
Reading gradients_read_before(const Ledger& loss);

// Whether these numbers are a leaf's, which was written after a pass before the loss: by a step.
bool stepped_before(const Storage& storage, const Ledger& loss);

// Whether these numbers may have a part in the gradients of a pass that began before this time.
bool had_part_before(const Storage& storage, int64_t at);

}
