// The kernels as they are built in, for the arch cuda alone: their code is text with the names of
// the kernels compiled for the CPU, of which the stand-in for the driver knows what they do.
#include <fmt/format.h>

#include <cstring>
#include <list>
#include <span>
#include <string>
#include <vector>

#include "devices/host_lane.h"
#include "kernels/objects.h"

namespace w4 {

std::span<const KernelObject> host_kernel_objects();

namespace {

std::string text_of(const HostObject& object) {
  std::string text = ".version 7.0\n.target sm_80\n.address_size 64\n";
  for (const HostKernel& k : std::span(object.kernels, object.count)) {
    text += fmt::format(
        ".visible .entry {0}(\n\t.param .align 8 .b8 {0}_param_0[{1}]\n)\n{{\n"
        "\t// w4.shared 65536\n\tret;\n}}\n",
        k.symbol, k.arg_bytes);
  }
  return text;
}

}  // namespace

std::span<const KernelObject> kernel_objects() {
  static std::list<std::string> texts;
  static const std::vector<KernelObject> all = [] {
    std::vector<KernelObject> made;
    for (const KernelObject& o : host_kernel_objects()) {
      HostObject object{};
      std::memcpy(&object, o.begin, sizeof(object));
      const std::string& text = texts.emplace_back(text_of(object));
      const auto* const begin = reinterpret_cast<const unsigned char*>(text.data());
      made.push_back({o.kernel, "cuda", o.act, o.group_size, begin, begin + text.size()});
    }
    return made;
  }();
  return all;
}

const char* const* kernel_archs() {
  static const char* const all[] = {"cuda", nullptr};
  return all;
}

}  // namespace w4
