#include "tests/rdna/forms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rdna/catalogue.h"

namespace w4::rdna {
namespace {

using Strings = std::vector<std::string>;

bool has(std::string_view s, std::string_view part) { return s.find(part) != s.npos; }

// Bits of one source element, by the last type of the mnemonic; 0 where sources differ.
int width(std::string_view m) {
  for (std::string_view mixed :
       {"mad_u32_u16", "mad_i32_i16", "ldexp",   "fma_mix",   "lshlrev_b64", "lshrrev_b64",
        "ashrrev_i64", "mad_u64",     "mad_i64", "mad_co",    "class",       "cndmask",
        "dot2",        "dot4",        "dot8",    "pack",      "s_lsh",       "s_ashr",
        "s_bfe",       "s_bfm",       "bitcmp",  "bitset",    "sext",        "v_cvt_f32_ubyte",
        "sad",         "s_cvt",       "sat_pk",  "trig_preop"}) {
    if (has(m, mixed)) return 0;
  }
  // Here LLVM 19 reads the inline constants of a 16-bit source as fp32.
  if (isa_class(m) == "SOP1" && m.ends_with("f16")) return 0;
  const auto ends = [&](std::string_view n) { return m.ends_with(n); };
  if (ends("16")) return 16;
  if (ends("32")) return 32;
  return ends("64") ? 64 : 0;
}
bool is_float(std::string_view m) {
  return m.ends_with("f16") || m.ends_with("f32") || m.ends_with("f64");
}
bool is_packed(std::string_view m) { return isa_class(m) == "VOP3P"; }
bool is_vector(std::string_view m) { return m.starts_with("v_"); }

// What neg_lo, op_sel_hi and their like stand at where the text says nothing.
bool packs_by_default(std::string_view m) {
  return m.starts_with("v_pk_") || m.starts_with("v_dot2_f32") || m.starts_with("v_dot2acc_") ||
         m.starts_with("v_dot4_") || m.starts_with("v_dot8_");
}

Form form(const Shape& s, const std::string& suffix, const Strings& src, const Strings& want_src,
          const std::string& tail, const std::string& want_tail) {
  Shape t = s;
  t.src = src;
  return {t.text(suffix) + tail,
          fmt::format("{} {} <- {}{}", s.mnemonic, fmt::join(s.dst, ", "),
                      fmt::join(want_src, ", "), want_tail),
          0, s.mnemonic};
}

std::string with_mods(const std::string& operand, int mods) {
  return mods ? operand + "{" + std::to_string(mods) + "}" : operand;
}

// The constants of an operand of n bits: text and canonical value.
struct Constant {
  std::string text, want;
};
std::vector<Constant> constants(std::string_view m, int n) {
  std::vector<Constant> out;
  const auto add = [&](const char* text, uint64_t v) {
    out.push_back({text, n == 64 ? fmt::format("{:#x}:{:#x}", v >> 32, v & 0xffffffff)
                                 : fmt::format("{:#x}", v & 0xffffffff)});
  };
  add("64", 64);
  add("-16", ~uint64_t{15});
  if (n == 16) add("0.5", 0x3800), add("-4.0", 0xc400), add("0x3456", 0x3456);
  if (n == 32) add("0.5", 0x3f000000), add("-4.0", 0xc0800000), add("0x12345678", 0x12345678);
  if (n == 64) {
    add("0.5", 0x3fe0000000000000);
    add("-4.0", 0xc010000000000000);
    // The literal of a 64-bit float is its high word; of an integer its low one.
    add("0x12345678", m.ends_with("f64") ? uint64_t{0x12345678} << 32 : 0x12345678);
  }
  return out;
}

Strings default_sources(const Shape& s) {
  Strings out = s.src;
  if (packs_by_default(s.mnemonic)) {
    for (std::string& x : out) x = with_mods(x, 8);
  }
  return out;
}

// "v_cmpx_*" writes EXEC, which no text names.
void name_exec(Form& f) {
  if (f.mnemonic.starts_with("v_cmpx_")) {
    const size_t at = f.want.find("  <-");
    f.want.replace(at, 1, " exec_lo");
  }
}

void operand_kinds(const Shape& s, const std::string& suffix, std::vector<Form>& out) {
  for (size_t i = 0; i < s.src.size(); ++i) {
    const bool wide = has(s.src[i], ":");
    Strings other = wide ? Strings{"s[24:25]", "vcc", "exec"}
                         : Strings{"s24", "vcc_hi", "m0", "ttmp5", "exec_lo"};
    other.push_back("null");
    Strings mods_free = default_sources(s);
    for (const std::string& o : other) {
      if (o == "null" && wide) continue;  // printed by its number of words
      Strings src = s.src, want = mods_free;
      src[i] = o;
      want[i] = packs_by_default(s.mnemonic) ? with_mods(o, 8) : o;
      out.push_back(form(s, suffix, src, want, "", ""));
    }
    const int n = width(s.mnemonic);
    if (n == 0 || is_packed(s.mnemonic)) continue;
    for (const Constant& c : constants(s.mnemonic, n)) {
      Strings src = s.src, want = mods_free;
      src[i] = c.text;
      want[i] = c.want;
      out.push_back(form(s, suffix, src, want, "", ""));
      if (!c.want.starts_with("0xffff") || n != 16) continue;
      want[i] = "0x" + c.want.substr(6);  // as a literal it has no more than its 16 bits
      out.push_back(form(s, suffix, src, want, "", ""));
    }
  }
}

void source_modifiers(const Shape& s, const std::string& suffix, const std::string& tail,
                      const std::string& want_tail, std::vector<Form>& out) {
  for (size_t i = 0; i < s.src.size(); ++i) {
    if (s.src[i].starts_with("0x")) continue;          // a sign before a literal is the literal's
    if (s.mnemonic.starts_with("v_div_scale")) break;  // VOP3SD has no abs, MC drops it
    const struct {
      const char *before, *after;
      int mods;
    } kinds[] = {{"-", "", 1}, {"|", "|", 2}, {"-|", "|", 3}};
    for (const auto& k : kinds) {
      Strings src = s.src, want = default_sources(s);
      src[i] = k.before + src[i] + k.after;
      want[i] = with_mods(s.src[i], k.mods + (s.mnemonic.starts_with("v_dot2acc_") ? 8 : 0));
      out.push_back(form(s, suffix, src, want, tail, want_tail));
    }
  }
}

void vop3_modifiers(const Shape& s, std::vector<Form>& out) {
  const Strings plain = default_sources(s);
  source_modifiers(s, "_e64", "", "", out);
  out.push_back(form(s, "_e64", s.src, plain, " clamp", " clamp"));
  if (is_float(s.mnemonic)) {
    out.push_back(form(s, "_e64", s.src, plain, " mul:2", " omod:1"));
    out.push_back(form(s, "_e64", s.src, plain, " mul:4", " omod:2"));
    out.push_back(form(s, "_e64", s.src, plain, " div:2", " omod:3"));
    out.push_back(form(s, "_e64", s.src, plain, " clamp div:2", " clamp omod:3"));
  }
  // op_sel: one bit a source, then the destination's, which rides on the first source. Permlane
  // takes the second as bound_ctrl.
  if (s.mnemonic == "v_fmac_f16") return;  // its third source is the destination
  for (size_t i = 0; i <= s.src.size(); ++i) {
    std::vector<int> bits(s.src.size() + 1);
    bits[i] = 1;
    Strings want = plain;
    const bool dst = i == s.src.size();
    if (!want.empty()) want[dst ? 0 : i] = with_mods(s.src[dst ? 0 : i], dst ? 8 : 4);
    out.push_back(
        form(s, "_e64", s.src, want, fmt::format(" op_sel:[{}]", fmt::join(bits, ",")), ""));
    if (dst) continue;
    bits.pop_back();
    out.push_back(
        form(s, "_e64", s.src, want, fmt::format(" op_sel:[{}]", fmt::join(bits, ",")), ""));
  }
}

void packed_modifiers(const Shape& s, std::vector<Form>& out) {
  const struct {
    const char* name;
    int bit, rest;
  } kinds[] = {{"op_sel", 4, 0}, {"op_sel_hi", 8, 1}, {"neg_lo", 1, 0}, {"neg_hi", 2, 0}};
  const int base = packs_by_default(s.mnemonic) ? 8 : 0;
  for (const auto& k : kinds) {
    for (size_t i = 0; i < s.src.size(); ++i) {
      std::vector<int> bits(s.src.size(), k.rest);
      bits[i] = 1 - k.rest;
      Strings want;
      for (size_t j = 0; j < s.src.size(); ++j) {
        int mods = base;
        if (k.bit == 8)
          mods = 8 * bits[j];
        else if (bits[j])
          mods |= k.bit;
        want.push_back(with_mods(s.src[j], mods));
      }
      out.push_back(
          form(s, "", s.src, want, fmt::format(" {}:[{}]", k.name, fmt::join(bits, ",")), ""));
    }
  }
  if (s.mnemonic.starts_with("v_fma_mix")) source_modifiers(s, "", "", "", out);
  out.push_back(form(s, "", s.src, default_sources(s), " clamp", " clamp"));
}

void dpp_forms(const Shape& s, std::vector<Form>& out) {
  const Strings plain = default_sources(s);
  const struct {
    const char *text, *want;
  } controls[] = {
      {"quad_perm:[3,2,1,0] row_mask:0x5 bank_mask:0x3", "0x1b/5/3/0"},
      {"quad_perm:[0,1,1,3] row_mask:0xf bank_mask:0xf fi:1", "0xd4/15/15/2"},
      {"row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1", "0x101/15/15/1"},
      {"row_shr:15 row_mask:0xa bank_mask:0xc bound_ctrl:1 fi:1", "0x11f/10/12/3"},
      {"row_ror:7 row_mask:0xf bank_mask:0xf", "0x127/15/15/0"},
      {"row_mirror row_mask:0xf bank_mask:0xf", "0x140/15/15/0"},
      {"row_half_mirror row_mask:0xf bank_mask:0xf", "0x141/15/15/0"},
      {"row_share:5 row_mask:0xf bank_mask:0xf", "0x155/15/15/0"},
      {"row_xmask:9 row_mask:0xf bank_mask:0xf", "0x169/15/15/0"},
      {"dpp8:[7,6,5,4,3,2,1,0]", "0x53977/15/15/1"},
      {"dpp8:[0,0,1,1,2,2,3,3] fi:1", "0x6d2240/15/15/3"},
  };
  for (const char* suffix : {"_dpp", "_e64_dpp"}) {
    for (const auto& c : controls) {
      out.push_back(
          form(s, suffix, s.src, plain, std::string(" ") + c.text, std::string(" dpp:") + c.want));
    }
    source_modifiers(s, suffix, " row_shl:3 row_mask:0xf bank_mask:0xf", " dpp:0x103/15/15/0", out);
  }
}

}  // namespace

std::string Shape::text(const std::string& suffix) const {
  Strings all = dst;
  all.insert(all.end(), src.begin(), src.end());
  return fmt::format("{}{} {}", mnemonic, suffix, fmt::join(all, ", "));
}

std::vector<Shape> shapes_to_try(std::string_view mnemonic) {
  const std::string m(mnemonic);
  std::vector<Strings> dsts;
  Strings narrow = {"v1", "v2", "v3"}, wide = {"v[10:11]", "v[12:13]", "v[14:15]"};
  if (!is_vector(m)) {
    dsts = isa_class(m) == "SOPC" ? std::vector<Strings>{{}}
                                  : std::vector<Strings>{{"s20"}, {"s[20:21]"}};
    narrow = {"s4", "s5", "s6"};
    wide = {"s[10:11]", "s[12:13]", "s[14:15]"};
  } else if (m.starts_with("v_cmpx_")) {
    dsts = {{}};
  } else if (m.starts_with("v_cmp_")) {
    dsts = {{"vcc_lo"}, {"s20"}};
  } else if (m.starts_with("v_s_") || m.starts_with("v_readlane") || m.starts_with("v_readfirst")) {
    dsts = {{"s20"}};
    if (m.starts_with("v_s_")) narrow = {"s4", "s5", "s6"};
  } else if (has(m, "_co_") || has(m, "div_scale") || has(m, "v_mad_u64") || has(m, "v_mad_i64")) {
    dsts = {{"v5", "vcc_lo"}, {"v5", "s20"}, {"v[6:7]", "s20"}, {"v[6:7]", "vcc_lo"}};
  } else {
    dsts = {{"v5"}, {"v[6:7]"}};
  }
  std::vector<Shape> out = {{m, {}, {}}};
  for (const Strings& d : dsts) {
    for (size_t n = 0; n <= 3; ++n) {
      // One source less is taken, with VCC for it.
      if (m.starts_with("v_cmp") && n != 2) continue;
      if (has(m, "cndmask") || has(m, "_co_ci_u32")) {
        if (is_vector(m)) continue;
      }
      for (unsigned widths = 0; widths < 1u << n; ++widths) {
        Strings src;
        for (size_t i = 0; i < n; ++i) src.push_back((widths >> i & 1 ? wide : narrow)[i]);
        out.push_back({m, d, src});
      }
    }
    if (has(m, "lane")) {
      out.push_back({m, d, {"v1", "s21"}});
      out.push_back({m, d, {"s22", "s21"}});
      out.push_back({m, d, {"v1", "s21", "s22"}});
    }
    if (has(m, "mqsad_u32")) out.push_back({m, {"v[24:27]"}, {wide[0], narrow[1], "v[16:19]"}});
    if (m.starts_with("v_cmp")) continue;
    for (const char* mask : {"vcc_lo", "s21"}) out.push_back({m, d, {"v1", "v2", mask}});
    if (!has(m, "fmaak") && !has(m, "fmamk")) continue;
    const char* literal = m.ends_with("16") ? "0x3456" : "0x12345678";
    out.push_back({m, d, {narrow[0], narrow[1], literal}});
    out.push_back({m, d, {narrow[0], literal, narrow[1]}});
  }
  return out;
}

std::vector<Form> alu_forms(const Shape& s) {
  std::vector<Form> out;
  const Strings plain = default_sources(s);
  const bool vector = is_vector(s.mnemonic);
  for (const char* suffix : {"", "_e32", "_e64"}) {
    if (!vector && *suffix) continue;
    out.push_back(form(s, suffix, s.src, plain, "", ""));
    operand_kinds(s, suffix, out);
  }
  if (vector && !is_packed(s.mnemonic)) {
    vop3_modifiers(s, out);
    dpp_forms(s, out);
  }
  if (is_packed(s.mnemonic)) packed_modifiers(s, out);
  if (!vector) {  // other destinations of the SALU
    for (const char* d : {"vcc_hi", "m0", "null", "exec_lo", "ttmp7"}) {
      Shape t = s;
      if (t.dst.size() != 1 || t.dst[0] != "s20") continue;
      t.dst[0] = d;
      out.push_back(form(t, "", t.src, plain, "", ""));
    }
  }
  for (Form& f : out) {
    name_exec(f);
    // Two registers change; the base of a relative destination is read as a number.
    if (s.mnemonic == "v_swap_b32") f.want = "v_swap_b32 v5, v1 <- ";
    if (s.mnemonic.starts_with("s_movreld_"))
      f.want.replace(f.want.find(" <- "), 4, ", ").insert(s.mnemonic.size() + 1, " <- ");
  }
  return out;
}

}  // namespace w4::rdna
