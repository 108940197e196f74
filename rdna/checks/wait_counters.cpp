#include "rdna/checks/wait_counters.h"

#include <algorithm>
#include <bit>

#include "rdna/report.h"
#include "rdna/workgroup.h"

namespace w4::rdna {
namespace {

constexpr uint32_t kMostInFlight = 63;  // of a 6-bit counter: hardware stalls above it
constexpr int kFirstSgpr = 256;

bool any_of(std::string_view m, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [m](std::string_view s) { return m.starts_with(s); });
}

std::string name_of_register(int reg) {
  if (reg < kFirstSgpr) return fmt::format("v{}", reg);
  const int s = reg - kFirstSgpr;
  if (s == kVcc || s == kVcc + 1) return s == kVcc ? "vcc_lo" : "vcc_hi";
  return s == kM0 ? "m0" : fmt::format("s{}", s);
}

// The 16-bit immediate of a wait.
uint32_t immediate(const Op& op) { return static_cast<uint32_t>(op.imm[0]) & 0xffff; }

}  // namespace

void WaitCounters::Registers::add(const Operand& o, int vgprs) {
  if (o.kind != OperandKind::vgpr && o.kind != OperandKind::sgpr) return;
  const bool vector = o.kind == OperandKind::vgpr;
  if (!vector && o.reg == kNull) return;
  for (int i = 0; i < o.words; ++i) {
    const int reg = o.reg + i;
    if (reg >= (vector ? vgprs : kSgprs)) return;  // the machine's own row of a DPP form
    const auto at = static_cast<size_t>(vector ? reg : kFirstSgpr + reg);
    bits[at / 64] |= uint64_t{1} << at % 64;
  }
}

int WaitCounters::Registers::first_common(const Registers& o) const {
  for (size_t i = 0; i < bits.size(); ++i) {
    if (const uint64_t both = bits[i] & o.bits[i])
      return static_cast<int>(i * 64) + std::countr_zero(both);
  }
  return -1;
}

uint32_t WaitCounters::Counter::issue() {
  ++issued;
  wait(kMostInFlight);
  return issued;
}

void WaitCounters::start_launch(const Program& program) {
  // The address of a program may come again after it is gone; its id does not.
  if (program_id_ == program.id()) return;
  program_ = &program;
  program_id_ = program.id();
  effects_.clear();
}

void WaitCounters::start_workgroup(size_t waves) {
  books_.resize(waves);
  for (Book& b : books_) {
    b.vm = b.ds = {};
    b.in_flight.clear();
    b.pending = {};
  }
}

const WaitCounters::Effect& WaitCounters::effect(uint32_t index, const Op& op) {
  if (index >= effects_.size()) effects_.resize(index + 64);
  Effect& e = effects_[index];
  if (!e.known) e = read(op);
  return e;
}

WaitCounters::Effect WaitCounters::read(const Op& op) const {
  Effect e;
  e.known = true;
  // VOPD and DPP forms hold their parts in a chain.
  for (const Op* part = &op; part; part = part->second) {
    for (const Operand& o : part->dst) e.written.add(o, program_->vgprs());
    for (const Operand& o : part->src) e.sources.add(o, program_->vgprs());
  }
  const Row* row = program_->row_of(op);
  if (!row) return e;
  const std::string_view m = row->mnemonic;
  const bool gfx12 = program_->code().major == 12;
  const uint32_t n = immediate(op);
  const auto limit = [&](int which, uint32_t value) {
    e.waits = true;
    e.limit[static_cast<size_t>(which)] = static_cast<uint8_t>(value & kMostInFlight);
  };
  if (any_of(m, {"s_cbranch_vcc"})) {
    Operand vcc;
    vcc.kind = OperandKind::sgpr;
    vcc.reg = kVcc;
    e.sources.add(vcc, program_->vgprs());
  } else if (any_of(m, {"flat_"})) {
    e.path = Path::flat;
    e.counts_ds = true;
    e.counts_vm = op.ndst > 0;
  } else if (any_of(m, {"global_", "scratch_", "buffer_", "tbuffer_"})) {
    // Of the cache operations gfx12 counts the invalidation as a load, gfx11 none.
    e.counts_vm = op.ndst > 0 || (gfx12 && m == "global_inv");
    if (e.counts_vm) e.path = Path::vmem;
  } else if (any_of(m, {"ds_"})) {
    e.path = Path::lds;
    e.counts_ds = true;
  } else if (any_of(m, {"s_load_", "s_buffer_load_", "s_sendmsg_rtn_", "s_mem"})) {
    e.path = Path::scalar;
  } else if (m == "s_waitcnt") {
    limit(0, n >> 10);
    limit(1, n >> 4);
    limit(2, n >> 4);
  } else if (m == "s_waitcnt_vmcnt" || m == "s_wait_loadcnt") {
    limit(0, n);
  } else if (m == "s_waitcnt_lgkmcnt") {
    limit(1, n);
    limit(2, n);
  } else if (m == "s_wait_dscnt") {
    limit(1, n);
  } else if (m == "s_wait_kmcnt") {
    limit(2, n);
  } else if (m == "s_wait_loadcnt_dscnt") {
    limit(0, n >> 8);
    limit(1, n);
  } else if (m == "s_wait_storecnt_dscnt") {
    limit(1, n);
  } else if (m == "s_wait_idle") {
    for (int i = 0; i < 3; ++i) limit(i, 0);
  }
  return e;
}

