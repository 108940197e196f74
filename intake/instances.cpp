#include "intake/instances.h"

#include <algorithm>
#include <functional>
#include <set>

#include "intake/manifest_symbols.h"

namespace w4 {
namespace {

constexpr size_t kMostListed = 24;

// The first names, so that a message stays readable.
template <class Names>
std::string listed(const Names& all) {
  std::string out;
  size_t count = 0;
  for (const auto& name : all) {
    if (++count > kMostListed) return out + fmt::format(", … ({} in all)", all.size());
    out += fmt::format("{}{}", out.empty() ? "" : ", ", name);
  }
  return out;
}

// Characters that begin and end both.
size_t alike(std::string_view a, std::string_view b) {
  const auto begin = std::ranges::mismatch(a, b).in1 - a.begin();
  const auto end = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin();
  return static_cast<size_t>(begin + end);
}

// "gemm<Half,64>(…)" of "void gemm<Half, 64>(…)", and "gemm<Half,64>": what a pattern may spell.
std::vector<std::string> spellings(const std::string& demangled) {
  std::string_view name = demangled;
  if (name.starts_with("void ")) name.remove_prefix(5);
  std::vector<std::string> out{without_blanks(name)};
  if (!name.ends_with(')')) return out;
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) {
      if (i > 0) out.push_back(without_blanks(name.substr(0, i)));
      break;
    }
  }
  return out;
}

using Part = ManifestSymbol::Part;

// Numbers take all their digits, words the longest text that is there.
bool matches(const ManifestKernel& k, const ManifestSymbol& s, std::string_view name) {
  for (const Part& part : s.parts) {
    size_t length = 0;
    if (part.kind == Part::Kind::text) {
      if (!name.starts_with(part.text)) return false;
      length = part.text.size();
    } else if (part.kind == Part::Kind::number) {
      const size_t sign = name.starts_with('-') ? 1 : 0;
      length = std::min(name.find_first_not_of("0123456789", sign), name.size());
      if (length == sign) return false;
    } else {
      for (const auto& choice : k.words[part.word].choices) {
        if (name.starts_with(choice.text)) length = std::max(length, choice.text.size());
      }
      if (length == 0) return false;
    }
    name.remove_prefix(length);
  }
  return name.empty();
}

std::string_view kind_of(const ManifestArg& a) {
  if (a.pointer()) return "a pointer";
  if (a.kind == ManifestArg::Kind::real) return "f32";
  if (!a.is_signed) return "u32";
  return a.bytes == 4 ? "i32" : "i64";
}

// The explicit arguments of a kernel against those of the manifest.
Result<ObjectInstance> instance_of(const ManifestKernel& k, const ManifestObject& object,
                                   const rdna::KernelInfo& info) {
  ObjectInstance out{info.symbol, {}, 0};
  for (const rdna::ArgInfo& a : info.args) {
    if (a.value_kind.starts_with("hidden_")) continue;
    const size_t i = out.offsets.size();
    if (i < k.args.size()) {
      const bool takes_pointer = a.value_kind == "global_buffer";
      if (a.size != k.args[i].bytes || (takes_pointer && !k.args[i].pointer())) {
        return fail("{}: {} of {} bytes; the metadata of {} in {} has {} bytes ({}) at offset {}",
                    k.args[i].place, kind_of(k.args[i]), k.args[i].bytes, info.symbol, object.path,
                    a.size, a.value_kind, a.offset);
      }
    }
    out.offsets.push_back(a.offset);
    out.arg_bytes = std::max<size_t>(out.arg_bytes, size_t{a.offset} + a.size);
  }
  if (out.offsets.size() != k.args.size()) {
    return fail("{}: {} arguments are declared; the metadata of {} in {} has {} explicit ones",
                k.place, k.args.size(), info.symbol, object.path, out.offsets.size());
  }
  return out;
}

