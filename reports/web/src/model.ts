// The document that w4check writes (report.json) and the pages show. docs/report.md says what each
// member means; reports/ in C++ writes it. A member that is null or empty was not there to be shown.

export type State = "failed" | "flaky" | "unfinished" | "nothing" | "partly" | "good";

export interface Tally {
  cases: number;
  green: number;
  red: number;
  skipped: number;
  kinds: Record<string, number>; // by verdict: "pass", "mismatch", …
  headroom: number; // largest |y - y~|/B among the passes
}

export interface KernelDevice extends Tally {
  kernel: string;
  device: string;
}

export interface Run {
  id: number;
  uid: string;
  kind: "run" | "campaign";
  command: string;
  build: string;
  planned: number;
  started: string; // UTC
  finished: string; // empty while it runs
  state: string;
  heartbeat: string; // when it last stored something
  machine: string; // empty: it was not recorded
  plan: string; // JSON, of a campaign
}

// The failure to look at first.
export interface Start {
  failure: number;
  kernel: string;
  kind: string;
  cases: number;
  why: string; // "new since run 3"
  hypothesis: string; // empty: not explained
  says: string; // what explains it, in a sentence; empty: no one knows
  line: string;
  rerun: string;
}

export type Change = "new" | "still failing" | "fixed" | "not seen again";

export interface ChangedFailure {
  failure: number; // of this run; where it is fixed or not seen again, of the previous one
  kernel: string;
  kind: string;
  pattern: string;
  hypothesis: string;
  state: Change;
  how: string; // what that rests on
  then: number; // cases
  now: number;
  rerun: string;
}

export interface ComparedRun {
  run: number;
  started: string;
  state: string;
  build: string;
  machine: string;
  cases: number;
  green: number;
  red: number;
  skipped: number;
  seconds: number;
}

export interface Since {
  previous: ComparedRun | null;
  now: ComparedRun | null;
  why: string; // why there is no previous one
  counts: Partial<Record<Change, number>>; // of all
  failures: ChangedFailure[]; // at most 300
}

export interface FlakyLine {
  line: string;
  rerun: string;
  build: string;
  verdicts: { kind: string; outputs: string; cases: number }[];
}

export interface Stop {
  says: string;
  probability: number;
  low: number; // 95 %
  high: number;
  cases: number; // drawn independently
  singles: number; // of them, those that showed what no other did
  last_new_at: string;
  last_new_cases: number;
  judged: number;
  behaviours: { kind: string; distinct: number; once: number }[];
}

export interface ZooScore {
  name: string;
  build: string;
  same_build: boolean;
  at: string;
  mutants: number;
  killed: number;
  survivors: string[]; // at most 10
  clean_cases: number;
  clean_red: number;
}

export type Level = "unknown" | "assumed" | "documented" | "measured" | "exact";

export interface Arithmetic {
  weakest: Level | null;
  levels: { level: Level; cases: number }[];
  models: { fp: string; level: Level; says: string; cases: number }[];
  instructions: { instruction: string; fp: string; level: Level; says: string; cases: number }[];
  not_kept: number; // cases of a campaign whose row keeps no instructions
}

export interface Summary {
  state: State;
  sentence: string; // the verdict on the run
  advice: string; // what to do next
  start: Start | null;
  all: Tally;
  table: KernelDevice[];
  skipped: { reason: string; cases: number }[];
  failures: number;
  since: Since;
  flaky: { total: number; lines: FlakyLine[] };
  lost: { total: number; not_judged: number; cases: { line: string; rerun: string; why: string; judged: boolean }[] };
  stop: Stop | null;
  zoo: ZooScore | null;
  arithmetic: Arithmetic;
  effort: { seconds: number; wave_instructions: number; taken_over: number };
}

// A number, or "nan", "inf", "-inf", which JSON lacks.
export type Num = number | string;

export type What = "right" | "wrong" | "not finite" | "unwritten";

export interface Element {
  m: number;
  n: number;
  what: What;
  got: Num;
  low: Num; // legal stored values, both ends
  high: Num;
  twin: Num; // declared sum before the store
  bound: Num; // B
  error: Num; // signed, in tolerances: B, at least half a unit in the last place
}