void WaitCounters::Book::settle(bool scalars_done) {
  std::erase_if(in_flight, [&](const InFlight& f) {
    return f.path == Path::scalar ? scalars_done : f.vm <= vm.done && f.ds <= ds.done;
  });
  pending = {};
  for (const InFlight& f : in_flight) {
    for (size_t i = 0; i < pending.bits.size(); ++i) pending.bits[i] |= f.written.bits[i];
  }
}

bool WaitCounters::step(Wave& w, uint32_t index, const Op& op) {
  const Effect& e = effect(index, op);
  Book& book = books_[static_cast<size_t>(w.id)];
  if (book.pending.meets(e.sources) || book.pending.meets(e.written)) [[unlikely]] {
    if (hazard(w, op, e, book)) return false;
  }
  if (e.waits) {
    if (e.limit[0] != kNoLimit) book.vm.wait(e.limit[0]);
    if (e.limit[1] != kNoLimit) book.ds.wait(e.limit[1]);
    book.settle(e.limit[2] == 0);
  } else if (e.path != Path::none) {
    InFlight f{.path = e.path, .written = e.written, .pc = op.pc};
    if (e.counts_vm) f.vm = book.vm.issue();
    if (e.counts_ds) f.ds = book.ds.issue();
    // Without an active lane nothing will be written; the counters move all the same.
    const bool writes = op.ndst > 0 && (e.path == Path::scalar || w.exec() != 0);
    if (!writes) return true;
    book.in_flight.push_back(f);
    for (size_t i = 0; i < f.written.bits.size(); ++i) book.pending.bits[i] |= f.written.bits[i];
    if (book.in_flight.size() > 2 * kMostInFlight) book.settle(false);
  }
  return true;
}

bool WaitCounters::hazard(Wave& w, const Op& op, const Effect& e, const Book& book) const {
  const bool in_order = e.path == Path::vmem || e.path == Path::lds;
  for (const InFlight& f : book.in_flight) {
    // A load that keeps the other half of its register does not read it.
    if (const int reg = f.written.first_common(e.sources); reg >= 0) {
      report_use(w, op, f, reg, true, book);
      return true;
    }
    const int reg = f.written.first_common(e.written);
    if (reg < 0 || (in_order && f.path == e.path)) continue;
    report_use(w, op, f, reg, op.reads_dst, book);
    return true;
  }
  return false;
}

void WaitCounters::report_use(Wave& w, const Op& op, const InFlight& load, int reg, bool read,
                              const Book& book) const {
  const CodeObject::Impl& code = program_->code();
  const bool gfx12 = code.major == 12;
  std::string need;
  const auto add = [&need](std::string_view counter, uint32_t limit) {
    need += fmt::format("{}{} <= {}", need.empty() ? "" : " and ", counter, limit);
  };
  if (load.vm) add(gfx12 ? "loadcnt" : "vmcnt", book.vm.issued - load.vm);
  if (load.ds) add(gfx12 ? "dscnt" : "lgkmcnt", book.ds.issued - load.ds);
  if (load.path == Path::scalar) add(gfx12 ? "kmcnt" : "lgkmcnt", 0);
  Finding f;
  f.kind = FindingKind::wait_counter;
  f.detail = fmt::format("{} is {} before its load is complete: a wait for {} must come between",
                         name_of_register(reg), read ? "read" : "overwritten", need);
  f.other = Party{.workgroup = static_cast<int64_t>(w.group->number),
                  .wave = w.id,
                  .pc = load.pc,
                  .instruction = code.text_at(load.pc),
                  .source = code.source_at(load.pc),
                  .files = code.files_at(load.pc)};
  report(w, op, std::move(f), 0);
}

}  // namespace w4::rdna
