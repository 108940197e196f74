import type { Failure, Report } from "../model";
import { Table } from "../parts/Table";

// The hypothesis that alone explains it, or why there is none.
export function hypothesisOf(f: Failure): string {
  const e = f.explanation;
  if (!e) return f.hypothesis_name || (f.green ? "green when run again" : "not looked into");
  if (e.certainty === "stated" || e.certainty === "nothing") return f.green ? "green when run again" : "says itself";
  if (e.hypotheses.length === 0) return "none fits";
  return e.hypotheses.map((h) => h.name).join(" or ");
}

export function sentenceOf(f: Failure): string {
  if (f.green) return "This line was green when it ran again: the failure does not always show.";
  const says = f.explanation?.says ?? "";
  return says ? says.charAt(0).toUpperCase() + says.slice(1) + (/[.?]$/.test(says) ? "" : ".") : "";
}

export function FailuresPage({ report }: { report: Report }) {
  const failures = report.failures;
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
        <Table
          caption="Failures, the most frequent first"
          rows={failures}
          filter
          columns={[
            { name: "failure", value: (f) => f.id, show: (f) => <a href={`#failure/${f.id}`}>{`Failure ${f.id}`}</a> },
            { name: "cases", value: (f) => f.cases },
            { name: "kernel", value: (f) => f.kernel },
            { name: "verdict", value: (f) => f.kind },
            { name: "hypothesis", value: hypothesisOf },
            { name: "what it says", value: (f) => sentenceOf(f) || f.pattern },
            { name: "devices", value: (f) => f.devices.map((d) => d.device).join(", ") },
          ]}
        />
      )}
    </>
  );
}
