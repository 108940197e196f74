#include "rdna/confirm.h"

namespace w4::rdna {

void Confirm::start_workgroup(Workgroup&) {}
void Confirm::step(Wave& w, const Op& op) { op.run[1](w, op); }
void Confirm::loaded(Wave&, const Op&, Space, const uint64_t*, int, int, Fit, uint32_t) {}
void Confirm::stored(Wave&, const Op&, Space, const uint64_t*, int, int, int, uint32_t) {}
void Confirm::scalar_loaded(Wave&, const Op&, uint64_t, int) {}
uint32_t Confirm::undefined_bytes(const Wave&, int, int, int, uint32_t lanes) const {
  return lanes;
}
std::string Confirm::birth(const Wave&, const Op&, uint32_t) const { return ""; }
void Confirm::earlier_lds_access(const Workgroup&, uint64_t, int, bool, Party&) const {}

}  // namespace w4::rdna
