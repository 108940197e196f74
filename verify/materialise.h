// From a case to host data: the logical arrays that the references read, and the tensors of a
// checkpoint in the case's source format, packed through core/layout. Total: sizes of an illegal
// problem are clamped at zero, nothing crashes, and what would not fit is said beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/case.h"
#include "kernels/module.h"
#include "reference/arrays.h"
#include "verify/experts.h"

namespace w4 {

// Host bytes that one case may take, all tensors and arrays together.
inline constexpr int64_t kCaseBytes = int64_t{3} << 30;

// That one tensor may span on a device, whose memory is sparse.
inline constexpr int64_t kBufferBytes = int64_t{32} << 30;

// Why the case does not fit them, if it does not. `dense`: the kernel reads a dense copy of the
// weights.
std::optional<std::string> too_large(const Problem& p, bool dense = false);

// The checkpoint that a shard is cut from goes on behind it: n0 + N + 8 rows, k0 + K + G columns.
// Without an offset it is the shard.
bool sharded(const Problem& p);
int64_t checkpoint_rows(const Problem& p);
int64_t checkpoint_columns(const Problem& p);

// Whether the problem has a meaning at all, whatever a kernel declares: sizes (M may be 0: an empty
// output), K whole groups and whole words, 16-bit activations, a broadcastable bias.
bool has_meaning(const Problem& p);

// These need has_meaning(c.problem). The shard's weights, and those of the whole checkpoint: the
// fill at the same coordinates of the checkpoint. `gate`: the kernel's, where silu is asked for.
std::shared_ptr<const Weights> make_weights(const Case& c);
std::shared_ptr<const Weights> make_checkpoint(const Case& c);
Arrays make_arrays(const Case& c, std::shared_ptr<const Weights> weights, Gate gate = nullptr);

// A tensor in host memory; desc.host points into `data`, so a HostTensor is not copied.
struct HostTensor {
  HostTensor() = default;
  HostTensor(HostTensor&&) = default;
  HostTensor& operator=(HostTensor&&) = default;
  w4_tensor desc{};
  std::vector<std::byte> data;
};

struct SourceTensors {
  HostTensor wei, scale;
  std::optional<HostTensor> zp, gidx;
};

// The tensors of the checkpoint, `weights` its whole, experts one after the other along the rows of
// N. It may be null: the tensors then hold zeros (problems without a meaning).
SourceTensors make_source(const Problem& p, const Weights* weights);

// What prepare() is asked: that checkpoint, and which part of it the problem wants. Points into
// `tensors`.
w4_source source_of(const Problem& p, const SourceTensors& tensors);

w4_dtype to_module(DType t);

}  // namespace w4
