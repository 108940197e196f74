import type { Report, Summary } from "../model";
import { Table } from "../parts/Table";
import { count } from "../words";
import { ArithmeticUsed } from "./summary/ArithmeticUsed";
import { FirstScreen } from "./summary/FirstScreen";
import { Flaky, Lost } from "./summary/Flaky";
import { StopRule, Zoo } from "./summary/Searched";
import { SinceTable } from "./summary/SinceTable";

function Counts({ s }: { s: Summary }) {
  return (
    <Table
      caption="Cases by kernel and device"
      hidden
      rows={s.table}
      columns={[
        { name: "kernel", value: (r) => r.kernel },
        { name: "device", value: (r) => r.device },
        { name: "cases", value: (r) => r.cases, show: (r) => count(r.cases) },
        { name: "green", value: (r) => r.green, show: (r) => count(r.green) },
        {
          name: "red",
          value: (r) => r.red,
          show: (r) => (r.red ? <strong class="bad">{count(r.red)}</strong> : "0"),
        },
        {
          name: "what failed",
          value: (r) =>
            Object.entries(r.kinds)
              .filter(([kind]) => !["pass", "skipped", "refused"].includes(kind))
              .map(([kind, n]) => `${count(n)} ${kind.replace("_", " ")}`)
              .join(", "),
        },
        { name: "skipped", value: (r) => r.skipped, show: (r) => count(r.skipped) },
        { name: "largest error / bound", value: (r) => r.headroom, show: (r) => r.headroom.toFixed(3) },
      ]}
    />
  );
}

function Skipped({ s }: { s: Summary }) {
  return (
    <Table
      caption="Why cases were skipped"
      hidden
      rows={[...s.skipped].sort((a, b) => b.cases - a.cases)}
      columns={[
        { name: "reason", value: (r) => r.reason.replaceAll("_", " ") },
        { name: "cases", value: (r) => r.cases, show: (r) => count(r.cases) },
      ]}
    />
  );
}

// What other reports have and this one has not: a line each.
function Missing({ s }: { s: Summary }) {
  if (s.since.previous && s.zoo) return null;
  return (
    <section class="soft" aria-label="Not in this report">
      {!s.since.previous && <p>No comparison with an earlier run: {lower(s.since.why)}</p>}
      {!s.zoo && (
        <p>
          No score of planted defects: <code>w4check zoo --db</code> with this store files one.
        </p>
      )}
    </section>
  );
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

export function SummaryPage({ report }: { report: Report }) {
  const s = report.summary;
  return (
    <>
      <FirstScreen report={report} />
      {s.flaky.total > 0 && (
        <>
          <h2>Flaky lines</h2>
          <Flaky flaky={s.flaky} />
        </>
      )}
      {s.skipped.length > 0 && (
        <>
          <h2>Skipped cases</h2>
          <Skipped s={s} />
        </>
      )}
      {s.since.previous && (
        <>
          <h2>Since the last run</h2>
          <SinceTable since={s.since} has={new Set(report.failures.map((f) => f.id))} />
        </>
      )}
      <h2>Kernels and devices</h2>
      {s.table.length ? <Counts s={s} /> : <p>No case has a verdict.</p>}
      {s.lost.total > 0 && (
        <>
          <h2>Lost cases</h2>
          <Lost lost={s.lost} />
        </>
      )}
      {s.stop && (
        <>
          <h2>When to stop</h2>
          <StopRule stop={s.stop} />
        </>
      )}
      {s.zoo && (
        <>
          <h2>Planted defects</h2>
          <Zoo zoo={s.zoo} />
        </>
      )}
      <h2>Arithmetic</h2>
      <ArithmeticUsed used={s.arithmetic} />
      <Missing s={s} />
    </>
  );
}
