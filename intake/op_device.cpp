#include "intake/op_device.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace w4 {
namespace {

// The kernel's name with its template arguments as one word: "skinny<c10::Half,64,(Zeros)0,true>".
std::string instance_name(const char* symbol) {
  llvm::ItaniumPartialDemangler d;
  if (d.partialDemangle(symbol) || !d.isFunction()) return symbol;
  size_t size = 0;
  char* const text = d.getFunctionName(nullptr, &size);
  if (text == nullptr) return symbol;
  std::string name = text;
  std::free(text);
  constexpr std::string_view kNowhere = "(anonymous namespace)::";
  for (size_t at = 0; (at = name.find(kNowhere)) != std::string::npos;) {
    name.erase(at, kNowhere.size());
  }
  std::erase(name, ' ');
  return name;
}

}  // namespace

OpDevice::OpDevice(const w4_device& outer, const w4_call& call, Wants wants)
    : outer_(outer), out_(*call.out), wants_(wants), table_(outer) {
  for (const auto& [name, t] : {std::pair("act", call.act), std::pair("wei", call.wei),
                                std::pair("scale", call.scale), std::pair("zp", call.zp),
                                std::pair("bias", call.bias), std::pair("carrier", call.carrier)}) {
    if (t != nullptr) operands_.push_back({name, t->device, t->bytes});
  }
  table_.self = this;
  table_.property = [](void* self, w4_property which) {
    return of(self).outer_.property(of(self).outer_.self, which);
  };
  table_.host_alloc = [](void* self, size_t bytes) {
    return of(self).outer_.host_alloc(of(self).outer_.self, bytes);
  };
  table_.device_alloc = [](void* self, size_t bytes) { return of(self).allocate(bytes); };
  table_.device_free = [](void* self, uint64_t address) { of(self).release(address); };
  table_.read = [](void* self, uint64_t from, void* to, size_t bytes) {
    OpDevice& me = of(self);
    me.guesses_ = me.guesses_ || (me.wants_.dry && !me.operand_at(from));
    return me.outer_.read(me.outer_.self, from, to, bytes);
  };
  table_.write = [](void* self, uint64_t to, const void* from, size_t bytes) {
    OpDevice& me = of(self);
    if (me.refuses_write(to, bytes)) return 1;
    if (!me.changes(to)) return 0;
    return me.outer_.write(me.outer_.self, to, from, bytes);
  };
  table_.copy = [](void* self, uint64_t to, uint64_t from, size_t bytes) {
    OpDevice& me = of(self);
    if (me.refuses_write(to, bytes)) return 1;
    if (!me.changes(to)) return 0;
    return me.outer_.copy(me.outer_.self, to, from, bytes);
  };
  table_.launch = [](void* self, const w4_launch* what) {
    OpDevice& me = of(self);
    me.launched_ +=
        fmt::format("{}{} block {}x{}x{}", me.launched_.empty() ? "" : "; ",
                    instance_name(what->symbol), what->block[0], what->block[1], what->block[2]);
    return me.outer_.launch(me.outer_.self, what);
  };
  table_.refuse = [](void* self, const char*, const char* message) {
    if (!of(self).thrown_) of(self).thrown_ = message;
  };
  table_.ran = [](void* self, const char* instantiation) {
    of(self).outer_.ran(of(self).outer_.self, instantiation);
  };
}

uint64_t OpDevice::allocate(size_t bytes) {
  if (!wants_.dry && wants_.returns && !given_ && bytes == out_.bytes && out_.device != 0) {
    given_ = true;
    freed_output_ = false;
    return out_.device;
  }
  return outer_.device_alloc(outer_.self, bytes);
}

// What is freed is undefined again, like any memory: it takes that over from some that nobody
// wrote.
void OpDevice::release(uint64_t address) {
  if (!given_ || address != out_.device) return outer_.device_free(outer_.self, address);
  given_ = false;
  freed_output_ = true;
  const uint64_t fresh = outer_.device_alloc(outer_.self, out_.bytes);
  if (fresh == 0) return;
  outer_.copy(outer_.self, out_.device, fresh, out_.bytes);
  outer_.device_free(outer_.self, fresh);
}

const OpDevice::Range* OpDevice::operand_at(uint64_t at) const {
  const auto it = std::ranges::find_if(operands_, [&](const Range& r) { return r.holds(at); });
  return it == operands_.end() ? nullptr : &*it;
}

bool OpDevice::refuses_write(uint64_t to, size_t bytes) {
  const Range* const hit = operand_at(to);
  if (hit != nullptr && !thrown_) {
    thrown_ = fmt::format(
        "the operator's host code writes {} bytes into {}, byte {}; legal: into "
        "the output and its own memory",
        bytes, hit->name, to - hit->from);
  }
  return hit != nullptr;
}

// A dry call sees a scratch output or one that stays as it is.
bool OpDevice::changes(uint64_t at) const {
  return !wants_.dry || !Range{"out", out_.device, out_.bytes}.holds(at);
}

}  // namespace w4
