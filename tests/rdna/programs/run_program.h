// Launches one program of the table: its buffers, its packed arguments, what the launch reported.
#pragma once

#include "tests/rdna/programs/program.h"
#include "tests/rdna/rig.h"

namespace w4::rdna::programs {

// "…/integer-O0.gfx1100.co" -> the family `integer`; nullptr: no such family.
inline const Family* family_of(const std::string& path) {
  const std::string file = path.substr(path.find_last_of('/') + 1);
  for (const Family& f : families()) {
    if (file.substr(0, file.find('-')) == f.name) return &f;
  }
  return nullptr;
}

struct Launched {
  LaunchReport report;
  std::vector<Address> at;  // of each argument; 0 for values
};

inline Launched launch_program(Rig& rig, const char* name, const Setup& s, LaunchConfig how) {
  how.grid = s.grid;
  how.block = s.block;
  how.dynamic_lds = s.dynamic_lds;
  Memory& memory = rig.emulator().memory();
  memory.release_all();
  std::vector<std::byte> packed;
  Launched out;
  for (const Arg& a : s.args) {
    packed.resize((packed.size() + a.align - 1) / a.align * a.align);
    const std::string buffer = "arg" + std::to_string(out.at.size());
    Address address = 0;
    std::span<const std::byte> bytes = a.before;
    if (a.kind == Arg::Kind::out) {
      address = rig.output(buffer, a.want.size());
    } else if (a.kind != Arg::Kind::value) {
      address = rig.allocate(
          {.name = buffer, .bytes = a.before.size(), .writable = a.kind == Arg::Kind::inout});
      EXPECT_TRUE(memory.write(address, a.before));
    }
    if (a.kind != Arg::Kind::value) bytes = std::as_bytes(std::span(&address, 1));
    packed.insert(packed.end(), bytes.begin(), bytes.end());
    out.at.push_back(address);
  }
  out.report = rig.emulator().launch(rig.object(), name, how, packed);
  return out;
}

}  // namespace w4::rdna::programs
