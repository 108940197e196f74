// Checks of host code, as torch's macros spell them. A failed one throws c10::Error with the text
// that torch would print, without its backtrace; the glue turns it into a refusal.
#pragma once

#include <exception>
#include <sstream>
#include <string>
#include <utility>

namespace c10 {

class Error : public std::exception {
 public:
  explicit Error(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  const std::string& msg() const { return text_; }
  const char* what_without_backtrace() const noexcept { return text_.c_str(); }

 private:
  std::string text_;
};
class IndexError : public Error {
  using Error::Error;
};
class ValueError : public Error {
  using Error::Error;
};
class TypeError : public Error {
  using Error::Error;
};
class NotImplementedError : public Error {
  using Error::Error;
};

// The arguments one after the other, as operator<< prints them; as torch does it.
template <class... A>
std::string str(const A&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

}  // namespace c10

namespace w4::torch_lite {

template <class E, class... A>
[[noreturn]] void raise(const A&... parts) {
  throw E(c10::str(parts...));
}

// Without parts torch prints `otherwise`.
inline std::string message(const std::string& otherwise) { return otherwise; }
template <class... A>
std::string message(const std::string&, const A&... parts) {
  return c10::str(parts...);
}

}  // namespace w4::torch_lite

// GNU's ##__VA_ARGS__: nothing may follow the condition.
#define W4_TORCH_THROW_UNLESS(TYPE, COND, OTHERWISE, ...)                                 \
  do {                                                                                    \
    if (__builtin_expect(!static_cast<bool>(COND), 0)) {                                  \
      ::w4::torch_lite::raise<TYPE>(::w4::torch_lite::message(OTHERWISE, ##__VA_ARGS__)); \
    }                                                                                     \
  } while (false)
#define W4_TORCH_EXPECTED(COND)                                                        \
  "Expected " #COND                                                                    \
  " to be true, but got false.  (Could this error message be improved?  If so, please" \
  " report an enhancement request to PyTorch.)"

#define TORCH_CHECK(COND, ...) \
  W4_TORCH_THROW_UNLESS(::c10::Error, COND, W4_TORCH_EXPECTED(COND), ##__VA_ARGS__)
#define TORCH_CHECK_INDEX(COND, ...) \
  W4_TORCH_THROW_UNLESS(::c10::IndexError, COND, W4_TORCH_EXPECTED(COND), ##__VA_ARGS__)
#define TORCH_CHECK_VALUE(COND, ...) \
  W4_TORCH_THROW_UNLESS(::c10::ValueError, COND, W4_TORCH_EXPECTED(COND), ##__VA_ARGS__)
#define TORCH_CHECK_TYPE(COND, ...) \
  W4_TORCH_THROW_UNLESS(::c10::TypeError, COND, W4_TORCH_EXPECTED(COND), ##__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(COND, ...) \
  W4_TORCH_THROW_UNLESS(::c10::NotImplementedError, COND, W4_TORCH_EXPECTED(COND), ##__VA_ARGS__)
#define TORCH_CHECK_WITH(TYPE, COND, ...) \
  W4_TORCH_THROW_UNLESS(::c10::TYPE, COND, W4_TORCH_EXPECTED(COND), ##__VA_ARGS__)
#define W4_TORCH_INTERNAL(COND) \
  #COND " INTERNAL ASSERT FAILED at \"" __FILE__ "\", please report a bug to PyTorch. "
#define TORCH_INTERNAL_ASSERT(COND, ...)                                                      \
  W4_TORCH_THROW_UNLESS(::c10::Error, COND, W4_TORCH_INTERNAL(COND), W4_TORCH_INTERNAL(COND), \
                        ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) \
  do {                                        \
  } while (false)
#define TORCH_CHECK_EQ(A, B) \
  TORCH_CHECK((A) == (B), "Check failed: " #A " == " #B " (", A, " vs. ", B, "). ")
#define TORCH_CHECK_NE(A, B) \
  TORCH_CHECK((A) != (B), "Check failed: " #A " != " #B " (", A, " vs. ", B, "). ")
#define TORCH_CHECK_LT(A, B) \
  TORCH_CHECK((A) < (B), "Check failed: " #A " < " #B " (", A, " vs. ", B, "). ")
#define TORCH_CHECK_LE(A, B) \
  TORCH_CHECK((A) <= (B), "Check failed: " #A " <= " #B " (", A, " vs. ", B, "). ")
#define TORCH_CHECK_GT(A, B) \
  TORCH_CHECK((A) > (B), "Check failed: " #A " > " #B " (", A, " vs. ", B, "). ")
#define TORCH_CHECK_GE(A, B) \
  TORCH_CHECK((A) >= (B), "Check failed: " #A " >= " #B " (", A, " vs. ", B, "). ")
#define AT_ERROR(...) ::w4::torch_lite::raise<::c10::Error>(__VA_ARGS__)
#define AT_ASSERT(COND) TORCH_INTERNAL_ASSERT(COND)
#define AT_ASSERTM(COND, ...) TORCH_CHECK(COND, ##__VA_ARGS__)
#define C10_THROW_ERROR(TYPE, TEXT) ::w4::torch_lite::raise<::c10::TYPE>(TEXT)
// A warning is no refusal, and a run of many cases has no place for it.
#define TORCH_WARN(...) \
  do {                  \
  } while (false)
#define TORCH_WARN_ONCE(...) TORCH_WARN(__VA_ARGS__)
#define TORCH_API
#define C10_API
#define C10_EXPORT
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_LIKELY(E) (__builtin_expect(static_cast<bool>(E), 1))
#define C10_UNLIKELY(E) (__builtin_expect(static_cast<bool>(E), 0))
#define C10_UNUSED __attribute__((unused))
