// One of the two that a gate holds against each other: a module, or another build of w4check.
#pragma once

#include <array>
#include <string>

#include "campaign/diff/questioner.h"
#include "core/case.h"
#include "core/result.h"

namespace w4::gate {

enum Which : size_t { kBase = 0, kHead = 1 };
constexpr std::array<const char*, 2> kOption{"--base", "--head"};

struct Side {
  std::string given;  // as it was typed
  diff::Home home{};
  std::string build{};  // id of the w4check that runs it

  // The shell's words that rerun the case there: "w4check rerun 'decode m=5 module=a.so'".
  std::string rerun(Case c) const;
};

// `text`: builtin; a module, any form of docs/modules.md; a w4check; or a folder with bin/w4check.
// A build is started and has to speak this one's protocol. Errors name `option`.
Result<Side> open_side(const char* option, const std::string& text);

// Whether both are the same program and the same module file, byte for byte. What lies beside a
// manifest is not looked at: such sides are the same only as the same path.
bool same_bytes(const Side& a, const Side& b);

// One word of a shell, whatever is in it.
std::string shell_word(const std::string& text);

}  // namespace w4::gate