// Elements between two edges; 0: not divided so.
export interface Edges {
  tile: number;
  wave: number;
  matrix: number;
}

export interface Geometry {
  m: Edges;
  n: Edges;
  lane: number; // along K: elements that a lane takes at a time, 0: otherwise shared
  step: number; // that a wave takes at a time
  unrolled: number; // that it takes before it looks whether any are left
  blocks: boolean; // rows are in the order of blocks of one expert
  family: "walk" | "matrix";
}

export interface Prefix {
  end: number; // activations from here on are zero
  what: What;
  got: Num;
  low: Num;
  high: Num;
  error: Num;
  wrong: number; // elements of the whole output
}

export interface AlongK {
  line: string;
  why: string; // there are no points
  m: number;
  n: number;
  points: Prefix[];
  departs: number | null; // right with activations zero from here on, wrong with one column more; -1: always
  any_departs: number | null; // the same of any element
  cut_short: boolean;
}

export interface Excerpt {
  place: string;
  first: number;
  line: number;
  text: string[]; // empty: why
  why: string;
}

export interface Party {
  workgroup: number;
  wave: number;
  lane: number;
  pc: string;
  instruction: string;
  source: string;
  excerpts: number[]; // of Depiction.excerpts
  why: string;
}

export interface Finding {
  kind: string;
  kernel: string;
  detail: string;
  buffer: string;
  offset: number;
  bytes: number;
  born: string;
  at: Party;
  other: Party | null;
}

export interface Depiction {
  line: string;
  why: string; // there is no output to show
  unchecked?: boolean; // the outputs are of a run with checks off; not in older stores
  why_checked?: string; // where such a run gave none
  m: number;
  n: number;
  k: number;
  g: number;
  wrong: number; // elements
  instantiation: string;
  symbol: string;
  geometry: Geometry | null;
  order: number[] | null; // row of the output at each place of the picture
  reordered: boolean;
  experts: number[] | null; // of the rows of the picture
  picture: { rows: number; columns: number; cells: string[] } | null; // elements a cell; charts/output.ts has the letters
  worst: Element[];
  along_k: AlongK | null;
  findings: Finding[];
  findings_left_out: number;
  excerpts: Excerpt[];
}

export interface Hypothesis {
  name: string;
  says: string;
  defects: string;
  also: string[];
}

export interface Explanation {
  certainty: "nothing" | "stated" | "exact" | "within" | "affected" | "several" | "none";
  says: string;
  hypotheses: Hypothesis[];
  elements: number;
  how: string;
  pattern: string[];
  interval: string;
}

export interface Failure {
  id: number;
  kernel: string;
  kind: string;
  pattern: string;
  cases: number;
  devices: { device: string; cases: number }[];
  first_line: string;
  shrunk: boolean;
  rerun: string; // a command for a shell, of the smallest line that is known
  text: string; // its first verdict, as the terminal prints it
  verdict: unknown; // the same as results/verdict_json has it
  lines: { line: string; kind: string; source: string; number: number }[]; // the first ones
  hypothesis_name: string;
  build: string;
  explanation: Explanation | null;
  depiction: Depiction | null;
  depicted_at: string; // UTC; empty: never
  green: boolean; // the line was green when it ran again
  why: string; // explanation or depiction are missing
  history: { run: number; started: string; build: string; cases: number }[];
}

// Of every document that a command filed in the store.
export interface Filed {
  name: string; // what was asked
  build: string;
  at: string; // UTC
  notice: string; // where it is of another build than the run's; otherwise empty
}

export interface Kill {
  oracle: string;
  what: string;
  cases: number; // run until then, it included
  seconds: number;
  rerun: string; // empty: no case (audit, drift)
  text: string;
}

export interface Hunted {
  generator: string;
  cases: number;
  seconds: number;
  mistrusted: number;
  not_counted: number; // red verdicts that are not the mutant's
  first_not_counted: string;
  kills: Kill[];
}

export interface Mutant {
  name: string; // "groups/g64_runs_128"
  family: string;
  says: string;
  covers: string[]; // rows of docs/defects.md
  killed: boolean;
  stale: string; // why its edit does not apply; otherwise empty
  equivalent: string; // the proof that nothing shows it; otherwise empty
  explain: { diagnosis: string; said: string } | null;
  recipe: { tests: number; failed: number } | null; // upstream's own tests
  runs: Hunted[];
}

