// Code objects that the program registered or loaded, and the kernels in them.
#pragma once

#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "intake/hip/session.h"
#include "rdna/emulator.h"

namespace w4::hip {

// Bytes stay where they are until the process ends: devices know an object by its address.
struct Module {
  std::vector<std::byte> bytes;
  std::shared_ptr<const rdna::CodeObject> object;
};

struct Kernel {
  const Module* in = nullptr;
  const rdna::KernelInfo* info = nullptr;
};

// The object of an image (a bundle, compressed or not, or a code object) for `arch`. Equal bytes
// give the same module.
Result<const Module*> load_image(const void* image, std::string_view arch);
Result<const Module*> load_image(std::span<const std::byte> image, std::string_view arch);

// What a host function of a registered translation unit stands for on the calling thread's device;
// otherwise says why.
Status kernel_of(const Call& c, const void* host_function, Kernel& out);
// hipFunction_t; null: it is none of ours.
const Kernel* kernel_of_handle(const void* handle);

// A variable of a registered translation unit: its device address and bytes.
Status variable_of(const Call& c, const void* host_variable, uint64_t& at, uint64_t& bytes);

}  // namespace w4::hip
