// The machine that cases run on, in words for whoever reads their times: no host name, no user.
#pragma once

#include <string>
#include <string_view>

namespace w4 {

// "AMD EPYC 7R13, 2 cores, Linux 6.1"; cores: those that this process may use.
std::string this_machine();

// From the text of /proc/cpuinfo; what it does not name is called "unknown processor".
std::string machine_text(std::string_view cpuinfo, int cores, std::string_view system,
                         std::string_view release);

}  // namespace w4