export interface CleanKernel {
  name: string;
  green: boolean;
  cases: number;
  red: number;
  first: string; // the first red verdict
}

export interface Hunt extends Filed {
  only: string | null; // the oracle whose kills alone counted
  seconds: number; // a mutant
  seed: number;
  generators: string[];
  oracles: { name: string; says: string; kills: number; alone: number }[];
  killed: number;
  total: number;
  mutants: Mutant[];
  clean: CleanKernel[];
}

export interface Seeds extends Filed {
  killed: number[]; // by seed, of `hunted`
  hunted: number;
  audit_only: number;
}

export interface Zoo {
  hunts: Hunt[];
  seeds: Seeds[];
  notes: string[]; // documents that are left out, and why
}

export interface Rule {
  name: string; // of the clause
  says: string;
  checked_by: string;
  route: "decode" | "prefill" | null; // of the hybrid, where the clause is of one route
  order: number; // in which the kernel checks
}

export interface Numerics {
  text: string;
  rounded: { act: string; weight: string; store: string }[];
  gate: boolean;
  chains: {
    act: string;
    m: number; // rows, of a block where there are experts
    n: number;
    k: number;
    g: number;
    unit: string;
    roundings: number; // on the longest path from a product to the stored sum
    chunk: number;
    chunks: number;
    offset_trick: boolean;
  }[];
}

export interface DeclaredKernel {
  name: string;
  says: string;
  weights: string;
  zero_points: string[];
  carrier: boolean;
  experts: boolean;
  shape_form: boolean;
  archs: string[];
  rules: { topic: string; clauses: Rule[] }[];
  numerics: Numerics[];
  laws: { name: string; says: string }[];
  objects: { arch: string; acts: string[]; groups: number[]; objects: number; bytes: number }[];
}

export interface Figures {
  instructions_per_weight: number;
  bytes_over_least: number;
  lines_over_least: number;
  footprint_over_least: number;
  lds_cycles_over_least: number;
  barriers_per_wave: number;
  dot2_over_least: number;
  wmma_over_least: number;
}

export interface FigureRow {
  kernel: string;
  device: string;
  call: string; // "M 5"
  m: number;
  n: number;
  k: number;
  g: number;
  act: string;
  line: string;
  rerun: string;
  green: boolean;
  verdict: string; // where it is not
  instantiation: string;
  figures: Figures | null; // where it is not green
}

export interface Span {
  least: number;
  most: number;
}

export interface CodeRow {
  kernel: string; // "other" where no instantiation list names it
  arch: string;
  objects: number;
  kernels: number;
  lds_bytes: Span; // static
  dynamic_lds_bytes: Span | null;
  vgprs: Span;
  sgprs: Span;
  vgpr_spills: number;
  sgpr_spills: number;
  scratch_bytes: number;
  waves_per_simd: number;
  instructions: Record<string, Span>;
}

export interface Kernels {
  declared: DeclaredKernel[] | null;
  figures: { rows: FigureRow[]; sources: Filed[] } | null;
  code: (Filed & { rows: CodeRow[]; wrong: string[] })[] | null;
  modules: string[]; // that cases of the run named: their declarations are not here
  notes: string[];
}

export interface DiffSection {
  name: string;
  done: number;
  planned: number;
  unit: string;
  complete: boolean;
  accepted: number;
  header: string[];
  rows: { cells: string[]; below: string[]; keys: string[] }[];
  notes: string[];
}

export interface Diff extends Filed {
  a: string;
  b: string;
  differences: number;
  seconds: number;
  budget_over: boolean;
  stale: string[];
  sections: DiffSection[];
}

export interface Diffs {
  diffs: Diff[];
  notes: string[];
}

// Of one call; seconds is the median, low and high of its samples.
export interface BenchTime {
  seconds: number;
  low: number;
  high: number;
  gb_per_s: number;
  tflop_per_s: number;
  of_copy: number | null;
}

