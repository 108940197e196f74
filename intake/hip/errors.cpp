// Errors by number: the last of a thread, their names and texts.
#include <array>
#include <string_view>
#include <tuple>

#include "intake/hip/session.h"

namespace w4::hip {
namespace {

struct ErrorRow {
  int number;
  const char* name;
  const char* text;
};
constexpr ErrorRow kErrors[] = {
#define W4HIP_ERROR(number, name, text) {number, #name, text},
#include "intake/hip/errors.inc"
#undef W4HIP_ERROR
};

const ErrorRow* find_error(int number) {
  for (const ErrorRow& e : kErrors) {
    if (e.number == number) return &e;
  }
  return nullptr;
}

// A failed launch stays the answer; other errors are forgotten once told.
Status tell(bool forget) {
  if (session().failed) return kLaunchFailure;
  const Status s = last_error();
  if (forget) last_error() = kSuccess;
  return s;
}

}  // namespace
}  // namespace w4::hip

using namespace w4::hip;

W4HIP_API Status hipGetLastError() { return tell(true); }
W4HIP_API Status hipExtGetLastError() { return tell(true); }
W4HIP_API Status hipPeekAtLastError() { return tell(false); }
W4HIP_API const char* hipGetErrorName(Status s) {
  const ErrorRow* e = find_error(s);
  return e ? e->name : "hipErrorUnknown";
}
W4HIP_API const char* hipGetErrorString(Status s) {
  const ErrorRow* e = find_error(s);
  return e ? e->text : "unrecognised error number";
}
W4HIP_API Status hipDrvGetErrorName(Status s, const char** name) {
  if (name) *name = hipGetErrorName(s);
  return name && find_error(s) ? kSuccess : kInvalidValue;
}
W4HIP_API Status hipDrvGetErrorString(Status s, const char** text) {
  if (text) *text = hipGetErrorString(s);
  return text && find_error(s) ? kSuccess : kInvalidValue;
}
