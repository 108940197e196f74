// Where a generated case has its tensors: pads, strides, pointer offsets; and where its weights
// come from: source format, shard, what a checkpoint carries besides.
#pragma once

#include "core/problem.h"
#include "verify/cases/chooser.h"

namespace w4 {

// Activation dtype, zero points among `encodings` of none, packed, unpacked; the source.
void choose_format(Chooser& choose, Problem& p, int encodings);

void choose_bias(Chooser& choose, Problem& p);

// A shard of a checkpoint, zero points that a symmetric one carries all the same, a g_idx. On
// input: a dense layer with its N, K, G, format.
void choose_checkpoint(Chooser& choose, Problem& p);

// Pads by rule and by number, pointer offsets of every tensor there is, strides given that are
// those of a contiguous tensor.
void choose_memory(Chooser& choose, Problem& p);

// Rows of activations further apart than K, 16 bytes aligned; a few times so far that the offset of
// the last is past 32 bits. Cases hold rows packed, so these are as small as others.
inline constexpr int64_t kFarApart = (int64_t{1} << 30) + 8;       // four of it are past 2^32
inline constexpr int64_t kFarthestApart = (int64_t{1} << 31) - 8;  // the largest that is legal
void choose_act_stride(Chooser& choose, Problem& p);

// A leading dimension of activations and output that collapses into M.
void choose_leading(Chooser& choose, Problem& p);

}  // namespace w4
