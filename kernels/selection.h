// Selection as data (contract.md 9): which linear kernel a W4A16 layer gets. Each entry of the
// priority list is a list of rules in order; the first entry that is not disabled, meets its
// minimum capability and breaks no rule wins.
//
// `RDNAHybridW4A16` is ours, its rules are the contract's and one of our own. The others are other
// code's: what the contract does not say of them is inferred, and their entries say so.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtypes.h"

namespace w4 {

// A layer as selection sees it, before there are tensors. K is the partition's.
struct Layer {
  std::string arch = "gfx1151";
  std::string type = "uint4b8";  // uint4b8: symmetric; uint4: zero points of its own
  std::string act = "f16";
  int64_t g = 128;  // -1: one group a channel
  int64_t k = 1024, n = 256;
  bool g_idx = false;  // act-order
  bool operator==(const Layer&) const = default;
};
std::string to_string(const Layer& l);  // "gfx1151 uint4 bf16 g=64 k=512 n=512"
bool has_zero_points(const Layer& l);   // uint4, uint8

struct Rule {
  enum class About : uint8_t {
    arch,        // one of `names`; a name that ends in * stands for all that begin with it
    type,        // one of `names`
    act,         // one of `names`
    g_idx,       // there is none
    group,       // one of `numbers`
    k_multiple,  // of numbers[0]
    k_group,     // K is a multiple of G; always so where G is -1
    n_multiple,  // of numbers[0]
    n_octets,    // of numbers[0] where there are zero points
    never,       // declines everything
  } about;
  std::vector<std::string> names;
  std::vector<int64_t> numbers;
  std::string says;   // why, for people
  bool ours = false;  // no public version has it
};
std::string_view name_of(Rule::About a);
std::optional<Rule::About> rule_from(std::string_view name);
bool wants_names(Rule::About a);
bool wants_numbers(Rule::About a);

struct Entry {
  std::string name;
  int64_t min_capability = 0;  // 115 is gfx1151
  std::vector<Rule> rules;     // in the order they are asked
  std::string kernel;          // row of the kernel table that runs such layers; empty: not ours
  bool inferred = false;       // rules beyond the contract
};

struct Golden {
  Layer layer;
  std::string winner;  // empty: none
};

struct SelectionTable {
  std::vector<Entry> entries;  // by priority
  std::vector<std::string> disabled;
  std::vector<Golden> golden;  // the upstream selection test's, or a dump's own
};

const SelectionTable& builtin_selection();

// The message of the first rule that declines the layer; nothing where the entry takes it.
std::optional<std::string> declined(const Entry& e, const Layer& l);
// can_implement and the minimum capability.
bool takes(const Entry& e, const Layer& l);

// The entry that wins; null where none takes it. `disabled` as in VLLM_DISABLED_KERNELS.
const Entry* select(const SelectionTable& table, const Layer& l);
const Entry* select(const SelectionTable& table, const Layer& l,
                    std::span<const std::string> disabled);

// "gfx1151" -> 115, "gfx90a" -> 90: major*10 + minor as the runtime reports it; 0: no such name.
int64_t capability(std::string_view arch);

// Archs that selection is asked about: those of core/gpu.h and the gfx9 of servers.
std::span<const std::string_view> selection_archs();

}  // namespace w4