Result<std::map<std::string, ObjectInstance>> of_symbol(const ManifestKernel& k,
                                                        const ManifestSymbol& s,
                                                        const ManifestObject& object,
                                                        const rdna::CodeObject& code) {
  std::map<std::string, ObjectInstance> out;
  const auto add = [&](const std::string& key, const rdna::KernelInfo& info) -> Result<void> {
    auto made = instance_of(k, object, info);
    if (!made) return std::unexpected(made.error());
    const auto [at, is_new] = out.emplace(key, std::move(*made));
    if (is_new || at->second.symbol == info.symbol) return {};
    return fail("{}: '{}' is two kernels of {}: {} and {}; legal: a pattern that tells them apart",
                s.place, key, object.path, code.find(at->second.symbol)->demangled, info.demangled);
  };
  if (!s.pattern()) {
    const rdna::KernelInfo* info = code.find(s.text);
    if (info == nullptr) {
      std::vector<std::string> all;
      for (const auto& other : code.kernels()) all.push_back(other.symbol);
      return fail("{}: '{}' is not in {}; legal: {}", s.place, s.text, object.path, listed(all));
    }
    if (auto done = add(s.text, *info); !done) return std::unexpected(done.error());
    return out;
  }
  for (const rdna::KernelInfo& info : code.kernels()) {
    for (const std::string& name : spellings(info.demangled)) {
      if (!matches(k, s, name)) continue;
      if (auto done = add(name, info); !done) return std::unexpected(done.error());
    }
  }
  if (!out.empty()) return out;
  std::set<std::string> all;
  for (const auto& other : code.kernels()) all.insert(spellings(other.demangled).back());
  return fail("{}: no kernel of {} is called '{}'; there are: {}", s.place, object.path, s.text,
              listed(all));
}

Result<std::string> resolve(const ManifestKernel& k, const ManifestSymbol& s, const Sizes& sizes) {
  if (!s.pattern()) return s.text;
  std::string out;
  for (const Part& part : s.parts) {
    if (part.kind == Part::Kind::text) out += part.text;
    if (part.kind == Part::Kind::number) {
      const auto v = part.number.value(sizes);
      if (!v) return std::unexpected(v.error());
      out += fmt::format("{}", *v);
    }
    if (part.kind != Part::Kind::word) continue;
    const ManifestWord& word = k.words[part.word];
    bool found = false;
    for (const auto& choice : word.choices) {
      const auto holds = choice.when.value(sizes);
      if (!holds) return std::unexpected(holds.error());
      if (*holds == 0) continue;
      out += choice.text;
      found = true;
      break;
    }
    if (!found) return fail("bind.{}: no condition holds at {}", word.name, Expression().at(sizes));
  }
  return out;
}

}  // namespace

Result<ArchCode> find_instances(const ManifestKernel& k, const ManifestObject& object,
                                const rdna::CodeObject& code, std::span<const std::byte> bytes) {
  if (!k.op.empty()) {
    return fail(
        "{}: an operator is called in a source that `w4check intake` has compiled; legal: a "
        "symbol of the objects",
        k.place);
  }
  ArchCode out{object.arch, bytes, {}};
  for (const ManifestSymbol& s : k.symbols) {
    auto found = of_symbol(k, s, object, code);
    if (!found) return std::unexpected(found.error());
    out.by_symbol.push_back(std::move(*found));
  }
  return out;
}

Result<const ObjectInstance*> choose(const ManifestKernel& k, const ArchCode& code,
                                     const Sizes& sizes) {
  for (size_t i = 0; i < k.symbols.size(); ++i) {
    const auto holds = k.symbols[i].when.value(sizes);
    if (!holds) return fail("symbol[{}].when: {}", i, holds.error().text);
    if (*holds == 0) continue;
    const auto name = resolve(k, k.symbols[i], sizes);
    if (!name) return std::unexpected(name.error());
    const auto found = code.by_symbol[i].find(*name);
    if (found != code.by_symbol[i].end()) return &found->second;
    std::vector<std::string> all;
    for (const auto& [other, instance] : code.by_symbol[i]) all.push_back(other);
    std::ranges::sort(all, std::greater{}, [&](const std::string& other) {
      return std::pair(alike(*name, other), other);
    });
    return fail("no instantiation '{}' for {} at {}; there are: {}", *name, code.arch,
                Expression().at(sizes), listed(all));
  }
  return fail("no symbol's condition holds at {}", Expression().at(sizes));
}

}  // namespace w4
