// How a manifest names the code: "symbol": "w4a16", {"pattern": "gemm<{T}, {G}>"}, or a list of
// such with conditions; and "bind", the words that patterns name.
#pragma once

#include <string>
#include <vector>

#include "intake/manifest.h"
#include "intake/manifest_values.h"

namespace w4 {

// Members "bind" and "symbol" of kernels[i]; `key` is their own: "kernels[0].symbol". In a pattern
// {T} is the word T of `words`, and {…} around anything else an expression, written in decimal.
// Both throw Wrong.
std::vector<ManifestWord> read_words(const ManifestValues& values, const Json& v,
                                     const std::string& key);
std::vector<ManifestSymbol> read_symbols(const ManifestValues& values, const Json& v,
                                         const std::string& key,
                                         const std::vector<ManifestWord>& words);

std::string without_blanks(std::string_view text);

}  // namespace w4
