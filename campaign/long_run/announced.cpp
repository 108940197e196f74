#include "campaign/long_run/announced.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>

namespace w4 {
namespace {

std::string_view word_of(std::string_view& rest) {
  const size_t end = rest.find(' ');
  const std::string_view word = rest.substr(0, end);
  rest = end == rest.npos ? std::string_view{} : rest.substr(end + 1);
  return word;
}

template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// What is open, in the order of the log.
class Reader {
 public:
  void take(std::string_view line) {
    const std::string_view what = word_of(line);
    if (what == "T") {
      if (const auto seconds = number_in<double>(line)) log_.seconds = *seconds;
      return;
    }
    const std::string source(word_of(line));
    const auto number = number_in<int64_t>(word_of(line));
    if (!number || (what != "A" && what != "F")) return;
    std::erase_if(log_.open, [&](const AnnouncedCase& c) {
      return c.number == *number && c.source == source;
    });
    if (what == "A") log_.open.push_back({source, *number, std::string(line)});
  }
  AnnouncedLog log() && { return std::move(log_); }

 private:
  AnnouncedLog log_;
};

std::string text_of(const AnnouncedCase& c) {
  return fmt::format("A {} {} {}\n", c.source, c.number, c.line);
}

}  // namespace

Result<AnnouncedLog> read_announced(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    if (errno == ENOENT) return AnnouncedLog{};
    return fail("cannot read '{}': {}", path, std::strerror(errno));
  }
  Reader reader;
  // The last line may lack its end: then the file ends with it.
  for (std::string line; std::getline(in, line) && !in.eof();) reader.take(line);
  if (in.bad()) return fail("cannot read '{}': {}", path, std::strerror(errno));
  return std::move(reader).log();
}

Result<Announced> Announced::open(const std::string& path, int64_t most_bytes) {
  auto known = read_announced(path);
  if (!known) return std::unexpected(known.error());
  Announced a;
  a.path_ = path, a.most_ = most_bytes, a.seconds_ = known->seconds;
  for (AnnouncedCase& c : known->open) a.open_[{c.source, c.number}] = std::move(c.line);
  a.fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  struct stat status{};
  if (a.fd_ < 0 || ::fstat(a.fd_, &status) != 0)
    return fail("cannot write '{}': {}", path, std::strerror(errno));
  a.bytes_ = status.st_size;
  char last = '\n';
  if (a.bytes_ > 0 && ::pread(a.fd_, &last, 1, a.bytes_ - 1) == 1 && last != '\n') {
    if (auto ended = a.append("\n"); !ended) return std::unexpected(ended.error());
  }
  return a;
}

Announced::Announced(Announced&& o) noexcept
    : path_(std::move(o.path_)),
      fd_(std::exchange(o.fd_, -1)),
      bytes_(o.bytes_),
      most_(o.most_),
      seconds_(o.seconds_),
      open_(std::move(o.open_)) {}

Announced& Announced::operator=(Announced&& o) noexcept {
  std::swap(path_, o.path_), std::swap(fd_, o.fd_), std::swap(bytes_, o.bytes_);
  std::swap(most_, o.most_), std::swap(seconds_, o.seconds_), std::swap(open_, o.open_);
  return *this;
}

Announced::~Announced() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> Announced::announce(const AnnouncedCase& c) {
  if (bytes_ > most_) {
    if (auto anew = start_anew(); !anew) return anew;
  }
  if (auto written = append(text_of(c)); !written) return written;
  open_[{c.source, c.number}] = c.line;
  return {};
}

Result<void> Announced::finish(std::string_view source, int64_t number, std::string_view kind) {
  if (auto written = append(fmt::format("F {} {} {}\n", source, number, kind)); !written)
    return written;
  open_.erase({std::string(source), number});
  return {};
}

Result<void> Announced::spend(double seconds) {
  seconds_ = seconds;
  return append(fmt::format("T {:.3f}\n", seconds));
}

Result<void> Announced::append(const std::string& line) {
  ssize_t n = 0;
  do n = ::write(fd_, line.data(), line.size());
  while (n < 0 && errno == EINTR);
  if (n == static_cast<ssize_t>(line.size())) {
    bytes_ += n;
    return {};
  }
  const int why = n < 0 ? errno : ENOSPC;
  (void)!::ftruncate(fd_, bytes_);
  return fail("cannot write '{}': {}", path_, std::strerror(why));
}

Result<void> Announced::start_anew() {
  const std::string next = path_ + ".next";
  const int fd = ::open(next.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return fail("cannot write '{}': {}", next, std::strerror(errno));
  Announced anew;
  anew.path_ = next, anew.fd_ = fd;
  if (auto done = anew.spend(seconds_); !done) return done;
  for (const auto& [key, line] : open_) {
    if (auto done = anew.append(text_of({key.first, key.second, line})); !done) return done;
  }
  const std::string before = path_ + ".1";
  if (std::rename(path_.c_str(), before.c_str()) != 0 ||
      std::rename(next.c_str(), path_.c_str()) != 0) {
    return fail("cannot rename '{}': {}", path_, std::strerror(errno));
  }
  std::swap(fd_, anew.fd_);
  bytes_ = anew.bytes_;
  return {};
}

}  // namespace w4
