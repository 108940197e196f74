// The announced log of a campaign, beside its store: what is about to run is written down first, so
// that after a kill it is known which cases were lost. Text, only ever appended to, one write(2) a
// line:
//   A <source> <number> <case line>   before a case is handed to a worker
//   F <source> <number> <verdict>     after its verdict is in the store
//   T <seconds>                       how long the campaign has run so far, now and then
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace w4 {

struct AnnouncedCase {
  std::string source;
  int64_t number = 0;
  std::string line;
  bool operator==(const AnnouncedCase&) const = default;
};

struct AnnouncedLog {
  std::vector<AnnouncedCase> open;  // announced and not finished, in that order
  double seconds = 0;               // of the last T
};
// No file is an empty log. A last line without its end, and lines that are none of the three, are
// left out. The error says why the file cannot be read.
Result<AnnouncedLog> read_announced(const std::string& path);

class Announced {
 public:
  // A log longer than this becomes PATH.1, in place of the one before, and a new one begins, with
  // what was open: on disk are at most two.
  static constexpr int64_t kMostBytes = int64_t{256} << 20;

  // Appends to what is there. Errors name the file.
  static Result<Announced> open(const std::string& path, int64_t most_bytes = kMostBytes);
  Announced(Announced&& other) noexcept;
  Announced& operator=(Announced&& other) noexcept;
  ~Announced();

  // A line that cannot be written whole (a full disk) is taken back; the error says why.
  Result<void> announce(const AnnouncedCase& c);
  Result<void> finish(std::string_view source, int64_t number, std::string_view kind);
  Result<void> spend(double seconds);

 private:
  Announced() = default;
  Result<void> append(const std::string& line);
  Result<void> start_anew();

  std::string path_;
  int fd_ = -1;
  int64_t bytes_ = 0, most_ = kMostBytes;
  double seconds_ = 0;
  std::map<std::pair<std::string, int64_t>, std::string> open_;  // {source, number}: line
};

}  // namespace w4
