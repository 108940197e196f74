// The most frequent failures, each in a sentence: what a reader is to know before any figure.
import type { Failure, Report } from "../../model";
import { Table } from "../../parts/Table";
import { count, fileName, plural } from "../../words";

const kShown = 8;

// What is wrong, in one clause: what explains it alone, otherwise the rule that was broken.
function gist(f: Failure): string {
  if (f.green) return "Green when it ran again: it does not always show";
  const kinds = [...new Set(f.depiction?.findings.map((x) => x.kind))].join(", ");
  const named = f.explanation?.hypotheses ?? [];
  const found = f.depiction?.findings[0];
  const text = named.length
    ? named.map((h) => h.says).join(", or ") + (kinds ? ` (${kinds})` : "")
    : found
      ? `${found.kind}: ${found.detail}`
      : f.explanation?.says || f.hypothesis_name || place(f.pattern);
  // Not a name: "lds_race" is spelt so.
  return /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

// Of a finding's place the innermost frame, without what its templates are made of.
const place = (pattern: string) => /^\S+ at \S+:\d+ in [\w:~]+/.exec(pattern)?.[0] ?? pattern;

// "decode of g64_runs_128.so": the kernel, and of which file where its line names one.
function kernelOf(f: Failure): string {
  const module = /\smodule=([^\s']+)/.exec(f.rerun)?.[1];
  return module ? `${f.kernel} of ${fileName(module)}` : f.kernel;
}

export function WhatIsWrong({ report }: { report: Report }) {
  const all = report.failures;
  if (all.length === 0) return null;
  return (
    <section class="wrong">
      <h2>What is wrong</h2>
      <Table
        caption={`The ${Math.min(kShown, all.length)} most frequent of ${plural(report.summary.failures, "failure", "failures")}`}
        hidden
        rows={all.slice(0, kShown)}
        columns={[
          { name: "failure", value: gist, show: (f) => <a href={`#failure/${f.id}`}>{gist(f)}</a> },
          { name: "kernel", value: kernelOf },
          { name: "device", value: (f) => f.devices.map((d) => d.device).join(", ") },
          { name: "verdict", value: (f) => f.kind.replace("_", " ") },
          { name: "cases", value: (f) => f.cases, show: (f) => count(f.cases) },
        ]}
      />
      {report.summary.failures > kShown && (
        <p>
          <a href="#failures">All {plural(report.summary.failures, "failure", "failures")}</a>, the most frequent first.
        </p>
      )}
    </section>
  );
}
