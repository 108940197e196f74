// Guided cases: inputs (verify/cases/case_bytes.h) that showed something new are kept and changed
// by parts. Which case comes next depends on what earlier ones showed, so only a corpus makes it
// again. Corpora are folders of files named by their content (sha1), one a row, as w4fuzz writes
// them: machines share them by copying.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "core/result.h"
#include "verify/cases/case_bytes.h"

namespace w4 {

// By which fuzzers name the inputs of a corpus, so that equal ones have one name: sha1, 40 hex
// digits.
std::string input_name(Bytes input);

struct GuidedPlan {
  std::vector<std::string> rows;  // of generated_rows(), at least one
  uint64_t seed = 1;
  std::vector<std::string> devices;  // emulated archs, at least one
  std::string module{};              // of every case; empty: built in
  std::string folder;                // FOLDER/<row>/<input_name>; made where missing
  // Inputs kept in memory for each row; a further one takes the place of one at random. Those on
  // disk stay.
  size_t most = 4096;
};

// What became an input: it is handed back where its case showed something new.
struct GuidedCase {
  Case value;
  size_t row = 0;  // in the plan
  std::vector<uint8_t> input;
};

class Guided {
 public:
  explicit Guided(GuidedPlan plan);
  // Reads the folder. Files that are longer than an input are left alone. The error names what
  // cannot be read or made.
  Result<void> open();

  // Case `number`: the rows in turn. One in ten of uniform bytes, the others a kept input changed
  // by parts, crossed with another.
  GuidedCase make(int64_t number) const;
  // The case of this input showed something new. The error is of the file; the input is kept in
  // memory then too.
  Result<void> keep(const GuidedCase& c);

  size_t inputs() const;  // in memory, of all rows

 private:
  using Input = std::vector<uint8_t>;
  std::string folder_of(size_t row) const { return plan_.folder + "/" + plan_.rows[row]; }
  Case case_of_input(size_t row, Bytes input) const;
  void remember(size_t row, Input input);

  GuidedPlan plan_;
  std::vector<std::string_view> devices_;
  std::vector<std::vector<Input>> corpus_;  // by row
  uint64_t kept_ = 0;
};

}  // namespace w4
