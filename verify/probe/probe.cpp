#include "verify/probe/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "verify/probe/codes.h"
#include "verify/probe/describe.h"
#include "verify/probe/values.h"
#include "verify/run_case.h"

namespace w4::probe {
namespace {

class Prober {
 public:
  Prober(Rig& rig, Probed& out) : rig_(rig), out_(out), p_(rig.line().problem) {}

  Result<void> run() {
    auto values = values_of(rig_);
    if (!values) return std::unexpected(values.error());
    v_ = *values;
    compare_values();
    q0_ = code_for(v_, 0);
    q1_ = code_for(v_, 1);
    if (!q0_ || !q1_) {
      const std::string why = "no code makes the products 0 and 1";
      for (const char* name : {"weight codes", "scales", "zero points"}) not_recovered(name, why);
      return {};
    }
    weights();
    if (p_.silu) return {};
    scales();
    zeros();
    return {};
  }

 private:
  bool dense() const { return rig_.kernel().dense_weights != 0; }
  bool carrier() const { return rig_.desc(Tensor::carrier) != nullptr; }

  void compare(const char* name, const std::string& declared, std::string recovered,
               const std::string& rule = "") {
    const Status s = declared == recovered ? Status::ok : Status::differs;
    out_.properties.push_back(
        {name, declared, std::move(recovered), rule.empty() ? declared : rule, s});
  }
  void not_recovered(const char* name, const std::string& why) {
    out_.properties.push_back({name, "", "not recovered: " + why, "", Status::differs});
  }
  void not_probed(const char* name, const std::string& why) {
    out_.properties.push_back({name, "", why, "", Status::not_probed});
  }
  void describe(const char* name, const Declared& declared, const Result<Map>& map,
                std::string (*words)(const Map&)) {
    compare(name, declared.here, map ? words(*map) : "not recovered: " + map.error().text,
            declared.rule);
  }

  void compare_values() {
    if (dense()) {
      compare(
          "weight values", "numbers as stored",
          codes_text(v_) == "0 to 15" && v_.codes[0] == 0.0 ? "numbers as stored" : codes_text(v_));
      not_probed("zero points", "dense weights have taken them in");
      return;
    }
    compare("code values", "0 to 15", codes_text(v_));
    const Encoding declared = carrier()                 ? Encoding::carrier
                              : p_.zp == ZpMode::none   ? Encoding::none
                              : p_.zp == ZpMode::packed ? Encoding::packed
                                                        : Encoding::unpacked;
    compare("zero-point encoding", std::string(name_of(declared)),
            std::string(name_of(v_.encoding)));
    compare("zero-point value", declared == Encoding::none ? "8" : "z as stored", zero_text(v_));
  }

  // All codes q0, all scales 1, all zero points 0: every product is 0.
  void base() {
    unit_scales(rig_);
    if (rig_.desc(Tensor::zp) != nullptr) fill_nibbles(rig_.bytes(Tensor::zp), 0);
    write_weights(*q0_);
  }
  void write_weights(unsigned code) {
    const auto bytes = rig_.bytes(Tensor::wei);
    dense() ? fill_halves(bytes, from_f64(p_.act, code)) : fill_nibbles(bytes, code);
  }

  void weights() {
    base();
    const auto bytes = [this] { return rig_.bytes(Tensor::wei); };
    const int64_t stride = rig_.desc(Tensor::wei)->stride[rig_.desc(Tensor::wei)->rank - 2];
    if (dense()) {
      const auto write = [&](size_t i, bool one) {
        set_half(bytes(), i, from_f64(p_.act, one ? *q1_ : *q0_));
      };
      describe("weights", declared_dense(stride), products(rig_, bytes().size() / 2, write, 1),
               describe_dense);
      return;
    }
    const auto write = [&](size_t i, bool one) { set_nibble(bytes(), i, one ? *q1_ : *q0_); };
    describe("weight codes", declared_weights(stride / 4),
             products(rig_, 2 * bytes().size(), write, 1), describe_weights);
  }

  // A stride of the tensor's rows, experts apart.
  int64_t row_stride(Tensor t) const {
    const w4_tensor* d = rig_.desc(t);
    return d->stride[d->rank - 2];
  }

  void scales() {
    if (dense()) return not_probed("scales", "dense weights have taken them in");
    base();
    write_weights(*q1_);
    const Tensor t = carrier() ? Tensor::carrier : Tensor::scale;
    const auto bytes = rig_.bytes(t);
    const size_t element = carrier() ? 4 : 2;
    const auto write = [&](size_t i, bool one) {
      set_half(rig_.bytes(t), i * element / 2, from_f64(p_.act, one ? 1 : 0));
    };
    describe(carrier() ? "scales in the carrier" : "scales",
             declared_groups(row_stride(t), p_.g, p_.k),
             products(rig_, bytes.size() / element, write, 1), describe_groups);
  }

