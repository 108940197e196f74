#include "campaign/code_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "core/gpu.h"
#include "rdna/inventory.h"

namespace w4 {
namespace {

constexpr std::string_view kActs[] = {"f16", "bf16"};

// Whether the inventory has one of "a|b|c", each a mnemonic.
bool has_one(const rdna::Inventory& code, std::string_view alternatives) {
  return std::ranges::any_of(alternatives | std::views::split('|'), [&](const auto& part) {
    return code.count.contains(std::string_view(part.begin(), part.end()));
  });
}

uint64_t count_of(const rdna::Inventory& code, std::string_view prefix) {
  uint64_t n = 0;
  for (const auto& [mnemonic, count] : code.count) n += mnemonic.starts_with(prefix) ? count : 0;
  return n;
}

// Of a WGP.
constexpr int kSimds = 4;

// `demand`: of a truth and, where it does not hold, what is and what should be.
template <class Demand>
void judge_against(const Expectation& of, const ExpectedKernel& want, const rdna::KernelInfo& k,
                   const GpuModel& gpu, const rdna::Inventory& code, const Demand& demand) {
  demand(k.static_lds == want.lds_bytes, "{} bytes of static LDS; the host counts on {}",
         k.static_lds, want.lds_bytes);
  for (const uint32_t more : want.dynamic_lds) {
    demand(more > 0 && int64_t{k.static_lds} + more <= gpu.lds_per_block,
           "launched with {} bytes of dynamic LDS on top of {} static; {} has {} for a workgroup",
           more, k.static_lds, gpu.arch, gpu.lds_per_block);
  }
  demand(k.max_workgroup == want.threads, "compiled for blocks of {} threads; launched with {}",
         k.max_workgroup, want.threads);
  demand(k.kernarg_bytes == of.arg_bytes, "takes {} bytes of arguments; the launcher passes {}",
         k.kernarg_bytes, of.arg_bytes);
  demand(k.args.size() == of.args.size(), "takes {} arguments; the launcher passes {}",
         k.args.size(), of.args.size());
  for (size_t i = 0; i < std::min(k.args.size(), of.args.size()); ++i) {
    const rdna::ArgInfo& is = k.args[i];
    const ExpectedArg& should = of.args[i];
    demand(is.offset == should.offset && is.size == should.bytes,
           "argument {} has {} bytes at {}; the launcher puts {} bytes at {}", i, is.size,
           is.offset, should.bytes, should.offset);
    const std::string_view kind = should.address ? "global_buffer" : "by_value";
    demand(is.value_kind == kind, "argument {} is {}; the launcher passes {}", i, is.value_kind,
           kind);
  }
  for (const std::string_view needed : want.needs) {
    demand(has_one(code, needed), "has no {}", needed);
  }
  for (const std::string_view banned : want.never) {
    demand(!has_one(code, banned), "has {}, which has no place in it", banned);
  }
}

std::string identity(std::string_view kernel, std::string_view arch, std::string_view act, int g) {
  return fmt::format("{} {} {} g{}", arch, kernel, act, g);
}

}  // namespace

CodeAuditor::CodeAuditor(std::span<const Expectation> believed) {
  for (const Expectation& e : believed) {
    for (const std::string_view act : kActs) {
      for (const int g : e.groups) {
        Set& s = sets_.emplace_back();
        s.of = &e;
        s.act = act;
        s.group_size = g;
        for (ExpectedKernel& k : e.kernels(act, g)) s.kernels.emplace(k.symbol, std::move(k));
      }
    }
  }
  for (const Set& s : sets_) {
    for (const auto& [symbol, k] : s.kernels) set_of_[symbol] = &s;
  }
}

const CodeAuditor::Set* CodeAuditor::find(std::string_view kernel, std::string_view act,
                                          int group_size) const {
  const auto it = std::ranges::find_if(sets_, [&](const Set& s) {
    return s.of->kernel == kernel && s.act == act && s.group_size == group_size;
  });
  return it == sets_.end() ? nullptr : &*it;
}

CodeRow& CodeAuditor::row(std::string_view kernel, std::string_view arch) {
  for (CodeRow& r : audit_.rows) {
    if (r.kernel == kernel && r.arch == arch) return r;
  }
  CodeRow& r = audit_.rows.emplace_back();
  r.kernel = kernel;
  r.arch = arch;
  r.waves_per_simd = 16;
  return r;
}

void CodeAuditor::add(const std::string& where, std::span<const std::byte> bytes,
                      const KernelObject* built_in) {
  const auto wrong = [&](std::string what) {
    audit_.wrong.push_back(fmt::format("{}: {}", where, what));
  };
  const auto loaded = rdna::CodeObject::load(bytes);
  if (!loaded) return wrong(loaded.error().text);
  const rdna::CodeObject& object = **loaded;
  std::set<const Set*> sets;
  if (built_in != nullptr) {
    if (object.arch() != built_in->arch) {
      wrong(fmt::format("is for {}; listed as one for {}", object.arch(), built_in->arch));
    }
    ++came_[identity(built_in->kernel, built_in->arch, built_in->act, built_in->group_size)];
    const Set* set = find(built_in->kernel, built_in->act, built_in->group_size);
    if (set == nullptr) {
      return wrong(
          fmt::format("kernels/expectations.h says nothing of kernel {}, {}, group size {}",
                      built_in->kernel, built_in->act, built_in->group_size));
    }
    sets.insert(set);
  } else {
    for (const rdna::KernelInfo& k : object.kernels()) {
      if (const auto it = set_of_.find(k.symbol); it != set_of_.end()) sets.insert(it->second);
    }
  }
  std::set<std::string_view> here;
  std::set<std::string_view> rows;
  for (size_t i = 0; i < object.kernels().size(); ++i) {
    const rdna::KernelInfo& k = object.kernels()[i];
    here.insert(k.symbol);
    const auto it = set_of_.find(k.symbol);
    const Set* set = it != set_of_.end() && sets.contains(it->second) ? it->second : nullptr;
    if (set == nullptr && !sets.empty()) {
      wrong(fmt::format("{}: no instantiation list names it for this object", k.demangled));
    }
    const std::string_view name = set != nullptr ? set->of->kernel : "other";
    CodeRow& into = row(name, object.arch());
    if (rows.insert(name).second) ++into.objects;
    judge(where, object, i, set ? set->of : nullptr,
          set ? &set->kernels.find(k.symbol)->second : nullptr, into);
  }
  for (const Set* set : sets) {
    for (const auto& [symbol, k] : set->kernels) {
      if (!here.contains(symbol)) {
        wrong(fmt::format("{}: is not in it; the instantiation list of {} promises it", symbol,
                          set->of->kernel));
      }
    }
  }
}

void CodeAuditor::judge(const std::string& where, const rdna::CodeObject& object, size_t index,
                        const Expectation* of, const ExpectedKernel* want, CodeRow& into) {
  const rdna::KernelInfo& k = object.kernels()[index];
  const GpuModel& gpu = *find_gpu(object.arch());
  const auto demand = [&](bool holds, const char* what, const auto&... values) {
    if (holds) return;
    audit_.wrong.push_back(
        fmt::format("{}: {}: {}", where, k.demangled, fmt::format(fmt::runtime(what), values...)));
  };
  const rdna::Inventory code = rdna::take_inventory(object, index);
  const int waves = waves_per_simd(gpu, static_cast<int>(k.vgprs));

  demand(k.static_lds <= gpu.lds_per_block, "{} bytes of static LDS; {} has {} for a workgroup",
         k.static_lds, gpu.arch, gpu.lds_per_block);
  demand(k.vgpr_spills == 0 && k.sgpr_spills == 0, "spills {} VGPRs and {} SGPRs; none are allowed",
         k.vgpr_spills, k.sgpr_spills);
  demand(k.scratch_bytes == 0 && !k.dynamic_stack, "{} bytes of scratch{}; none are allowed",
         k.scratch_bytes, k.dynamic_stack ? " and a dynamic stack" : "");
  // A block's waves are on one WGP at the same time.
  demand(waves * kSimds * gpu.wave >= static_cast<int>(k.max_workgroup),
         "{} VGPRs leave room for {} waves of a WGP of {}; a block has {} threads", k.vgprs,
         waves * kSimds, gpu.arch, k.max_workgroup);
  for (const std::string& text : code.unknown) {
    demand(false, "holds `{}`, which the emulator does not know", text);
  }
  if (want != nullptr) judge_against(*of, *want, k, gpu, code, demand);

  ++into.kernels;
  into.lds_bytes.add(k.static_lds);
  if (want != nullptr) {
    for (const uint32_t more : want->dynamic_lds) into.dynamic_lds.add(more);
  }
  into.vgprs.add(k.vgprs);
  into.sgprs.add(k.sgprs);
  into.vgpr_spills = std::max<uint64_t>(into.vgpr_spills, k.vgpr_spills);
  into.sgpr_spills = std::max<uint64_t>(into.sgpr_spills, k.sgpr_spills);
  into.scratch_bytes = std::max<uint64_t>(into.scratch_bytes, k.scratch_bytes);
  into.waves_per_simd = std::min(into.waves_per_simd, waves);
  into.kinds["dot2"].add(count_of(code, "v_dot2"));
  into.kinds["wmma"].add(count_of(code, "v_wmma_"));
  into.kinds["global_load_b128"].add(count_of(code, "global_load_b128"));
  into.kinds["ds_load_b128"].add(count_of(code, "ds_load_b128"));
}

void CodeAuditor::demand_complete(std::span<const std::string_view> archs) {
  for (const std::string_view arch : archs) {
    for (const Set& s : sets_) {
      const std::string name = identity(s.of->kernel, arch, s.act, s.group_size);
      const auto it = came_.find(name);
      const int n = it == came_.end() ? 0 : it->second;
      if (n != 1) audit_.wrong.push_back(fmt::format("{}: there are {} objects, not 1", name, n));
    }
  }
}

}  // namespace w4
