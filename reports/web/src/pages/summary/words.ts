// What the summary's names mean.
import type { Change, Level, State } from "../../model";

export const sign: Record<State, string> = {
  failed: "bad",
  flaky: "bad",
  unfinished: "warn",
  nothing: "warn",
  partly: "warn",
  good: "good",
};

export const levels: Record<Level, string> = {
  unknown: "of unknown origin",
  assumed: "assumed: chips were measured to do otherwise",
  documented: "as AMD's documents say, not measured",
  measured: "as measured on chips",
  exact: "defined exactly (IEEE, integers)",
};

export const changes: Change[] = ["new", "still failing", "fixed", "not seen again"];
