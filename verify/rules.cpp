#include "verify/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "core/contract.h"

namespace w4 {
namespace {

bool declares(const w4_kernel& kernel, std::string_view clause) {
  for (const char* const* c = kernel.clauses; *c != nullptr; ++c) {
    if (routed_name(*c).clause == clause) return true;
  }
  return false;
}

std::span<const std::byte> bytes_of_host(const w4_tensor& t) {
  if (t.host == nullptr) return {};
  return {static_cast<const std::byte*>(t.host), static_cast<size_t>(t.bytes)};
}

// FNV-1a over 8 bytes at a time: some GB/s, and no byte is left out.
uint64_t checksum(std::span<const std::byte> bytes) {
  uint64_t sum = 14695981039346656037u;
  for (size_t i = 0; i < bytes.size(); i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<size_t>(8, bytes.size() - i));
    sum = (sum ^ word) * 1099511628211u;
  }
  return sum;
}

bool same(const w4_tensor& a, const w4_tensor& b) {
  return a.dtype == b.dtype && a.layout == b.layout && a.rank == b.rank &&
         std::ranges::equal(a.dim, b.dim) && std::ranges::equal(a.stride, b.stride) &&
         a.bytes == b.bytes && a.device == b.device && a.host == b.host;
}

}  // namespace

std::optional<Refusal> refusal_of(const DeviceTable& table, const w4_kernel& kernel,
                                  std::string_view function, int returned) {
  std::optional<Refusal> out = table.refusal();
  if (!out) {
    if (returned == 0 || !table.launches().empty()) return std::nullopt;
    return Refusal{"", fmt::format("{} returned {} and called no refuse(), which names the clause",
                                   function, returned)};
  }
  if (out->clause.empty()) {
    out->message += fmt::format(" ({} refused without a clause)", function);
  } else if (!find_clause(out->clause)) {
    out->message +=
        fmt::format(" (there is no clause '{}'; `w4check list clauses` has them)", out->clause);
  } else if (!declares(kernel, out->clause)) {
    out->message += fmt::format(" (the kernel does not declare the clause '{}')", out->clause);
  }
  if (!table.launches().empty()) {
    out->message +=
        fmt::format(" ({} launched {} all the same)", function, table.symbols().front());
  }
  return out;
}

std::string breach_of(const DeviceTable& table, std::string_view function, int returned) {
  if (!table.launches().empty()) {
    return fmt::format("{} launched {}; legal: launches in run() only", function,
                       table.symbols().front());
  }
  if (table.refusal() && returned == 0) {
    return fmt::format("{} refused ({}) and returned 0", function, table.refusal()->clause);
  }
  return table.trouble();
}

std::string stray_tensors(const DeviceTable& table, const w4_source& source,
                          const w4_prepared& prepared) {
  const auto within = [](std::span<const std::byte> part, const w4_tensor* whole) {
    if (whole == nullptr) return false;
    const auto all = bytes_of_host(*whole);
    return part.data() >= all.data() && part.data() + part.size() <= all.data() + all.size();
  };
  for (const auto& [name, t] :
       {std::pair("wei", &prepared.wei), std::pair("scale", &prepared.scale),
        std::pair("zp", &prepared.zp), std::pair("carrier", &prepared.carrier)}) {
    const auto part = bytes_of_host(*t);
    if (part.empty() || table.owns(part)) continue;
    if (within(part, source.wei) || within(part, source.scale) || within(part, source.zp)) continue;
    return fmt::format("prepare() gave {} as {} bytes that are not all in memory of host_alloc",
                       name, t->bytes);
  }
  return {};
}

ReadOnly::ReadOnly(const w4_source& source, bool bytes) : bytes_(bytes) {
  keep("the checkpoint's wei", source.wei);
  keep("the checkpoint's scale", source.scale);
  keep("the checkpoint's zp", source.zp);
  keep("the checkpoint's g_idx", source.g_idx);
}

ReadOnly::ReadOnly(const w4_call& call) {
  for (const auto& [name, t] :
       {std::pair("the descriptor of act", call.act), std::pair("the descriptor of wei", call.wei),
        std::pair("the descriptor of scale", call.scale),
        std::pair("the descriptor of zp", call.zp), std::pair("the descriptor of bias", call.bias),
        std::pair("the descriptor of out", call.out)}) {
    keep(name, t);
  }
}

void ReadOnly::keep(const char* name, const w4_tensor* t) {
  if (t != nullptr) all_.push_back({name, t, *t, bytes_ ? checksum(bytes_of_host(*t)) : 0});
}

std::string ReadOnly::changed() const {
  for (const One& o : all_) {
    if (!same(*o.at, o.was) || (bytes_ && checksum(bytes_of_host(o.was)) != o.sum)) return o.name;
  }
  return {};
}

}  // namespace w4