  void zeros() {
    if (dense()) return;
    if (carrier()) return carrier_terms();
    if (v_.encoding == Encoding::none) {
      if (p_.zp != ZpMode::none) not_recovered("zero points", "no output depends on them");
      return;
    }
    if (v_.encoding == Encoding::neither) {
      return not_recovered("zero points", "their encoding is not known");
    }
    base();
    const auto bytes = rig_.bytes(Tensor::zp);
    const bool packed = v_.encoding == Encoding::packed;
    const auto write = [&](size_t i, bool one) {
      packed ? set_nibble(rig_.bytes(Tensor::zp), i, one ? 1 : 0)
             : set_half(rig_.bytes(Tensor::zp), i, from_f64(p_.act, one ? 1 : 0));
    };
    const auto map = products(rig_, packed ? 2 * bytes.size() : bytes.size() / 2, write, -1);
    const int64_t stride = row_stride(Tensor::zp);
    const Declared declared = p_.zp == ZpMode::packed ? declared_packed(stride, p_.g, p_.k)
                                                      : declared_groups(stride, p_.g, p_.k);
    describe("zero points", declared, map, packed ? describe_packed : describe_groups);
  }

  // The term is -z*s beside fp16 scales, the integer z beside bf16 ones.
  void carrier_terms() {
    base();
    const auto bytes = rig_.bytes(Tensor::carrier);
    const auto write = [&](size_t i, bool one) {
      const uint16_t term = p_.act == DType::f16 ? from_f64(p_.act, one ? -1 : 0)
                                                 : static_cast<uint16_t>(one ? 1 : 0);
      set_half(rig_.bytes(Tensor::carrier), 2 * i + 1, term);
    };
    describe("zero points in the carrier", declared_groups(row_stride(Tensor::carrier), p_.g, p_.k),
             products(rig_, bytes.size() / 4, write, -1), describe_groups);
  }

  Rig& rig_;
  Probed& out_;
  const Problem& p_;
  Values v_;
  std::optional<unsigned> q0_, q1_;
};

BiasShape shape(int rank, Extent a, Extent b = {}) { return {rank, {a, b}}; }

// A call of each shape that the kernel takes; those that it does not are left out with the clause.
void biases(Probed& out, Context& context) {
  constexpr Extent kM{Extent::Of::m, 0}, kN{Extent::Of::n, 0}, kOne{Extent::Of::literal, 1};
  std::string refused;
  bool any = false;
  for (const BiasShape& b : {shape(1, kN), shape(2, kOne, kN), shape(2, kM, kN),
                             shape(2, kOne, kOne), shape(2, kM, kOne)}) {
    Case c = out.line;
    c.problem.bias = b;
    const auto rig = Rig::make(c, context);
    if (!rig) {
      refused = rig.error().text;
      continue;
    }
    any = true;
    unit_scales(**rig);
    const w4_tensor& t = *(*rig)->desc(Tensor::bias);
    const bool repeats_n = t.dim[t.rank - 1] == 1, repeats_m = t.rank == 1 || t.dim[0] == 1;
    const auto write = [&](size_t i, bool one) {
      set_half((*rig)->bytes(Tensor::bias), i, from_f64(c.problem.act, one ? 1 : 0));
    };
    const auto map = additions(**rig, (*rig)->bytes(Tensor::bias).size() / 2, write);
    const Declared declared =
        declared_bias(repeats_m ? 0 : t.stride[0], repeats_n ? 0 : t.stride[t.rank - 1]);
    const std::string recovered = map ? describe_bias(*map) : "not recovered: " + map.error().text;
    out.properties.push_back({"bias " + to_string(b), declared.here, recovered, declared.rule,
                              declared.here == recovered ? Status::ok : Status::differs});
  }
  if (!any) out.properties.push_back({"bias", "", refused, "", Status::not_probed});
}

}  // namespace

std::string_view name_of(Status s) {
  return s == Status::ok ? "ok" : s == Status::differs ? "differs" : "not probed";
}

Probed probe(const Case& line, Context& context) {
  Probed out;
  out.line = line;
  const auto rig = Rig::make(line, context);
  if (!rig) {
    out.error = rig.error().text;
    return out;
  }
  if (const auto done = Prober(**rig, out).run(); !done) {
    out.error = done.error().text;
    return out;
  }
  if (line.problem.silu) {
    out.properties.push_back(
        {"fused silu", "", "its gate hides the products", "", Status::not_probed});
  }
  biases(out, context);
  if (std::ranges::any_of(out.properties,
                          [](const Property& p) { return p.status == Status::differs; })) {
    for (const Outcome& o : run_case(line, context).outcomes) {
      const auto* found = std::get_if<Found>(&o);
      if (found == nullptr) continue;
      for (const Finding& f : found->findings) out.findings.push_back(to_string(f));
    }
  }
  return out;
}

}  // namespace w4::probe
