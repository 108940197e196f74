// A device object, an emulator of its arch, and buffers: what the tests of this room need to run a
// small kernel and look at the report.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "rdna/emulator.h"

namespace w4::rdna {

inline std::vector<std::byte> file_bytes(const std::string& path) {
  std::ifstream f(path, std::ios::binary);
  const std::vector<char> chars((std::istreambuf_iterator<char>(f)), {});
  std::vector<std::byte> out(chars.size());
  if (!chars.empty()) std::memcpy(out.data(), chars.data(), chars.size());
  return out;
}

class Rig {
 public:
  explicit Rig(const std::string& path) : Rig(file_bytes(path), path) {}
  Rig(std::span<const std::byte> bytes, const std::string& name) {
    auto object = CodeObject::load(bytes);
    if (!object) {
      ADD_FAILURE() << name << ": " << object.error().text;
      return;
    }
    object_ = *object;
    emulator_.emplace(object_->arch());
  }
  bool ok() const { return object_ != nullptr; }
  const CodeObject& object() const { return *object_; }
  Emulator& emulator() { return *emulator_; }

  template <class T>
  Address input(const std::string& name, const std::vector<T>& values) {
    const Address a = allocate({.name = name, .bytes = values.size() * sizeof(T)});
    EXPECT_TRUE(emulator_->memory().write(a, std::as_bytes(std::span(values))));
    return a;
  }
  Address output(const std::string& name, uint64_t bytes) {
    return allocate({.name = name,
                     .bytes = bytes,
                     .writable = true,
                     .initialised = false,
                     .track_writers = true});
  }
  Address allocate(const BufferSpec& spec) {
    auto a = emulator_->memory().allocate(spec);
    EXPECT_TRUE(a.has_value()) << (a ? "" : a.error().text);
    return a.value_or(0);
  }
  template <class T>
  std::vector<T> read(Address a, size_t n) {
    std::vector<T> v(n);
    EXPECT_TRUE(emulator_->memory().read(a, std::as_writable_bytes(std::span(v))));
    return v;
  }

  // Arguments packed as C lays them out.
  template <class... A>
  LaunchReport launch(std::string_view symbol, LaunchConfig config, A... args) {
    std::vector<std::byte> bytes;
    const auto put = [&](const auto& x) {
      const size_t at = (bytes.size() + sizeof x - 1) / sizeof x * sizeof x;
      bytes.resize(at + sizeof x);
      std::memcpy(bytes.data() + at, &x, sizeof x);
    };
    (put(args), ...);
    return emulator_->launch(*object_, symbol, config, bytes);
  }

 private:
  std::shared_ptr<const CodeObject> object_;
  std::optional<Emulator> emulator_;
};

inline LaunchConfig config(uint32_t grid, uint32_t block) {
  LaunchConfig c;
  c.grid = {grid, 1, 1};
  c.block = {block, 1, 1};
  return c;
}

inline std::string what(const LaunchReport& r) {
  std::string s = r.why;
  for (const Finding& f : r.findings) s += "\n" + to_string(f);
  return s;
}

// The objects of one source: a path for each arch and level the build made.
inline std::vector<std::string> paths(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const size_t end = std::min(list.find('|'), list.size());
    if (end > 0) out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return out;
}

// "answers-O3.gfx1151.co" -> "answers_O3_gfx1151"
inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string s = info.param.substr(info.param.find_last_of('/') + 1);
  s = s.substr(0, s.size() - 3);
  for (char& c : s) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return s;
}

}  // namespace w4::rdna
