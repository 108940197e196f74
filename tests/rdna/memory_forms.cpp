// Forms of memory, control and matrix instructions and of VOPD.
#include <fmt/format.h>

#include "rdna/catalogue.h"
#include "tests/rdna/forms.h"

namespace w4::rdna {
namespace {

bool has(std::string_view s, std::string_view part) { return s.find(part) != s.npos; }

// Data registers of 1 to 4 words, one of which an instruction takes.
const char* const kData[] = {"v5", "v[6:7]", "v[16:18]", "v[20:23]"};

class Writer {
 public:
  explicit Writer(std::string_view m) : m_(m) {}
  void add(const std::string& operands, const std::string& want, int imms,
           const std::string& values) {
    forms.push_back({m_ + (operands.empty() ? "" : " ") + operands,
                     m_ + " " + want + (imms ? " #" + values : ""), imms, m_});
  }
  std::vector<Form> forms;

 private:
  std::string m_;
};

// One address with its text after the operands and what the Op says: vector part, scalar part.
struct Address {
  std::string text, vector, scalar;
};

std::vector<Form> vmem(std::string_view m) {
  Writer w(m);
  const bool scratch = m.starts_with("scratch_"), flat = m.starts_with("flat_");
  std::vector<Address> at;
  if (flat)
    at = {{"v[2:3]", "v[2:3]", "off"}};
  else if (scratch)
    at = {{"v1, off", "v1", "off"},
          {"off, s4", "off", "s4"},
          {"v1, s4", "v1", "s4"},
          {"off, off", "off", "off"}};
  else
    at = {
        {"v[2:3], off", "v[2:3]", "off"}, {"v1, s[2:3]", "v1", "s[2:3]"}, {"v1, vcc", "v1", "vcc"}};
  const bool load = has(m, "_load_"), atomic = has(m, "_atomic_");
  for (const Address& a : at) {
    for (const char* d : kData) {
      for (const int offset : {0, 4, 2047, -4, -4096, 8388607, -8388608}) {
        const std::string tail = offset ? fmt::format(" offset:{}", offset) : "";
        const std::string imm = std::to_string(offset);
        const std::string addr = a.vector + ", " + a.scalar;
        if (load) {
          w.add(fmt::format("{}, {}{}", d, a.text, tail), fmt::format("{} <- {}, off", d, addr), 1,
                imm);
          continue;
        }
        // Stores and atomics: the vector address, data, then the scalar part.
        const size_t comma = a.text.find(", ");
        const std::string first = a.text.substr(0, comma);
        const std::string rest = comma == a.text.npos ? "" : a.text.substr(comma);
        const std::string store = fmt::format("{}, {}{}{}", first, d, rest, tail);
        w.add(store, fmt::format(" <- {}, {}", addr, d), 1, imm);
        if (!atomic || offset > 4) continue;
        for (const char* ret : {" glc", " th:TH_ATOMIC_RETURN"}) {
          w.add("v30, " + store + ret, fmt::format("v30 <- {}, {}", addr, d), 1, imm);
          w.add("v[30:31], " + store + ret, fmt::format("v[30:31] <- {}, {}", addr, d), 1, imm);
        }
      }
    }
  }
  for (const char* scope : {"", "scope:SCOPE_SYS", "scope:SCOPE_DEV"})  // global_inv and its like
    w.add(scope, " <- off, off, off", 0, "");
  return w.forms;
}

std::vector<Form> buffer(std::string_view m) {
  Writer w(m);
  w.add("", " <- ", 0, "");
  const bool load = has(m, "_load_"), atomic = has(m, "_atomic_");
  const Address at[] = {{"off", "off", ""},
                        {"v1", "v1", " offen"},
                        {"v1", "v1", " idxen"},
                        {"v[2:3]", "v[2:3]", " idxen offen"}};
  for (const Address& a : at) {
    for (const char* d : kData) {
      for (const char* soffset : {"s3", "m0", "null"}) {
        for (const int offset : {0, 4, 4095, 8388607}) {
          const std::string tail = a.scalar + (offset ? fmt::format(" offset:{}", offset) : "");
          const std::string text = fmt::format("{}, {}, s[8:11], {}{}", d, a.text, soffset, tail);
          const std::string src =
              fmt::format("{}, s[8:11], {}, {}", a.vector, load ? "off" : d, soffset);
          w.add(text, fmt::format("{} <- {}", load ? d : "", src), 1, std::to_string(offset));
          if (!atomic) continue;
          for (const char* ret : {" glc", " th:TH_ATOMIC_RETURN"})
            w.add(text + ret, fmt::format("{} <- {}", d, src), 1, std::to_string(offset));
        }
      }
    }
  }
  return w.forms;
}

std::vector<Form> ds(std::string_view m) {
  Writer w(m);
  const bool two = has(m, "2addr");
  const std::string tail = two ? " offset0:3 offset1:255" : " offset:65532";
  const int imms = two ? 2 : 1;
  const std::string values = two ? "3,255" : "65532";
  const auto add = [&](const std::string& text, const std::string& want) {
    w.add(text, want, imms, two ? "0,0" : "0");
    w.add(text + tail, want, imms, values);
  };
  // The destination comes first in the text of what gives one back.
  bool gives = false;
  for (const char* part : {"_load_", "_rtn_", "permute", "swizzle", "condxchg"})
    gives |= has(m, part);
  add("v5", "v5 <- ");  // append, consume
  for (const char* d : kData) {
    if (gives) {
      add(fmt::format("{}, v1", d), fmt::format("{} <- v1", d));
    } else {
      add(fmt::format("v1, {}", d), fmt::format(" <- v1, {}", d));
    }
    for (const char* e : {"v40", "v[42:43]"}) {
      if (gives) {
        add(fmt::format("{}, v1, {}", d, e), fmt::format("{} <- v1, {}", d, e));
      } else {
        add(fmt::format("v1, {}, {}", d, e), fmt::format(" <- v1, {}, {}", d, e));
      }
      for (const char* f : {"v46", "v[48:49]"}) {
        if (gives)
          add(fmt::format("{}, v1, {}, {}", d, e, f), fmt::format("{} <- v1, {}, {}", d, e, f));
      }
    }
  }
  return w.forms;
}

std::vector<Form> smem(std::string_view m) {
  Writer w(m);
  w.add("", " <- ", 0, "");
  for (const char* base : {"s[2:3]", "s[8:11]"}) {  // prefetches: length as register and number
    w.add(fmt::format("{}, 0x10, s5, 4", base), fmt::format(" <- {}, s5", base), 1, "16");
    w.add(fmt::format("0x10, s5, 4"), " <- s5", 1, "16");
  }
  for (const char* d : {"s20", "s[20:21]", "s[20:22]", "s[20:23]", "s[24:31]", "s[32:47]"}) {
    for (const char* base : {"s[2:3]", "s[8:11]"}) {
      const std::string front = fmt::format("{}, {}", d, base);
      for (const int offset : {0, 4, 0xffff, 0xfffff, 0x7fffff, -4, -1048576, -8388608}) {
        const std::string sign = offset < 0 ? "-" : "";
        w.add(fmt::format("{}, {}{:#x}", front, sign, std::abs(offset)),
              fmt::format("{} <- {}", d, base), 1, std::to_string(offset));
        w.add(fmt::format("{}, s5 offset:{}{:#x}", front, sign, std::abs(offset)),
              fmt::format("{} <- {}, s5", d, base), 1, std::to_string(offset));
        // Without an offset the register may stay, as null.
        if (offset == 0)
          w.add(fmt::format("{}, 0x0", front), fmt::format("{} <- {}, null", d, base), 1, "0");
        if (offset == 0)
          w.add(fmt::format("{}, null offset:0x0", front), fmt::format("{} <- {}, null", d, base),
                1, "0");
        w.add(fmt::format("{}, null offset:{}{:#x}", front, sign, std::abs(offset)),
              fmt::format("{} <- {}", d, base), 1, std::to_string(offset));
      }
      w.add(fmt::format("{}, s5", front), fmt::format("{} <- {}, s5", d, base), 1, "0");
      w.add(fmt::format("{}, m0", front), fmt::format("{} <- {}, m0", d, base), 1, "0");
    }
  }
  return w.forms;
}

std::vector<Form> control(std::string_view m) {
  Writer w(m);
  w.add("", " <- ", 0, "");
  const bool reads_constant = has(m, "swappc") || has(m, "sleep_var");  // a source, no immediate
  if (!reads_constant && m != "s_version") w.add("4", " <- ", 1, "4");
  if (!reads_constant) w.add("0x1234", " <- ", 1, "4660");
  const bool reads = has(m, "cmpk") || has(m, "setreg");
  w.add("s20, 0x8001", reads ? " <- s20" : "s20 <- ", 1,
        has(m, "reg")       ? "32769"
        : has(m, "sendmsg") ? "1"
                            : "-32767");
  if (!reads_constant)
    w.add("null, 0x5", reads || has(m, "waitcnt") ? " <- null" : "null <- ", 1, "5");
  if (!reads_constant) w.add("s[20:21], 4", "s[20:21] <- ", 1, "4");
  w.add("s[20:21]", has(m, "setpc") ? " <- s[20:21]" : "s[20:21] <- ", 0, "");
  w.add("s20", " <- s20", 0, "");
  w.add("s[20:21], s[10:11]", "s[20:21] <- s[10:11]", 0, "");
  w.add("s20, hwreg(HW_REG_MODE, 4, 2)", "s20 <- ", 1, "2305");
  w.add("hwreg(HW_REG_MODE, 4, 2), s20", " <- s20", 1, "2305");
  w.add("hwreg(HW_REG_MODE, 4, 2), 0x12345678", " <- ", 1, "305419896");
  if (has(m, "barrier")) w.add("-1", " <- ", 1, "-1");
  // M0 of s_barrier_signal is no operand: its Op has barrier 0, which is Unsupported.
  w.add("m0", has(m, "barrier_signal") ? " <- " : " <- m0", 0, "");
  w.add("sendmsg(MSG_INTERRUPT)", " <- ", 1, "1");
  w.add("s20, sendmsg(MSG_RTN_GET_DOORBELL)", "s20 <- ", 1, "128");
  w.add("s[20:21], sendmsg(MSG_RTN_GET_REALTIME)", "s[20:21] <- ", 1, "131");
  return w.forms;
}

std::vector<Form> wmma(std::string_view m) {
  Writer w(m);
  const struct {
    const char *d, *a, *b;
  } sizes[] = {{"v[16:23]", "v[0:7]", "v[8:15]"},
               {"v[16:23]", "v[0:3]", "v[8:11]"},
               {"v[16:19]", "v[0:3]", "v[8:11]"},
               {"v[16:23]", "v[0:1]", "v[8:9]"},
               {"v[16:23]", "v0", "v8"}};
  for (const auto& s : sizes) {
    const std::string text = fmt::format("{}, {}, {}, {}", s.d, s.a, s.b, s.d);
    const auto want = [&](const char* a, const char* b, const char* c) {
      return fmt::format("{} <- {}{}, {}{}, {}{}", s.d, s.a, a, s.b, b, s.d, c);
    };
    const bool integer = m.starts_with("v_wmma_i32");
    w.add(text, want("{8}", "{8}", "{8}"), 0, "");
    w.add(text + " clamp", want("{8}", "{8}", "{8}") + " clamp", 0, "");
    w.add(text + " neg_lo:[1,0,0]", want("{9}", "{8}", "{8}"), 0, "");
    w.add(text + " neg_lo:[0,1,0]", want("{8}", "{9}", "{8}"), 0, "");
    // Forms without op_sel have no op_sel_hi either.
    w.add(text, want("", "", ""), 0, "");
    w.add(text + " clamp", want("", "", "") + " clamp", 0, "");
    w.add(text + " neg_lo:[1,0,0]", want("{1}", "", ""), 0, "");
    w.add(text + " neg_lo:[0,1,0]", want("", "{1}", ""), 0, "");
    if (integer) continue;
    w.add(text + " neg_lo:[0,0,1]", want("", "", "{1}"), 0, "");
    w.add(text + " neg_hi:[1,0,0]", want("{2}", "", ""), 0, "");
    w.add(text + " neg_hi:[0,0,1]", want("", "", "{2}"), 0, "");
    w.add(text + " neg_lo:[0,0,1]", want("{8}", "{8}", "{9}"), 0, "");
    w.add(text + " neg_hi:[1,0,0]", want("{10}", "{8}", "{8}"), 0, "");
    w.add(text + " neg_hi:[0,0,1]", want("{8}", "{8}", "{10}"), 0, "");
  }
  return w.forms;
}

}  // namespace

std::vector<Form> other_forms(std::string_view m) {
  const std::string_view c = isa_class(m);
  if (c == "DS") return ds(m);
  if (c == "MUBUF") return buffer(m);
  if (c == "FLAT" || c == "GLOBAL" || c == "SCRATCH") return vmem(m);
  if (c == "SMEM") return smem(m);
  if (c == "WMMA") return wmma(m);
  return control(m);
}

std::vector<Form> dual_forms() {
  // Registers of different banks, destinations of different parity.
  struct Half {
    const char *name, *row, *x, *y, *want_x, *want_y;
  };
  std::vector<Half> halves;
  for (const char* op :
       {"add_f32", "sub_f32", "subrev_f32", "mul_f32", "mul_dx9_zero_f32", "max_f32", "min_f32",
        "max_num_f32", "min_num_f32", "fmac_f32", "add_nc_u32", "lshlrev_b32", "and_b32"}) {
    halves.push_back({op, op, "v4, v1, v2", "v7, v10, v11", "v4 <- v1, v2", "v7 <- v10, v11"});
  }
  halves.push_back({"dot2acc_f32_f16", "dot2acc_f32_f16", "v4, v1, v2", "v7, v10, v11",
                    "v4 <- v1{8}, v2{8}", "v7 <- v10{8}, v11{8}"});
  halves.push_back({"mov_b32", "mov_b32", "v4, v1", "v7, v10", "v4 <- v1", "v7 <- v10"});
  halves.push_back({"cndmask_b32", "cndmask_b32", "v4, v1, v2", "v7, v10, v11",
                    "v4 <- v1, v2, vcc_lo", "v7 <- v10, v11, vcc_lo"});
  halves.push_back({"fmaak_f32", "fmaak_f32", "v4, v1, v2, 0x12345678", "v7, v10, v11, 0x12345678",
                    "v4 <- v1, v2, 0x12345678", "v7 <- v10, v11, 0x12345678"});
  halves.push_back({"fmamk_f32", "fmamk_f32", "v4, v1, 0x12345678, v2", "v7, v10, 0x12345678, v11",
                    "v4 <- v1, 0x12345678, v2", "v7 <- v10, 0x12345678, v11"});
  halves.push_back({"mul_f32", "mul_f32", "v4, s5, v2", "v7, -4.0, v11", "v4 <- s5, v2",
                    "v7 <- 0xc0800000, v11"});
  halves.push_back({"add_f32", "add_f32", "v4, 0x12345678, v2", "v7, 0x12345678, v11",
                    "v4 <- 0x12345678, v2", "v7 <- 0x12345678, v11"});
  std::vector<Form> out;
  for (const Half& x : halves) {
    for (const Half& y : halves) {
      out.push_back({fmt::format("v_dual_{} {} :: v_dual_{} {}", x.name, x.x, y.name, y.y),
                     fmt::format("v_{} {} :: v_{} {}", x.row, x.want_x, y.row, y.want_y), 0, ""});
    }
  }
  return out;
}

}  // namespace w4::rdna
