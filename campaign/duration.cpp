#include "campaign/duration.h"

#include <charconv>

namespace w4 {

Result<double> seconds_of(std::string_view option, const std::string& text) {
  constexpr double kMost = 100 * 86400;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, ec] = std::from_chars(text.data(), end, value);
  const std::string_view unit(at, static_cast<size_t>(end - at));
  const double scale = unit == "s"   ? 1
                       : unit == "m" ? 60
                       : unit == "h" ? 3600
                       : unit == "d" ? 86400
                                     : 0;
  const double seconds = value * scale;
  if (ec != std::errc{} || !(seconds >= 1) || seconds > kMost) {
    return fail("{}: '{}'; legal: a number with s, m, h or d, 1s to 100d", option, text);
  }
  return seconds;
}

}  // namespace w4
