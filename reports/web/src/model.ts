// The document that w4check writes (report.json) and the pages show. docs/report.md says what each
// member means; reports/ in C++ writes it. A member that is null or empty was not there to be shown.

export type State = "failed" | "unfinished" | "nothing" | "partly" | "good";

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
}

export interface Summary {
  state: State;
  sentence: string; // the verdict on the run
  advice: string; // what to do next
  all: Tally;
  table: KernelDevice[];
  skipped: { reason: string; cases: number }[];
}

export interface Failure {
  id: number;
  kernel: string;
  kind: string;
  pattern: string;
  cases: number;
  rerun: string; // a command for a shell
  text: string; // the verdict, as the terminal prints it
}

export interface Report {
  format: number;
  written: string; // UTC
  build: string; // of the w4check that wrote this
  run: Run;
  summary: Summary;
  failures: Failure[];
}
