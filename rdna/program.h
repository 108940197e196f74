// The decoded code of one kernel, made on demand: an instruction is decoded when control first
// reaches its basic block, wherever it lies (device functions too).
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "rdna/code_object.h"
#include "rdna/op.h"
#include "rdna/table.h"

namespace w4::rdna {

class Program {
 public:
  // `vgprs`: allocated by the descriptor; an instruction that names another one is a finding. One
  // more row, number `vgprs`, belongs to the machine: DPP forms put their permuted source there.
  // `keep_hints`: waits and hints stay in the chain of ops, for the check `waits`.
  Program(const CodeObject::Impl& code, int vgprs, bool keep_hints = false);

  // Index of the op at linked address pc; stays the same for ever. Decoding may wait until it runs.
  uint32_t index(uint64_t pc);
  const Op* const* table() const { return at_.data(); }  // moves when index() makes a new one
  const Op& resolve(uint32_t index);                     // decodes if that has not happened yet
  bool pending(uint32_t index) const;
  // Another op in the place of the one at `index`, which it returns; what was kept of the program's
  // ops (by its id) is void. `op` must stay until it is put back.
  const Op& put(uint32_t index, const Op& op);

  const CodeObject::Impl& code() const { return code_; }
  uint64_t id() const { return id_; }  // unique in the process; another one after put()
  int vgprs() const { return vgprs_; }
  const Row* row_of(const Op& op) const;  // nullptr: Unsupported
  // Mnemonics met whose evidence is weaker than IEEE, each once, in the order of their meeting.
  const std::vector<std::string>& inexact() const { return inexact_; }

  // The same code for another thread: decoded on its own.
  Program& twin(size_t thread);
  void drop_twins() { twins_.clear(); }

  // For the decoder.
  const Lanes* row(uint32_t value);  // `value` in every lane
  const Lanes* row(const Lanes& lanes);
  Op& keep(const Op& op);  // stable address
  void note(std::string_view inexact);

 private:
  uint32_t after_hints(uint32_t index);

  uint64_t id_;
  const CodeObject::Impl& code_;
  int vgprs_;
  bool keep_hints_;
  std::deque<Op> ops_;
  std::deque<Lanes> rows_;
  std::unordered_map<uint32_t, const Lanes*> row_of_value_;
  std::vector<const Op*> at_;
  std::unordered_map<uint64_t, uint32_t> index_of_;
  std::vector<std::string> inexact_;
  std::vector<std::unique_ptr<Program>> twins_;
};

// Decodes the instruction at pc. Never fails: what has no row becomes an op that stops the launch
// as Unsupported when it runs.
Op decode(Program& program, uint64_t pc);

}  // namespace w4::rdna
