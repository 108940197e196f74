// Code objects against what the host side takes for granted about them (kernels/expectations.h),
// without running anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/expectations.h"
#include "kernels/objects.h"
#include "rdna/emulator.h"

namespace w4 {

struct Range {
  uint64_t least = UINT64_MAX, most = 0;
  bool empty() const { return least > most; }
  void add(uint64_t x) {
    least = x < least ? x : least;
    most = x > most ? x : most;
  }
};

// The kernels of one row of the table on one arch; "other" where no list names them.
struct CodeRow {
  std::string kernel, arch;
  size_t objects = 0, kernels = 0;
  Range lds_bytes, vgprs, sgprs;  // lds_bytes: static
  Range dynamic_lds;              // that launches ask for on top; empty where none does
  uint64_t vgpr_spills = 0, sgpr_spills = 0, scratch_bytes = 0;  // the most of a kernel
  int waves_per_simd = 0;  // that the VGPRs leave room for, the least
  // Instructions in a kernel's code: dot2, wmma, global_load_b128, ds_load_b128.
  std::map<std::string, Range> kinds;
};

struct CodeAudit {
  std::vector<CodeRow> rows;
  std::vector<std::string> wrong;  // "where: kernel: what is and what should be"
};

class CodeAuditor {
 public:
  // `believed` must outlive this.
  explicit CodeAuditor(std::span<const Expectation> believed);
  CodeAuditor(const CodeAuditor&) = delete;

  // `where` names the object in what is wrong. `built_in`: what objects.h says the object is, and
  // then its kernels are exactly those that the kernel's list names for it; nullptr: told by the
  // symbols, and a kernel that no list names is judged only by what holds for every kernel.
  void add(const std::string& where, std::span<const std::byte> bytes,
           const KernelObject* built_in);

  // Each kernel believed in has an object for every dtype and group size on each of `archs`, once,
  // and no other: of the objects that came with built_in.
  void demand_complete(std::span<const std::string_view> archs);

  const CodeAudit& result() const { return audit_; }

 private:
  // The kernels of one object by symbol, with what they belong to.
  struct Set {
    const Expectation* of = nullptr;
    std::string act;
    int group_size = 0;
    std::map<std::string, ExpectedKernel, std::less<>> kernels;
  };
  const Set* find(std::string_view kernel, std::string_view act, int group_size) const;
  CodeRow& row(std::string_view kernel, std::string_view arch);
  void judge(const std::string& where, const rdna::CodeObject& object, size_t index,
             const Expectation* of, const ExpectedKernel* want, CodeRow& into);

  std::vector<Set> sets_;
  std::map<std::string, const Set*, std::less<>> set_of_;  // by symbol
  std::map<std::string, int> came_;                        // built-in objects by identity
  CodeAudit audit_;
};

}  // namespace w4
