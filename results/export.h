// A store as text, row by row: memory does not grow with the store. In canonical order, so that
// equal stores give equal texts: by uid of the run, source and number; JUnit by suite first.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "core/result.h"
#include "results/store.h"

namespace w4 {

// Takes the text in pieces; an error of it ends the export and is the export's.
using TextSink = std::function<Result<void>(std::string_view)>;

// `run`: what this run filed, verdicts it took over included. nullopt: every verdict of the store,
// once. Both return how many verdicts were written.

// One line a verdict: its JSON (verdict_json.h) with "suite", "resumed", and its identity in all
// stores: "run" (uid of the run that reached it), "source", "number".
Result<int64_t> export_json(Store& store, std::optional<int64_t> run, const TextSink& sink);

// As junit_xml would have it.
Result<int64_t> export_junit(Store& store, std::optional<int64_t> run, const TextSink& sink);

}  // namespace w4
