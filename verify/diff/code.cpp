#include "verify/diff/code.h"

#include "core/gpu.h"
#include "rdna/catalogue.h"
#include "rdna/emulator.h"
#include "rdna/inventory.h"

namespace w4::diff {

Result<Code> code_of(std::span<const std::byte> bytes, std::string_view symbol) {
  const auto loaded = rdna::CodeObject::load(bytes);
  if (!loaded) return std::unexpected(loaded.error());
  const rdna::CodeObject& object = **loaded;
  const rdna::KernelInfo* k = object.find(symbol);
  if (k == nullptr) return fail("the code object has no kernel {}", symbol);
  const auto index = static_cast<size_t>(k - object.kernels().data());
  const rdna::Inventory inventory = rdna::take_inventory(object, index);
  Code out;
  out.demangled = k->demangled;
  out.arch = object.arch();
  out.text = object.text_hash();
  out.own = inventory.bytes;
  std::map<std::string, int64_t>& f = out.figures;
  f["VGPRs"] = k->vgprs;
  f["SGPRs"] = k->sgprs;
  f["static LDS"] = k->static_lds;
  f["VGPR spills"] = k->vgpr_spills;
  f["SGPR spills"] = k->sgpr_spills;
  f["scratch"] = k->scratch_bytes;
  f["argument bytes"] = k->kernarg_bytes;
  f["threads of a block"] = k->max_workgroup;
  if (const GpuModel* gpu = find_gpu(out.arch))
    f["waves per SIMD"] = waves_per_simd(*gpu, static_cast<int>(k->vgprs));
  for (const auto& [name, value] : f)
    out.own = (out.own ^ static_cast<uint64_t>(value)) * 0x100000001b3;
  f["instructions"] = static_cast<int64_t>(inventory.instructions);
  uint64_t h = 0xcbf29ce484222325;
  const auto mix = [&h](std::string_view text) {
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  };
  for (const auto& [mnemonic, count] : inventory.count) {
    const std::string_view of = rdna::isa_class(mnemonic);
    f[fmt::format("{} instructions", of.empty() ? "other" : of)] += static_cast<int64_t>(count);
    mix(fmt::format("{} {};", mnemonic, count));
  }
  for (const std::string& text : inventory.unknown) mix(text);
  f["unknown instructions"] = static_cast<int64_t>(inventory.unknown.size());
  out.inventory = h;
  return out;
}

}  // namespace w4::diff