export interface BenchRow {
  who: string;
  foreign: boolean; // timed by somebody else, not verified
  kernel: string;
  shape: string;
  m: number;
  n: number;
  k: number;
  g: number;
  act: string;
  zp: string;
  line: string;
  green: boolean;
  skipped: boolean;
  verdict: string; // where it is not green
  why: string; // no figure, or only one of a cache
  ran: string;
  unit: string;
  figure: number | null; // in `unit`
  cold: BenchTime | null;
  warm: BenchTime | null;
}

export interface Bench extends Filed {
  device: string;
  about: string;
  copy: number | null; // GB/s
  rows: BenchRow[];
}

export interface Benches {
  benches: Bench[];
  notes: string[];
}


// Of the matrix: names of the values of each dimension, and one entry per combination that occurred,
// in columns of equal length: indices into `values`, and how many cases.
export interface CoverageReport {
  dimensions: { name: string; values: string[] }[];
  cells: Record<string, number[]>;
  folded: boolean; // instantiations are forms only: there were too many combinations
  unread: number; // lines that are no case lines
  // Per kernel "g|zp" -> pairs of values that some legal call has, a value with itself where it is
  // legal at all. A kernel that is not here: nothing is known.
  contract: Record<string, Record<string, [string, string][]>> | null;
  limits: Record<string, Gate[]> | null;
  boundary: {
    kernels: string[];
    all: number; // points before some were left out
    reported: { kernel: number; bytes: number; cases: number }[]; // LDS that devices were said to have
    points: { kernel: number[]; k: number[]; rows: number[]; verdict: number[]; cases: number[] };
  };
  // null: nothing was filed. shown: null where what was filed cannot be shown, which notes say.
  instructions: { shown: MachineCoverage | null; notes: string[] } | null;
}

export interface Gate {
  elements: number; // K times rows up to which a call is on the near side
  rows: number; // of calls with no more rows; 0: of any
  says: string;
}

export interface MachineCoverage extends Filed {
  cases: number;
  kernels: {
    kernel: string;
    arch: string;
    instructions: number;
    run: number;
    edges: number;
    edges_run: number;
    launches: number;
  }[];
  lines: {
    all: number;
    never: { source: string; instructions: number; kernels: number }[];
    partly: number; // ran in some of the kernels that have them
  };
}

export interface Floor {
  class: string;
  value: string;
  cases: number;
  least: number; // cases that reach the floor
  share: number; // the floor, of all cases of the set
  below: boolean;
}

export interface Distributions {
  sets: { name: string; cases: number; floors: Floor[] }[] | null; // null: no generated cases
  every: number; // one of so many cases was counted
  instantiations: { kernel: string; device: string; promised: number; never: string[] }[] | null;
}

export interface Numerics {
  judged: number; // passes and mismatches
  bare: number; // of them those of which only the headroom was kept
  // Bin 0 is at most edges[0], bin i lies in (edges[i-1], edges[i]], the last is beyond them all.
  edges: { headroom: number[]; signed: number[]; means: number[] };
  groups: {
    kernel: string;
    dtype: string;
    cases: number; // in `headroom`
    exact: number; // passes in which no error would show
    unknown: number; // headroom 0, and nothing kept that says whether one would
    headroom: number[];
    signed: number[];
    means: number[];
  }[];
  used: string[];
  loose: string[];
  loose_below: number;
  drift: {
    kernel: string;
    device: string;
    fp: string;
    dtype: string;
    outputs: number;
    columns: number;
    mean: number;
    sigma: number;
    allowed: number;
    sigmas: number;
    beyond: boolean;
  }[];
  drift_beyond: number;
  drift_columns: number;
  worst: {
    kernel: string;
    used: number | string; // "inf"
    kind: string;
    line: string;
    rerun: string;
    fp: string;
    instantiation: string;
    element: Record<"m" | "n" | "got" | "low" | "high" | "twin" | "bound", number | string> | null;
  }[];
}

export interface Report {
  format: number;
  written: string; // UTC
  build: string; // of the w4check that wrote this
  run: Run;
  summary: Summary;
  failures: Failure[];
  zoo: Zoo | null;
  kernels: Kernels | null;
  diff: Diffs | null;
  bench: Benches | null;
  coverage: CoverageReport;
  distributions: Distributions;
  numerics: Numerics;
}
