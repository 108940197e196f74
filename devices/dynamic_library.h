// A shared library that is opened at run time: what a driver's owner has installed and nobody else
// needs.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace w4 {

class DynamicLibrary {
 public:
  // The first of `names` that opens; it stays loaded until the process ends. A name without a
  // slash is looked for where the loader looks. The error names all of them and says why the last
  // one that exists, or the first, does not open.
  static Result<DynamicLibrary> open(std::span<const std::string> names);

  const std::string& name() const { return name_; }
  // Null where the library has no such symbol.
  void* find(const char* symbol) const;
  template <class F>
  void find(const char* symbol, F*& to) const {
    to = reinterpret_cast<F*>(find(symbol));
  }

 private:
  DynamicLibrary(std::string name, void* handle) : name_(std::move(name)), handle_(handle) {}
  std::string name_;
  void* handle_;
};

}  // namespace w4
