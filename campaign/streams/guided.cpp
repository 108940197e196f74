#include "campaign/streams/guided.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA1.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

namespace w4 {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kUniformOneIn = 10;

std::vector<uint8_t> uniform(Draw& draw) {
  std::vector<uint8_t> out(kInputBytes);
  for (uint8_t& byte : out) byte = static_cast<uint8_t>(draw(256));
  return out;
}

struct CloseFile {
  void operator()(std::FILE* f) const { std::fclose(f); }
};

// Whole or not at all: written beside its place, then moved there.
Result<void> write_whole(const fs::path& path, Bytes bytes) {
  const fs::path beside = path.string() + ".part";
  const auto cannot = [&] {
    const std::string why = std::strerror(errno);
    std::error_code ignored;
    fs::remove(beside, ignored);
    return fail("cannot write '{}': {}", path.string(), why);
  };
  {
    std::unique_ptr<std::FILE, CloseFile> out(std::fopen(beside.c_str(), "wbe"));
    if (!out) return cannot();
    if (std::fwrite(bytes.data(), 1, bytes.size(), out.get()) != bytes.size() ||
        std::fflush(out.get()) != 0) {
      return cannot();
    }
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) return cannot();
  return {};
}

}  // namespace

std::string input_name(Bytes input) {
  return llvm::toHex(llvm::SHA1::hash(llvm::ArrayRef(input.data(), input.size())), true);
}

Guided::Guided(GuidedPlan plan) : plan_(std::move(plan)), corpus_(plan_.rows.size()) {
  for (const std::string& d : plan_.devices) devices_.push_back(d);
}

Result<void> Guided::open() {
  for (size_t row = 0; row < plan_.rows.size(); ++row) {
    std::error_code ec;
    fs::create_directories(folder_of(row), ec);
    if (ec) return fail("cannot make the folder '{}': {}", folder_of(row), ec.message());
    fs::directory_iterator files(folder_of(row), ec);
    if (ec) return fail("cannot read the folder '{}': {}", folder_of(row), ec.message());
    // In one order wherever the folder was copied to.
    std::set<fs::path> inputs;
    for (const fs::directory_entry& file : files) {
      if (!file.is_regular_file(ec) || file.path().extension() == ".part") continue;
      if (file.file_size(ec) > static_cast<uintmax_t>(kInputBytes) || ec) continue;
      inputs.insert(file.path());
    }
    for (const fs::path& path : inputs) {
      std::ifstream in(path, std::ios::binary);
      remember(row, Input(std::istreambuf_iterator<char>(in), {}));
    }
  }
  return {};
}

Case Guided::case_of_input(size_t row, Bytes input) const {
  CaseInput how{.row = plan_.rows[row]};
  how.small.devices = devices_;
  Case c = case_of(input, how);
  c.module = plan_.module;
  return c;
}

GuidedCase Guided::make(int64_t number) const {
  const auto row = static_cast<size_t>(number) % plan_.rows.size();
  const std::vector<Input>& known = corpus_[row];
  constexpr uint64_t kSpread = 0x9e3779b97f4a7c15u;  // apart from the numbers of other seeds
  Draw draw(plan_.seed ^ (static_cast<uint64_t>(number) + 1) * kSpread);
  Input input;
  if (known.empty() || draw(kUniformOneIn) == 0) {
    input = uniform(draw);
  } else {
    const auto pick = [&]() -> const Input& {
      return known[draw(static_cast<uint32_t>(known.size()))];
    };
    const Input& from = pick();
    input = mutate_input(from, pick(), draw);
  }
  Case c = case_of_input(row, input);
  return {std::move(c), row, std::move(input)};
}

Result<void> Guided::keep(const GuidedCase& c) {
  remember(c.row, c.input);
  const fs::path path = fs::path(folder_of(c.row)) / input_name(c.input);
  std::error_code ec;
  if (fs::exists(path, ec)) return {};
  return write_whole(path, c.input);
}

void Guided::remember(size_t row, Input input) {
  std::vector<Input>& known = corpus_[row];
  ++kept_;
  if (known.size() < plan_.most) {
    known.push_back(std::move(input));
    return;
  }
  Draw draw(kept_);
  known[draw(static_cast<uint32_t>(plan_.most))] = std::move(input);
}

size_t Guided::inputs() const {
  size_t out = 0;
  for (const auto& row : corpus_) out += row.size();
  return out;
}

}  // namespace w4
