#include "rdna/ahead.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include "rdna/checks/global_race.h"
#include "rdna/coverage.h"
#include "rdna/store_log.h"

namespace w4::rdna {
namespace {

constexpr uint64_t kWorthThreads = 200'000;     // wave-instructions, some 8 ms of one thread
constexpr uint64_t kChunkSteps = 20'000;        // wave-instructions between two meetings of threads
constexpr uint64_t kChunksAhead = 8;            // per thread, that wait for their turn
constexpr size_t kLogBytes = size_t{64} << 20;  // of one chunk
// A workgroup that runs this much longer than the first is for one thread: it may never end.
constexpr uint64_t kLongSteps = 50'000'000, kLongTimes = 16;

// Consecutive workgroups of the order, run by one thread.
struct Chunk {
  struct Part {
    uint64_t place = 0;  // in the order
    uint64_t steps = 0;
    size_t log_end = 0;
    size_t inexact = 0;  // what the program had noted by then
  };
  StoreLog log;
  std::vector<Part> parts;
  const Program* program = nullptr;
};

}  // namespace

struct Ahead::Run {
  Launch& launch;
  const WaveStart& start;
  const GridOrder& order;
  uint64_t chunk_size = 1, window = 1, long_steps = kLongSteps;

  std::mutex mutex;  // of all that follows
  std::condition_variable moved;
  uint64_t next = 0;                  // place of the next chunk to hand out
  uint64_t chunks = 0, applied = 0;   // handed out, applied
  std::map<uint64_t, Chunk> waiting;  // by number
  StoredBytes stored;
  // Workgroups from this place of the order on are for one thread; only falls.
  std::atomic<uint64_t> end;

  Run(Launch& l, const WaveStart& s, const GridOrder& o)
      : launch(l), start(s), order(o), end(o.total()) {}

