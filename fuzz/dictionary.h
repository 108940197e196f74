// The words of case lines, as libFuzzer takes them with -dict: fuzz/case.dict is this text.
#pragma once

#include <string>

namespace w4::fuzz {

// A quoted word a line, without escapes: the kernels that cases are made of; ` key=` for every key;
// ` key=value` for every value of those that have a list of them; the pieces of the others'.
std::string case_dictionary();

}  // namespace w4::fuzz
