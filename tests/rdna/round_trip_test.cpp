// Text to bytes by MC, bytes to an Op by our decoder, the Op to text by op_text: what comes back
// must be what was asked for. Every form of every mnemonic of the table that an arch has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "rdna/catalogue.h"
#include "rdna/memory_impl.h"
#include "rdna/program.h"
#include "tests/rdna/assemble.h"
#include "tests/rdna/forms.h"
#include "tests/rdna/op_text.h"

namespace w4::rdna {
namespace {

constexpr uint64_t kBase = 0x1000;

// The Ops of consecutive instructions.
class Code {
 public:
  Code(const std::string& arch, std::vector<std::byte> bytes)
      : bytes_(std::move(bytes)), program_(code_, 64) {
    code_.arch = arch;
    code_.major = arch.starts_with("gfx12") ? 12 : 11;
    auto mc = Mc::create(arch);
    EXPECT_TRUE(mc.has_value());
    if (mc) code_.mc = std::move(*mc);
    code_.segments.push_back({kBase, bytes_.size(), bytes_, false, true});
  }
  Op next() {
    const Op op = decode(program_, kBase + at_);
    at_ += op.size;
    return op;
  }
  bool done() const { return at_ == bytes_.size(); }

 private:
  std::vector<std::byte> bytes_;
  CodeObject::Impl code_;
  Program program_;
  uint64_t at_ = 0;
};

bool is_alu(const Row& r) {
  const std::string_view c = isa_class(r.mnemonic);
  if (c.starts_with("VOP")) return true;
  if (r.family == "branch" || r.family == "hardware") return false;
  return c == "SOP1" || c == "SOP2" || c == "SOPC";
}
// Said to be Unsupported by the decoder: of VOP3 DPP of v_fmac LLVM 19 gives more operands than it
// describes.
bool not_implemented(const Form& f) {
  return f.text.starts_with("v_fmac_f") && f.text.find("dpp") != f.text.npos;
}
// gfx12 has some instructions under new names and takes the old ones for them.
std::string renamed(const std::string& want) {
  static const std::map<std::string, std::string> names = {
      {"flat_atomic_csub_u32", "flat_atomic_sub_clamp_u32"},
      {"s_waitcnt_depctr", "s_wait_alu"},
      {"s_add_i32", "s_add_co_i32"},
      {"s_sub_i32", "s_sub_co_i32"},
      {"s_add_u32", "s_add_co_u32"},
      {"s_sub_u32", "s_sub_co_u32"},
      {"s_addc_u32", "s_add_co_ci_u32"},
      {"s_subb_u32", "s_sub_co_ci_u32"},
      {"s_addk_i32", "s_addk_co_i32"},
      {"v_mad_i64_i32", "v_mad_co_i64_i32"},
      {"v_mad_u64_u32", "v_mad_co_u64_u32"},
      {"buffer_atomic_csub_u32", "buffer_atomic_sub_clamp_u32"},
      {"global_atomic_csub_u32", "global_atomic_sub_clamp_u32"}};
  const size_t end = want.find(' ');
  const auto it = names.find(want.substr(0, end));
  if (it != names.end()) return it->second + want.substr(end);
  // Minima and maxima of floats are the _num forms.
  const size_t type = std::min(want.rfind("_f", end), want.rfind("_rtn_f", end));
  return type < end ? want.substr(0, type) + "_num" + want.substr(type) : want;
}

std::vector<std::string> texts(const std::vector<Form>& forms) {
  std::vector<std::string> t;
  for (const Form& f : forms) t.push_back(f.text);
  return t;
}

std::vector<Form> all_forms(const std::string& arch) {
  std::vector<Shape> shapes;
  std::vector<std::string> lines;
  for (const Row* r : all_rows()) {
    if (!is_alu(*r)) continue;
    for (Shape& s : shapes_to_try(r->mnemonic)) {
      lines.push_back(s.text());
      shapes.push_back(std::move(s));
    }
  }
  const Batch batch = assemble_lines(arch, lines);
  std::vector<Form> forms = dual_forms();
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!batch.accepted[i]) continue;
    for (Form& f : alu_forms(shapes[i])) forms.push_back(std::move(f));
  }
  for (const Row* r : all_rows()) {
    if (is_alu(*r)) continue;
    for (Form& f : other_forms(r->mnemonic)) forms.push_back(std::move(f));
  }
  return forms;
}

struct Counts {
  size_t taken = 0, refused = 0;
};
std::map<std::string, Counts> counts;          // by class, all archs
std::set<std::string, std::less<>> mnemonics;  // that some arch gave back
size_t unsupported = 0;

// At the end, when every arch was asked: what was taken, and that no row is left out.
class RoundTrip : public testing::TestWithParam<const char*> {
 public:
  static void TearDownTestSuite() {
    size_t taken = 0;
    for (const auto& [name, c] : counts) {
      std::printf("%s: %zu forms round, %zu refused by MC\n", name.c_str(), c.taken, c.refused);
      taken += c.taken;
    }
    std::printf("%zu forms in all, %zu of them Unsupported (VOP3 DPP of v_fmac)\n", taken,
                unsupported);
    const testing::TestSuite* suite = testing::UnitTest::GetInstance()->current_test_suite();
    if (suite->test_to_run_count() != suite->total_test_count()) {
      std::printf("not all archs were asked: the rows are not counted\n");
      return;
    }
    EXPECT_GE(taken, 150000u);
    for (const Row* r : all_rows()) {
      // Made with its global twin; gfx12 calls it sub_clamp, gfx11 has none.
      if (r->mnemonic == "flat_atomic_csub_u32") continue;
      EXPECT_TRUE(mnemonics.contains(r->mnemonic)) << r->mnemonic << " never came back";
    }
  }
};

TEST_P(RoundTrip, TheDecoderUnderstandsWhatWasAsked) {
  const std::vector<Form> forms = all_forms(GetParam());
  const Batch batch = assemble_lines(GetParam(), texts(forms));
  Code code(GetParam(), batch.bytes);
  // A text may have been read in several ways (a register before an immediate is the destination of
  // one instruction, the source of another): one of them must be what the decoder says.
  std::map<std::string, std::pair<bool, std::string>> readings;
  for (size_t i = 0; i < forms.size(); ++i) {
    const Form& f = forms[i];
    Counts& c = counts[f.mnemonic.empty() ? "VOPD" : std::string(isa_class(f.mnemonic))];
    ++(batch.accepted[i] ? c.taken : c.refused);
    if (!batch.accepted[i]) continue;
    const std::string got = op_text(code.next(), f.imms);
    auto& [right, said] = readings[f.text];
    bool same = got == f.want || got == renamed(f.want);
    if (same) mnemonics.insert(f.mnemonic);
    if (not_implemented(f) && got.starts_with("(no row)")) {
      ++unsupported;
      same = true;
    }
    right |= same;
    said = "gives " + got + "\n  not   " + f.want;
  }
  int wrong = 0;
  for (const auto& [text, reading] : readings) {
    if (!reading.first && ++wrong <= 100) ADD_FAILURE() << text << "\n  " << reading.second;
  }
  EXPECT_TRUE(code.done());
}

INSTANTIATE_TEST_SUITE_P(Archs, RoundTrip, testing::Values("gfx1100", "gfx1151", "gfx1201"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace w4::rdna
