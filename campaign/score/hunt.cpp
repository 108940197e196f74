#include "campaign/score/hunt.h"

#include <algorithm>
#include <chrono>

#include "campaign/one_worker.h"

namespace w4::score {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPollMs = 100;

bool kills(VerdictKind k) {
  return k == VerdictKind::finding || k == VerdictKind::law_broken || k == VerdictKind::mismatch ||
         k == VerdictKind::accepted || k == VerdictKind::refused;
}

// "finding lds_race", "mismatch"
std::string kind_of(const Verdict& v) {
  std::string out(name_of(v.kind()));
  if (const auto* f = std::get_if<Found>(&v.primary()); f != nullptr && !f->findings.empty())
    out += " " + std::string(name_of(f->findings[0].kind));
  if (const auto* l = std::get_if<LawBroken>(&v.primary())) out += " " + l->law;
  return out;
}

// A mutant under way with the worker that runs it.
struct Slot {
  explicit Slot(const ExecuteOptions& options) : worker(options) {}
  OneWorker worker;
  Mutant* mutant = nullptr;
  std::vector<const StreamCase*> cases;
  size_t next = 0;
  Clock::time_point start;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start).count(); }
};

class Hunt {
 public:
  Hunt(std::vector<Mutant>& mutants, const Stream& stream, const HuntOptions& options)
      : mutants_(mutants), stream_(stream), options_(options) {
    // Mutants end by their steps; what does not end at all is killed.
    execute_.timeout = std::max(60.0, 10 * options.budget);
    const auto jobs = std::clamp<size_t>(static_cast<size_t>(options.jobs), 1, mutants.size());
    slots_.reserve(jobs);
    for (size_t i = 0; i < jobs; ++i) slots_.emplace_back(execute_);
  }

  Result<void> run() {
    while (!options_.stop()) {
      bool busy = false;
      for (Slot& s : slots_) {
        if (auto fed = feed(s); !fed) return fed;
        busy |= s.worker.busy();
      }
      if (!busy) return {};
      std::vector<pollfd> fds;
      for (const Slot& s : slots_) s.worker.watch(fds);
      ::poll(fds.data(), fds.size(), kPollMs);
      for (Slot& s : slots_) {
        if (auto v = s.worker.answer()) judge(s, *v);
      }
      options_.tick();
    }
    return {};
  }

 private:
  Result<void> feed(Slot& s) {
    while (!s.worker.busy()) {
      if (s.mutant == nullptr && !take(s)) return {};
      if (s.next == s.cases.size() || (s.next > 0 && s.seconds() > options_.budget)) {
        finish(s);
        continue;
      }
      const Case c = mutated(*s.cases[s.next], s.mutant->candidate.mutation);
      if (auto asked = s.worker.ask({"score", c, to_string(c)}); !asked) return asked;
    }
    return {};
  }

  static Case mutated(const StreamCase& from, const Mutation& m) {
    Case c = from.value;
    c.mutate = m;
    if (m.kind == MutationKind::drop_wait) c.checks.mask |= kWaits;
    return c;
  }

  bool take(Slot& s) {
    if (next_ == mutants_.size()) return false;
    Mutant& m = mutants_[next_++];
    const Mutation& what = m.candidate.mutation;
    s.mutant = &m;
    s.next = 0;
    s.start = Clock::now();
    s.cases.clear();
    for (const StreamCase& c : stream_.cases) {
      if (what.kind == MutationKind::drop_wait && !c.waits) continue;
      if (c.executes(m.candidate.place())) s.cases.push_back(&c);
    }
    m.available = static_cast<int64_t>(s.cases.size());
    return true;
  }

  void judge(Slot& s, const Verdict& v) {
    Mutant& m = *s.mutant;
    const StreamCase& c = *s.cases[s.next++];
    ++m.cases;
    if (v.green()) {
      const bool differs = v.ran.outputs != c.outputs;
      const bool first = m.differing == 0;
      m.differing += differs;
      if (m.fate == Fate::not_run) m.fate = Fate::survived;
      if (m.fate == Fate::survived && (m.line.empty() || (differs && first))) m.line = v.line;
    } else if (kills(v.kind())) {
      m.fate = Fate::killed;
      m.verdict = kind_of(v);
      m.line = v.line;
      finish(s);
    } else if (m.fate != Fate::undecided) {
      m.fate = Fate::undecided;
      m.verdict = kind_of(v);
      m.line = v.line;
    }
  }

  void finish(Slot& s) {
    s.mutant->seconds = s.seconds();
    options_.done(*s.mutant);
    s.mutant = nullptr;
  }

  std::vector<Mutant>& mutants_;
  const Stream& stream_;
  const HuntOptions& options_;
  ExecuteOptions execute_;
  std::vector<Slot> slots_;
  size_t next_ = 0;
};

}  // namespace

std::string_view name_of(Fate f) {
  switch (f) {
    case Fate::killed:
      return "killed";
    case Fate::survived:
      return "survived";
    case Fate::undecided:
      return "undecided";
    case Fate::not_run:
      return "not_run";
  }
  return "";
}

Result<std::vector<Mutant>> hunt(const Sample& sample, const Stream& stream,
                                 const HuntOptions& options) {
  std::vector<Mutant> out;
  out.reserve(sample.chosen.size());
  for (const Candidate& c : sample.chosen) {
    const rdna::Executed& code = stream.codes.at(c.code);
    Mutant m;
    m.candidate = c;
    m.instruction = code.text(c.mutation.pc);
    m.source = code.source(c.mutation.pc);
    out.push_back(std::move(m));
  }
  if (out.empty()) return out;
  if (auto ran = Hunt(out, stream, options).run(); !ran) return std::unexpected(ran.error());
  return out;
}

}  // namespace w4::score
