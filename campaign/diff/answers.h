// What a worker says to the questions of `w4check diff`: one JSON object a line in, one out.
//   {"id": 7, "what": "ask", "module": "PATH", "line": "decode m=5 …"}
// `module` is opened in the worker, so native code may take down nothing else. By `what`:
//   declare   every kernel of the module with what it declares (verify/diff/declared.h)
//   ask       what the kernel would do with the call (verify/diff/ask.h)
//   route     the same without preparation, which wants memory for the weights
//   code      the machine code of each kernel that the call would launch (verify/diff/code.h)
//   edges     runs the line: how often its kernels took their branches, each in a hash that no
//             address has a part in
//   explain   what explain says of the line, within "seconds"
//   run       the verdict of the line, and a hash of its output
//   output    the output itself, in hexadecimal
//   work      what the call asks of the machine (figure_rows.h)
// An answer repeats the id; where there is nothing to say it has "error".
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace w4 {
class Context;
}

namespace w4::diff {

class Answers {
 public:
  explicit Answers(uint32_t threads);
  ~Answers();
  std::string answer(std::string_view question);
  // As Context's.
  bool lost() const;

 private:
  Context& context();

  uint32_t threads_;
  std::unique_ptr<Context> context_;  // made with the first question
};

}  // namespace w4::diff
