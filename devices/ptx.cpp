#include "devices/ptx.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

namespace w4 {
namespace {

constexpr std::string_view kShared = "// w4.shared ";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The text without its comments, a piece at a time.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  size_t at() const { return at_; }
  bool done() const { return at_ >= text_.size(); }

  // Past blanks and comments.
  void skip_blanks() {
    while (!done()) {
      if (is_space(text_[at_])) {
        ++at_;
      } else if (!skip_comment()) {
        return;
      }
    }
  }
  // A run of characters up to a blank or one of ( ) { } , ; — or one of those.
  std::string_view word() {
    skip_blanks();
    const size_t from = at_;
    while (!done() && !is_space(text_[at_]) && !at_comment()) {
      const bool mark = std::string_view("(){},;\"").contains(text_[at_]);
      if (mark && at_ > from) break;
      ++at_;
      if (mark) break;
    }
    return text_.substr(from, at_ - from);
  }
  // Past the closing one of a brace that is open. False: there is none.
  bool skip_body() {
    for (int depth = 1; !done();) {
      const char c = text_[at_];
      if (c == '/' && skip_comment()) continue;
      ++at_;
      if (c == '{') ++depth;
      if (c == '}' && --depth == 0) return true;
      if (c == '"') at_ = std::min(text_.find('"', at_), text_.size() - 1) + 1;
    }
    return false;
  }

 private:
  bool at_comment() const {
    const std::string_view two = text_.substr(at_, 2);
    return two == "//" || two == "/*";
  }
  bool skip_comment() {
    if (!at_comment()) return false;
    const bool line = text_[at_ + 1] == '/';
    const size_t end = text_.find(line ? "\n" : "*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + (line ? 1 : 2);
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

std::optional<uint64_t> number(std::string_view text) {
  uint64_t v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return v;
}

std::optional<uint64_t> bytes_of_type(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, uint64_t>, 4> kSizes{
      {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}}};
  if (type.size() < 3 || type[0] != '.' || !std::string_view("busf").contains(type[1])) {
    return std::nullopt;
  }
  for (const auto& [bits, bytes] : kSizes) {
    if (type.substr(2) == bits) return bytes;
  }
  return std::nullopt;
}

// `.param .align 8 .b8 name[16]`, `.param .u64 .ptr .global .align 4 name`: where it ends, after
// what ends at `end`.
Result<uint64_t> end_of_parameter(const std::vector<std::string_view>& words, uint64_t end) {
  uint64_t align = 0, bytes = 0, count = 1;
  for (size_t i = 0; i < words.size(); ++i) {
    if (bytes == 0 && words[i] == ".align" && i + 1 < words.size()) {
      align = number(words[i + 1]).value_or(0);
    } else if (const auto size = bytes_of_type(words[i]); size && bytes == 0) {
      bytes = *size;
    }
  }
  const std::string_view name = words.empty() ? "" : words.back();
  if (const size_t open = name.find('['); open != std::string_view::npos) {
    count = number(name.substr(open + 1)).value_or(0);
  }
  if (bytes == 0 || count == 0) return fail("PTX: parameter '{}' has no size", name);
  align = std::max(align, bytes);
  return (end + align - 1) / align * align + bytes * count;
}

// From behind the word `.entry` to behind the body.
Result<PtxKernel> read_kernel(Scanner& scan, std::string_view text) {
  PtxKernel k;
  k.name = scan.word();
  std::string_view word = scan.word();
  if (word == "(") {
    std::vector<std::string_view> words;
    while (!scan.done() && word != ")") {
      word = scan.word();
      if (word != "," && word != ")") {
        words.push_back(word);
      } else if (!words.empty()) {
        const auto end = end_of_parameter(words, k.argument_bytes);
        if (!end) return fail("{} of kernel {}", end.error().text, k.name);
        k.argument_bytes = *end;
        words.clear();
      }
    }
  }
  while (!scan.done() && word != "{") word = scan.word();
  const size_t body = scan.at();
  if (word != "{" || !scan.skip_body()) return fail("PTX: kernel '{}' does not end", k.name);
  k.end = scan.at();
  const std::string_view inside = text.substr(body, k.end - body);
  for (size_t at = inside.find(kShared); at != std::string_view::npos;
       at = inside.find(kShared, at + 1)) {
    const auto bytes = number(inside.substr(at + kShared.size()));
    k.shared_bytes = std::max(k.shared_bytes, bytes.value_or(0));
  }
  return k;
}

}  // namespace

Result<Ptx> Ptx::parse(std::string text) {
  Ptx p;
  p.text_ = std::move(text);
  Scanner scan(p.text_);
  // What may stand before `.entry`; other words behind the first kernel are something else.
  bool linkage = false;
  size_t begin = 0;
  for (scan.skip_blanks(); !scan.done(); scan.skip_blanks()) {
    const size_t at = scan.at();
    const std::string_view word = scan.word();
    if (word == ".visible" || word == ".weak") {
      linkage = true, begin = at;
      continue;
    }
    if (word == ".entry") {
      auto kernel = read_kernel(scan, p.text_);
      if (!kernel) return std::unexpected(kernel.error());
      kernel->begin = linkage ? begin : at;
      p.kernels_.push_back(std::move(*kernel));
    } else if (!p.kernels_.empty()) {
      p.separable_ = false;
    }
    linkage = false;
  }
  if (p.kernels_.empty()) return fail("PTX: no kernel (.entry) in {} bytes", p.text_.size());
  return p;
}

const PtxKernel* Ptx::find(std::string_view name) const {
  const auto found = std::ranges::find(kernels_, name, &PtxKernel::name);
  return found == kernels_.end() ? nullptr : &*found;
}

std::string Ptx::for_driver(const PtxKernel& kernel) const {
  if (!separable_) return text_;
  std::string out = text_.substr(0, kernels_.front().begin);
  out.append(text_, kernel.begin, kernel.end - kernel.begin);
  return out + "\n";
}

}  // namespace w4
