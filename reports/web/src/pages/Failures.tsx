import { useMemo, useState } from "preact/hooks";
import type { Failure, Report } from "../model";
import { Choice } from "../parts/Choice";
import { Table } from "../parts/Table";

// The hypothesis that alone explains it, or why there is none.
export function hypothesisOf(f: Failure): string {
  const e = f.explanation;
  if (!e) return f.hypothesis_name || (f.green ? "green when run again" : "not looked into");
  if (e.certainty === "stated" || e.certainty === "nothing") return f.green ? "green when run again" : "says itself";
  if (e.hypotheses.length === 0) return "none fits";
  return e.hypotheses.map((h) => h.name).join(" or ");
}

const sentence = (says: string) => (says ? says.charAt(0).toUpperCase() + says.slice(1) + (/[.?]$/.test(says) ? "" : ".") : "");

export function sentenceOf(f: Failure): string {
  if (f.green) return "This line was green when it ran again: the failure does not always show.";
  return sentence(f.explanation?.says ?? "");
}

// For a row of a table: what the one hypothesis says, without how it was seen.
export function shortOf(f: Failure): string {
  const one = f.explanation?.hypotheses;
  if (!f.green && one?.length === 1) return sentence(one[0]!.says);
  const all = sentenceOf(f) || f.pattern;
  return all.length > 160 ? all.slice(0, 160).replace(/\s+\S*$/, "") + " …" : all;
}

const all = "";
const optionsOf = (values: string[], name: string): [string, string][] => [
  [all, `all ${name}`],
  ...[...new Set(values)].sort().map((v): [string, string] => [v, v.replaceAll("_", " ")]),
];

export function FailuresPage({ report }: { report: Report }) {
  const failures = report.failures;
  const [kernel, chooseKernel] = useState(all);
  const [kind, chooseKind] = useState(all);
  const chosen = useMemo(() => failures.filter((f) => (kernel === all || f.kernel === kernel) && (kind === all || f.kind === kind)), [failures, kernel, kind]);
  const cases = failures.reduce((sum, f) => sum + f.cases, 0);
  const open = failures.filter((f) => !f.explanation && !f.depiction).length;
  return (
    <>
      <h1>{failures.length === 0 ? "No failures" : `${failures.length} failures, ${cases} red cases`}</h1>
      {failures.length > 0 && (
        <p>
          Red cases of one kernel, verdict and pattern are one failure, the most frequent first.
          {open > 0 && ` ${open} were not looked into: each page says why.`}
        </p>
      )}
      {failures.length > 0 && (
        <div class="choices">
          <Choice label="Kernel" value={kernel} options={optionsOf(failures.map((f) => f.kernel), "kernels")} choose={chooseKernel} />
          <Choice label="Verdict" value={kind} options={optionsOf(failures.map((f) => f.kind), "verdicts")} choose={chooseKind} />
        </div>
      )}
      {failures.length > 0 && (
        <Table
          caption={chosen.length === failures.length ? "Failures, the most frequent first" : `${chosen.length} of ${failures.length} failures, the most frequent first`}
          rows={chosen}
          filter
          columns={[
            { name: "failure", value: (f) => f.id, show: (f) => <a href={`#failure/${f.id}`}>{`Failure\u00a0${f.id}`}</a> },
            { name: "cases", value: (f) => f.cases },
            { name: "kernel", value: (f) => f.kernel },
            { name: "verdict", value: (f) => f.kind },
            { name: "hypothesis", value: hypothesisOf },
            { name: "what it says", value: shortOf },
            { name: "devices", value: (f) => f.devices.map((d) => d.device).join(", ") },
          ]}
        />
      )}
    </>
  );
}
