// The built-in decode kernel under one zero-point contract alone: what a fork and its upstream had
// on the day they were merged. The op's name and signature are the same; one reads a number
// [N,K/G], the other words of eight [N/8,K/G].
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/table.h"

namespace w4::test {

struct Contract {
  w4_layout zp;        // the only encoding that is taken
  const char* clause;  // broken by the other
  const char* legal;   // for the message
  const char* tile;    // taken for 3 rows and more where K is at least 4096; nullptr: as built in
};

inline const w4_kernel& clean_decode() {
  const w4_module& m = builtin_module();
  for (int32_t i = 0; i < m.kernel_count; ++i) {
    if (std::strcmp(m.kernels[i].name, "decode") == 0) return m.kernels[i];
  }
  return m.kernels[0];
}

inline const Contract& contract_of(const w4_kernel* k) {
  return *static_cast<const Contract*>(k->data);
}

inline int refuse_encoding(const Contract& c, const w4_device* d) {
  d->refuse(d->self, c.clause,
            (std::string("zero points are of the other encoding; legal: ") + c.legal).c_str());
  return 1;
}

inline bool other_encoding(const Contract& c, const w4_tensor* zp) {
  return zp != nullptr && zp->layout != c.zp;
}

inline int accept_one(const w4_kernel* self, const w4_call* call, const w4_device* d) {
  const Contract& c = contract_of(self);
  if (other_encoding(c, call->zp)) return refuse_encoding(c, d);
  return clean_decode().accept(&clean_decode(), call, d);
}

inline int prepare_one(const w4_kernel* self, const w4_source* s, const w4_device* d,
                       w4_prepared* out) {
  const Contract& c = contract_of(self);
  if (s->symmetric == 0 && s->zp_wanted != c.zp) return refuse_encoding(c, d);
  return clean_decode().prepare(&clean_decode(), s, d, out);
}

inline int run_one(const w4_kernel* self, const w4_call* call, const w4_device* d) {
  const Contract& c = contract_of(self);
  if (other_encoding(c, call->zp)) return refuse_encoding(c, d);
  w4_call with = *call;
  if (with.tile == nullptr && with.act->dim[0] >= 3 && with.act->dim[1] >= 4096) with.tile = c.tile;
  return clean_decode().run(&clean_decode(), &with, d);
}

// The module; lives as long as the program.
inline const w4_module* restricted(const char* name, const Contract& contract) {
  static const Contract kept = contract;
  static const std::vector<const char*> clauses = [] {
    std::vector<const char*> out{kept.clause};
    for (const char* const* c = clean_decode().clauses; *c != nullptr; ++c) out.push_back(*c);
    out.push_back(nullptr);
    return out;
  }();
  static const w4_kernel kernel = [] {
    w4_kernel k = clean_decode();
    k.clauses = clauses.data();
    k.zp_layouts = &kept.zp;
    k.zp_layout_count = 1;
    k.data = &kept;
    k.accept = accept_one;
    k.prepare = prepare_one;
    k.run = run_one;
    return k;
  }();
  static const w4_module module{W4_MODULE_VERSION, sizeof(w4_kernel), name, &kernel, 1};
  return &module;
}

}  // namespace w4::test