  void end_at(uint64_t place) {
    if (place < end) end = place;
    moved.notify_all();
  }
  Launch launch_of_thread(Program& program, LaunchReport& report);
  bool take(uint64_t& number, uint64_t& place, uint64_t& steps);
  bool run_one(Machine& machine, Launch& mine, uint64_t place, Chunk& chunk);
  void work(Machine& machine, Program& program);
  void give(uint64_t number, Chunk chunk);
  bool apply_part(const Chunk& chunk, const Chunk::Part& part, size_t from);
};

Launch Ahead::Run::launch_of_thread(Program& program, LaunchReport& report) {
  const std::scoped_lock lock(mutex);  // the steps left change as stores are applied
  Launch mine = launch;
  mine.program = &program;
  mine.report = &report;
  mine.races = nullptr;
  mine.wanted_below = &end;
  return mine;
}

// The next chunk, its number and the steps that it may take; waits while too many are not applied.
bool Ahead::Run::take(uint64_t& number, uint64_t& place, uint64_t& steps) {
  std::unique_lock lock(mutex);
  moved.wait(lock, [&] { return next >= end || chunks - applied < window; });
  if (next >= end) return false;
  place = next;
  number = chunks++;
  next += chunk_size;
  steps = std::min(launch.steps_left, long_steps);
  return true;
}

// False: the workgroup needs its turn.
bool Ahead::Run::run_one(Machine& machine, Launch& mine, uint64_t place, Chunk& chunk) {
  const uint64_t budget = mine.steps_left;
  mine.stop = false;
  mine.log = &chunk.log;
  mine.place = place;
  machine.run(mine, start, order.at(place));
  const uint64_t steps = budget - mine.steps_left;
  mine.steps_left = budget;
  if (mine.stop || mine.report->end != LaunchReport::End::completed || !mine.wanted() ||
      chunk.log.bytes() > kLogBytes) {
    return false;
  }
  chunk.parts.push_back({place, steps, chunk.log.bytes(), mine.program->inexact().size()});
  return true;
}

void Ahead::Run::work(Machine& machine, Program& program) {
  LaunchReport report;
  Launch mine = launch_of_thread(program, report);
  machine.prepare(mine, start);
  uint64_t number = 0, place = 0;
  while (take(number, place, mine.steps_left)) {
    Chunk chunk;
    chunk.program = &program;
    const uint64_t last = std::min(place + chunk_size, order.total());
    while (place < last && run_one(machine, mine, place, chunk)) ++place;
    const std::scoped_lock lock(mutex);
    if (place < last) end_at(place);
    give(number, std::move(chunk));
  }
}

// Applies what is next in the order, as far as it is there.
void Ahead::Run::give(uint64_t number, Chunk chunk) {
  waiting.emplace(number, std::move(chunk));
  for (auto it = waiting.begin(); it != waiting.end() && it->first == applied;
       it = waiting.erase(it), ++applied) {
    size_t from = 0;
    for (const Chunk::Part& part : it->second.parts) {
      if (part.place >= end) break;
      if (!apply_part(it->second, part, from)) {
        end_at(part.place);
        break;
      }
      from = part.log_end;
    }
  }
  moved.notify_all();
}

// False: it needs its turn.
bool Ahead::Run::apply_part(const Chunk& chunk, const Chunk::Part& part, size_t from) {
  if (part.steps >= launch.steps_left || !stored.claim(chunk.log, from, part.log_end)) return false;
  Workgroup group;
  group.launch = &launch;
  group.checks = launch.checks;
  group.number = order.at(part.place);
  // One stretch for the whole workgroup: barriers within it order nothing for the others.
  if (launch.races) launch.races->next_workgroup(group.number);
  apply_stores(chunk.log, from, part.log_end, group);
  launch.steps_left -= part.steps;
  launch.report->wave_instructions += part.steps;
  for (size_t i = 0; i < part.inexact; ++i) launch.program->note(chunk.program->inexact()[i]);
  return true;
}

uint64_t Ahead::run(Launch& launch, const WaveStart& start, const GridOrder& order) {
  const uint64_t total = order.total();
  uint32_t threads = launch.config->threads;
  if (threads < 2 || launch.mutant || total < 3 || launch.confirm || launch.trace ||
      launch.figures || counting || !launch.edges.empty())
    return 0;
  Run run(launch, start, order);
  if (machines_.empty()) machines_.push_back(std::make_unique<Machine>());

  // The first workgroup says whether the others may run ahead, and whether it is worth it.
  Chunk probe;
  probe.program = launch.program;
  LaunchReport report;
  Launch mine = run.launch_of_thread(*launch.program, report);
  mine.steps_left = std::min(launch.steps_left, run.long_steps);
  machines_[0]->prepare(mine, start);
  if (!run.run_one(*machines_[0], mine, 0, probe) || !run.apply_part(probe, probe.parts[0], 0))
    return 0;
  const uint64_t steps = std::max<uint64_t>(probe.parts[0].steps, 1);
  if (steps < kWorthThreads / (total - 1)) return 1;

  threads = static_cast<uint32_t>(std::min<uint64_t>(threads, total - 1));
  run.next = 1;
  run.chunk_size = std::max<uint64_t>(kChunkSteps / steps, 1);
  run.long_steps = std::max(kLongSteps, kLongTimes * steps);
  run.window = kChunksAhead * threads;
  while (machines_.size() < threads) machines_.push_back(std::make_unique<Machine>());
  {
    std::vector<std::jthread> others;
    for (uint32_t t = 1; t < threads; ++t) {
      Machine& machine = *machines_[t];
      Program& program = launch.program->twin(t);
      try {
        others.emplace_back([&run, &machine, &program] { run.work(machine, program); });
      } catch (const std::system_error&) {
        break;  // the host has no more threads: those that run do the work
      }
    }
    run.work(*machines_[0], launch.program->twin(0));
  }
  // Twins that ran what one thread may never reach would name its instructions later.
  if (run.end < total) launch.program->drop_twins();
  return run.end;
}

}  // namespace w4::rdna
