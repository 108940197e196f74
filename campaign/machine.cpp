#include "campaign/machine.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>

#include <fstream>
#include <sstream>
#include <thread>

namespace w4 {
namespace {

// The value of the first line "name   : value".
std::string_view value_of(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const size_t colon = line.find(':');
    if (!line.starts_with(name) || colon == std::string_view::npos) continue;
    const size_t at = line.find_first_not_of(" \t", colon + 1);
    if (at != std::string_view::npos) return line.substr(at);
  }
  return {};
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());
}

// "6.1.0-18-amd64" -> "6.1": the rest tells more of the machine's keeper than of its speed.
std::string_view two_numbers(std::string_view release) {
  const size_t first = release.find('.');
  if (first == std::string_view::npos) return release;
  return release.substr(0, release.find_first_not_of("0123456789", first + 1));
}

}  // namespace

std::string machine_text(std::string_view cpuinfo, int cores, std::string_view system,
                         std::string_view release) {
  std::string_view name = value_of(cpuinfo, "model name");
  if (name.empty()) name = value_of(cpuinfo, "cpu model");
  if (name.empty()) name = "unknown processor";
  return fmt::format("{}, {} core{}, {} {}", name, cores, cores == 1 ? "" : "s", system,
                     two_numbers(release));
}

std::string this_machine() {
  std::ostringstream cpuinfo;
  cpuinfo << std::ifstream("/proc/cpuinfo").rdbuf();
  utsname system{};
  if (uname(&system) != 0) return machine_text(cpuinfo.str(), usable_cores(), "unknown", "");
  return machine_text(cpuinfo.str(), usable_cores(), system.sysname, system.release);
}

}  // namespace w4
