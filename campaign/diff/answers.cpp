#include "campaign/diff/answers.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <nlohmann/json.hpp>
#include <set>

#include "campaign/figure_rows.h"
#include "core/case.h"
#include "rdna/coverage.h"
#include "results/text.h"
#include "results/verdict_json.h"
#include "verify/build_id.h"
#include "verify/context.h"
#include "verify/diff/ask.h"
#include "verify/diff/code.h"
#include "verify/diff/declared.h"
#include "verify/diff/run_for_output.h"
#include "verify/explain/explain.h"
#include "verify/run_case.h"

namespace w4::diff {
namespace {

using nlohmann::json;

json clean(const std::vector<std::string>& list) {
  json out = json::array();
  for (const std::string& text : list) out.push_back(printable_utf8(text));
  return out;
}

json declare(const w4_module& module) {
  json kernels = json::object();
  for (int32_t i = 0; i < module.kernel_count; ++i) {
    const Declared d = declared_by(module.kernels[i]);
    json lists = json::object(), texts = json::object();
    for (const auto& [name, list] : d.lists) lists[name] = clean(list);
    for (const auto& [name, text] : d.texts) texts[name] = printable_utf8(text);
    kernels[printable_utf8(module.kernels[i].name)] = {
        {"lists", lists}, {"texts", texts}, {"experts", module.kernels[i].moe != 0}};
  }
  return {{"kernels", kernels}};
}

Result<const w4_kernel*> kernel_of(const Case& c, Context& context) {
  const auto module = context.module(c.module);
  if (!module) return std::unexpected(module.error());
  for (int32_t i = 0; i < (*module)->kernel_count; ++i) {
    if (c.kernel == (*module)->kernels[i].name) return &(*module)->kernels[i];
  }
  return fail("kernel '{}' is not in it", c.kernel);
}

json asked(const Asked& a) {
  json launches = json::array();
  for (const Launched& l : a.launches) {
    launches.push_back({{"symbol", printable_utf8(l.symbol)},
                        {"grid", l.grid},
                        {"block", l.block},
                        {"args", l.args},
                        {"object", l.object}});
  }
  return {{"prepare", printable_utf8(a.prepare)},   {"call", printable_utf8(a.call)},
          {"message", printable_utf8(a.message)},   {"shape", a.shape},
          {"ran", printable_utf8(a.instantiation)}, {"launches", launches}};
}

json codes(const Asked& a) {
  json out = json::array();
  for (const Launched& l : a.launches) {
    json one{{"symbol", printable_utf8(l.symbol)}, {"object", l.object}};
    const auto code = code_of({static_cast<const std::byte*>(l.bytes), l.size}, l.symbol);
    if (code) {
      one.update({{"name", printable_utf8(code->demangled)},
                  {"text", code->text},
                  {"own", code->own},
                  {"figures", code->figures},
                  {"inventory", code->inventory}});
    } else {
      one["error"] = printable_utf8(code.error().text);
    }
    out.push_back(std::move(one));
  }
  return {{"codes", out}};
}

json ran(const WithOutput& r) {
  uint64_t h = 0xcbf29ce484222325;
  for (const uint16_t bits : r.out) h = (h ^ bits) * 0x100000001b3;
  Verdict v = r.verdict;
  v.ran.build_id = build_id();
  return {{"verdict", verdict_to_json(v)}, {"elements", r.out.size()}, {"hash", h}};
}

json output(const WithOutput& r) {
  std::string hex;
  hex.reserve(4 * r.out.size());
  for (const uint16_t bits : r.out) hex += fmt::format("{:04x}", bits);
  return {{"bits", hex}};
}

json work(const Case& c, const w4_kernel& kernel) {
  FigureRow r = count_case(c);
  if (r.green) r.least = least_of(c, kernel.dense_weights != 0, kernel.reads_carrier != 0);
  if (!r.green) return {{"error", printable_utf8(r.idle ? "launches nothing" : r.verdict)}};
  return {{"figures",
           {{"wave-instructions per weight", r.instructions_per_weight()},
            {"bytes over the least", r.bytes_over_least()},
            {"lines over the least", r.lines_over_least()},
            {"different lines over the least", r.footprint_over_least()},
            {"LDS cycles over the least", r.lds_cycles_over_least()},
            {"barriers per wave", r.barriers_per_wave()},
            {"dot2 products over M*N*K", r.dot2_over_least()},
            {"WMMA products over M*N*K", r.wmma_over_least()}}}};
}

// By kernel the classes of counts of its edges, sorted: code that only moved has the same.
json edges(const Case& c, Context& context) {
  rdna::Coverage coverage;
  const rdna::CoverageScope scope(coverage);
  run_case(c, context);
  json out = json::object();
  for (const rdna::KernelCounts* k : coverage.launched()) {
    std::vector<int> classes;
    k->edges.each([&](uint64_t, uint64_t, uint64_t n) { classes.push_back(std::bit_width(n)); });
    std::ranges::sort(classes);
    uint64_t h = 0xcbf29ce484222325;
    for (const int n : classes) h = (h ^ static_cast<uint64_t>(n)) * 0x100000001b3;
    out[printable_utf8(k->object->kernels()[k->index].symbol)] = h;
  }
  return {{"edges", out}};
}

json explained(const Case& c, Context& context, double seconds) {
  const explain::Explanation e = explain::explain(c, context, {.seconds = seconds});
  json names = json::array();
  for (const explain::Named& n : e.named) names.push_back(n.name);
  return {{"kind", name_of(e.verdict.kind())},
          {"certainty", explain::name_of(e.certainty)},
          {"says", printable_utf8(e.says)},
          {"names", std::move(names)},
          {"pattern", clean(e.pattern)}};
}

json say(const json& q, Context& context) {
  const std::string what = q.at("what"), path = q.at("module");
  if (what == "declare") {
    const auto module = context.module(path);
    if (!module) return {{"error", printable_utf8(module.error().text)}};
    return declare(**module);
  }
  Result<Case> c = parse_case(q.at("line").get<std::string>());
  if (!c) return {{"error", c.error().text}};
  c->module = path;
  if (what == "ask" || what == "route" || what == "code" || what == "work") {
    const auto kernel = kernel_of(*c, context);
    if (!kernel) return {{"error", printable_utf8(kernel.error().text)}};
    if (what == "work") return work(*c, **kernel);
    const auto a = ask(**kernel, *c, what == "ask");
    if (!a) return {{"error", printable_utf8(a.error().text)}};
    return what == "code" ? codes(*a) : asked(*a);
  }
  if (what == "edges") return edges(*c, context);
  if (what == "explain") return explained(*c, context, q.at("seconds").get<double>());
  if (what == "run") return ran(run_for_output(*c, context));
  if (what == "output") return output(run_for_output(*c, context));
  return {{"error", "there is no question '" + what + "'"}};
}

}  // namespace

Answers::Answers(uint32_t threads) : threads_(threads) {}
Answers::~Answers() = default;

Context& Answers::context() {
  if (!context_) context_ = std::make_unique<Context>(threads_);
  return *context_;
}

bool Answers::lost() const { return context_ && context_->lost(); }

std::string Answers::answer(std::string_view question) {
  json id, out;
  try {
    const json q = json::parse(question);
    id = q.at("id");
    out = say(q, context());
  } catch (const std::exception& e) {
    context_.reset();  // whatever the exception left behind
    out = {{"error", printable_utf8(e.what())}};
  }
  out["id"] = id;
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace w4::diff
