// A file's bytes without a copy: shipped extensions are gigabytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "core/result.h"

namespace w4 {

class MappedFile {
 public:
  // Errors say what is wrong with the path, which they name: no such file, no regular file, …
  static Result<MappedFile> open(const std::string& path);
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::shared_ptr<const void> mapping_;
  std::span<const std::byte> bytes_;
};

}  // namespace w4
