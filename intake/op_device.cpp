#include "intake/op_device.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>

namespace w4 {

OpDevice::OpDevice(const w4_device& outer, const w4_tensor& out)
    : outer_(outer), out_(out), table_(outer) {
  table_.self = this;
  table_.property = [](void* self, w4_property which) {
    return of(self).outer_.property(of(self).outer_.self, which);
  };
  table_.host_alloc = [](void* self, size_t bytes) {
    return of(self).outer_.host_alloc(of(self).outer_.self, bytes);
  };
  table_.device_alloc = [](void* self, size_t bytes) -> uint64_t {
    OpDevice& me = of(self);
    if (!me.given_ && bytes == me.out_.bytes && me.out_.device != 0) {
      me.given_ = true;
      return me.out_.device;
    }
    return me.outer_.device_alloc(me.outer_.self, bytes);
  };
  table_.device_free = [](void* self, uint64_t address) {
    OpDevice& me = of(self);
    if (address == me.out_.device) {
      me.given_ = false;
    } else {
      me.outer_.device_free(me.outer_.self, address);
    }
  };
  table_.read = [](void* self, uint64_t from, void* to, size_t bytes) {
    return of(self).outer_.read(of(self).outer_.self, from, to, bytes);
  };
  table_.write = [](void* self, uint64_t to, const void* from, size_t bytes) {
    return of(self).outer_.write(of(self).outer_.self, to, from, bytes);
  };
  table_.copy = [](void* self, uint64_t to, uint64_t from, size_t bytes) {
    return of(self).outer_.copy(of(self).outer_.self, to, from, bytes);
  };
  table_.launch = [](void* self, const w4_launch* what) {
    OpDevice& me = of(self);
    me.launched_ +=
        fmt::format("{}{} block {}x{}x{}", me.launched_.empty() ? "" : "; ",
                    llvm::demangle(what->symbol), what->block[0], what->block[1], what->block[2]);
    return me.outer_.launch(me.outer_.self, what);
  };
  table_.refuse = [](void* self, const char*, const char* message) {
    if (!of(self).thrown_) of(self).thrown_ = message;
  };
  table_.ran = [](void* self, const char* instantiation) {
    of(self).outer_.ran(of(self).outer_.self, instantiation);
  };
}

}  // namespace w4
