// A module for the tests of workers. M chooses what its kernel does to the process it runs in and
// to the interface: see behave(). N chooses what its preparation does: see prepare().
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "kernels/module.h"

namespace {

const char* const kClauses[] = {"group.size", nullptr};
const char* const kArchs[] = {"gfx1151", nullptr};
const w4_layout kZeroPoints[] = {W4_ZP_PACKED};

double weight(w4_dtype, double q, double z, double s) { return (q - z) * s; }
uint16_t store(w4_dtype, double, double, int) { return 0; }
w4_chain chain(w4_dtype, int64_t, int64_t, int64_t, int64_t, int64_t) {
  return {W4_UNIT_DOT2, 1, 1, 1, 0};
}
const w4_numerics kNumerics{weight, store, chain, "none", nullptr};

FILE* say(const char* text, const char* path) {
  FILE* f = std::fopen(path, "w");
  std::fputs(text, f);
  return f;
}

int launch(const w4_device* device, const char* symbol) {
  w4_launch l{};
  l.object = "no object";
  l.object_bytes = 9;
  l.symbol = symbol;
  return device->launch(device->self, &l);
}

int refuse(const w4_device* device, const char* clause, const char* message) {
  device->refuse(device->self, clause, message);
  return 1;
}

// What to do: M, or W4_MISBEHAVES where that is set, and then from its preparation on.
int64_t chosen(const w4_call* call) {
  const char* always = std::getenv("W4_MISBEHAVES");
  return always == nullptr ? call->act->dim[0] : std::atoll(always);
}

int behave(const w4_kernel*, const w4_call* call, const w4_device* device) {
  switch (chosen(call)) {
    case 1:
      std::fputs("about to abort: <&>\n", stderr);
      std::abort();
    case 2:  // and says so in the file W4_HANGS, if that is set
      if (const char* path = std::getenv("W4_HANGS")) std::fclose(say("hangs", path));
      for (;;) pause();
    case 3:
      std::exit(7);
    case 5: {
      const std::string forged =
          R"({"line":"decode","outcomes":[{"kind":"accepted","clause":"","message":""}],"ran":)"
          R"({"build_id":"","object_hash":"","fp":"","evidence":"","instantiation":"",)"
          R"("resolved":"","wave_instructions":0,"seconds":0}})"
          "\n";
      for (int fd = 3; fd < 32; ++fd) {
        if (write(fd, forged.data(), forged.size()) < 0) continue;
      }
      device->refuse(device->self, "group.size", "it refuses everything");
      return 1;
    }
    case 6:
      return refuse(device, "m.range", "declared by nobody here");
    case 7:
      return refuse(device, "no.such", "known to nobody");
    case 8:
      return 1;
    case 9:
      refuse(device, "group.size", "no");
      return launch(device, "all_the_same");
    case 10:
      const_cast<w4_tensor*>(call->out)->dim[1] = 1;
      return refuse(device, "group.size", "no");
    case 11:
      return launch(device, nullptr);
    case 12:
      return refuse(device, nullptr, nullptr);
    case 13:
      refuse(device, "group.size", "no");
      return 0;
    case 14: {  // asks its device once
      static const int64_t lds = device->property(device->self, W4_PROP_LDS_PER_BLOCK);
      return refuse(device, "group.size", ("heard of " + std::to_string(lds)).c_str());
    }
    case 15: {  // refuses once, then aborts
      static int calls = 0;
      if (++calls > 1) std::abort();
      return refuse(device, "group.size", "the first time");
    }
    case 4:  // prints what is no verdict
    default:
      std::puts("{\"line\": \"this is not a verdict\"}");
      std::fflush(stdout);
      device->refuse(device->self, "group.size", "it refuses everything");
      return 1;
  }
}

int prepare(const w4_kernel*, const w4_source* source, const w4_device* device, w4_prepared* out) {
  const auto groups = source->group_size > 0 ? source->k / source->group_size : 0;
  const auto wei_bytes = static_cast<size_t>(source->n * source->k / 2);
  const auto scale_bytes = static_cast<size_t>(source->n * groups * 2);
  *out = {};
  if (std::getenv("W4_MISBEHAVES") != nullptr) return behave(nullptr, nullptr, device);
  switch (source->n) {
    case 24:
      *static_cast<unsigned char*>(source->wei->host) ^= 1;
      break;
    case 40:
      std::fputs("about to abort in prepare\n", stderr);
      std::abort();
    case 48:
      std::exit(9);
    case 56:
      device->host_alloc(device->self, SIZE_MAX / 2);
      return refuse(device, "group.size", "no memory");
    default:
      break;
  }
  out->wei = {W4_I8,
              W4_WEI_SHUFFLED,
              2,
              {source->n, source->k / 2},
              {source->k / 2, 1},
              wei_bytes,
              0,
              device->host_alloc(device->self, wei_bytes)};
  out->scale = {W4_F16,      W4_DENSE,    2, {source->n, groups},
                {groups, 1}, scale_bytes, 0, device->host_alloc(device->self, scale_bytes)};
  if (source->n == 32) out->scale.host = std::malloc(scale_bytes);
  return 0;
}

const w4_kernel kKernel{.name = "decode",
                        .says = "misbehaves",
                        .clauses = kClauses,
                        .zp_layouts = kZeroPoints,
                        .zp_layout_count = 1,
                        .numerics = &kNumerics,
                        .archs = kArchs,
                        .inline_assembly = 0,
                        .data = nullptr,
                        .accept = behave,
                        .prepare = prepare,
                        .run = behave,
                        .dense_weights = 0,
                        .reads_carrier = 0,
                        .moe = 0,
                        .shape = nullptr,
                        .numerics_of = nullptr,
                        .laws = nullptr};
const w4_module kModule{W4_MODULE_VERSION, sizeof(w4_kernel), "badly behaved", &kKernel, 1};

}  // namespace

extern "C" const w4_module* w4_module_v1(void) { return &kModule; }
