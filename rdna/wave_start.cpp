#include "rdna/wave_start.h"

#include <cstring>

#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include "rdna/access.h"

namespace w4::rdna {
namespace {

// gfx12: workgroup ids y | z << 16, the wave's number in its workgroup at bit 25, workgroup id x.
constexpr int kTtmp7 = 115, kTtmp8 = 116, kTtmp9 = 117;

void user_sgprs(Wave& w, const WaveStart& s) {
  using namespace llvm::amdhsa;
  const uint32_t p = s.descriptor->properties;
  int reg = 0;
  const auto pair = [&](uint64_t value) {
    write_s(w, reg++, static_cast<uint32_t>(value));
    write_s(w, reg++, static_cast<uint32_t>(value >> 32));
  };
  // The order is fixed; what is not offered here (queue, dispatch id) stays undefined.
  if (p & KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER) reg += 4;
  if (p & KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_PTR) pair(s.dispatch_packet);
  if (p & KERNEL_CODE_PROPERTY_ENABLE_SGPR_QUEUE_PTR) reg += 2;
  if (p & KERNEL_CODE_PROPERTY_ENABLE_SGPR_KERNARG_SEGMENT_PTR) pair(s.kernarg);
  if (p & KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_ID) reg += 2;
  if (p & KERNEL_CODE_PROPERTY_ENABLE_SGPR_FLAT_SCRATCH_INIT) reg += 2;
  if (p & KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_SIZE) write_s(w, reg++, s.scratch_bytes);
}

void workgroup_ids(Wave& w, const WaveStart& s) {
  const Dim3 id = w.group->id;
  if (s.major == 12) {
    write_s(w, kTtmp9, id.x);
    write_s(w, kTtmp8, static_cast<uint32_t>(w.id) << 25);
    write_s(w, kTtmp7, id.y | id.z << 16);
    return;
  }
  // The declared number of user SGPRs, not those in use: gfx1100 and gfx1102 declare 13 to 15.
  int reg = s.descriptor->user_sgprs();
  const uint32_t r = s.descriptor->rsrc2;
  if (r >> 7 & 1) write_s(w, reg++, id.x);
  if (r >> 8 & 1) write_s(w, reg++, id.y);
  if (r >> 9 & 1) write_s(w, reg++, id.z);
}

void mode(Wave& w, const WaveStart& s) {
  const uint32_t r = s.descriptor->rsrc1;
  w.round32 = r >> 12 & 3;
  w.round16_64 = r >> 14 & 3;
  w.denorm32 = r >> 16 & 3;
  w.denorm16_64 = r >> 18 & 3;
  // gfx12 has neither bit: it clamps NaN as DX10 says and never quiets as IEEE mode does.
  w.dx10_clamp = s.major == 12 || (r >> 21 & 1);
  w.ieee = s.major != 12 && (r >> 23 & 1);
}

}  // namespace

void start_wave(Wave& w, const WaveStart& s) {
  std::memset(w.s, 0, sizeof w.s);
  std::memset(w.sdef, 0, sizeof w.sdef);
  w.sdef[kNull] = ~0u;
  w.scc = w.scc_def = false;
  w.arrived = false;
  w.acquired = 0;
  w.barrier_phase = 0;
  w.steps = w.clock_reads = 0;
  w.state = WaveState::ready;
  std::memset(w.dlo, 0, sizeof(uint32_t) * w.vgprs);
  std::memset(w.dhi, 0, sizeof(uint32_t) * w.vgprs);
  user_sgprs(w, s);
  workgroup_ids(w, s);
  mode(w, s);
  const uint32_t threads = s.block.x * s.block.y * s.block.z;
  const uint32_t first = static_cast<uint32_t>(w.id) * kLanes;
  const uint32_t n = threads - first < kLanes ? threads - first : kLanes;
  const uint32_t e = n == kLanes ? ~0u : (1u << n) - 1;
  write_s(w, kExec, e);
  // EXEC_HI does not exist in wave32; it reads as zero.
  write_s(w, kExec + 1, 0);
  for (uint32_t l = 0; l < n; ++l) {
    const uint32_t t = first + l, x = t % s.block.x, y = t / s.block.x % s.block.y,
                   z = t / s.block.x / s.block.y;
    w.v[0].v[l] = x | y << 10 | z << 20;
  }
  write_def(w, 0, {}, e);
}

void fill_hidden_arguments(const KernelInfo& kernel, const LaunchConfig& config,
                           std::span<uint8_t> bytes, std::span<uint8_t> state) {
  const Dim3 g = config.grid, b = config.block;
  const auto put = [&](const ArgInfo& a, uint64_t value) {
    std::memcpy(&bytes[a.offset], &value, std::min<size_t>(a.size, sizeof value));
    std::memset(&state[a.offset], kDefined, a.size);
  };
  for (const ArgInfo& a : kernel.args) {
    const std::string_view k = a.value_kind;
    if (!k.starts_with("hidden_") || a.size == 0 || a.size > 8) continue;
    if (k == "hidden_block_count_x")
      put(a, g.x);
    else if (k == "hidden_block_count_y")
      put(a, g.y);
    else if (k == "hidden_block_count_z")
      put(a, g.z);
    else if (k == "hidden_group_size_x")
      put(a, b.x);
    else if (k == "hidden_group_size_y")
      put(a, b.y);
    else if (k == "hidden_group_size_z")
      put(a, b.z);
    // Grids are whole workgroups here: nothing remains, and nothing is offset.
    else if (k.starts_with("hidden_remainder_") || k.starts_with("hidden_global_offset_"))
      put(a, 0);
    else if (k == "hidden_grid_dims")
      put(a, g.z * b.z > 1 ? 3 : g.y * b.y > 1 ? 2 : 1);
    else if (k == "hidden_dynamic_lds_size")
      put(a, config.dynamic_lds);
    else if (k == "hidden_private_base")
      put(a, kPrivateApertureHi);
    else if (k == "hidden_shared_base")
      put(a, kSharedApertureHi);
  }
}

}  // namespace w4::rdna
