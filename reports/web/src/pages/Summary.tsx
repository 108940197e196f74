import type { Report } from "../model";
import { Table } from "../parts/Table";

const sign = { failed: "bad", unfinished: "warn", nothing: "warn", partly: "warn", good: "good" };

export function SummaryPage({ report }: { report: Report }) {
  const s = report.summary;
  return (
    <>
      <h1 class={sign[s.state]}>{s.sentence}</h1>
      <p>{s.advice}</p>
      <h2>Cases by kernel and device</h2>
      <Table
        caption="Cases by kernel and device"
        rows={s.table}
        columns={[
          { name: "kernel", value: (r) => r.kernel },
          { name: "device", value: (r) => r.device },
          { name: "cases", value: (r) => r.cases },
          { name: "green", value: (r) => r.green },
          { name: "red", value: (r) => r.red, show: (r) => <span class={r.red ? "bad" : ""}>{r.red}</span> },
          { name: "skipped", value: (r) => r.skipped },
          { name: "largest error / bound", value: (r) => r.headroom, show: (r) => r.headroom.toFixed(3) },
        ]}
      />
    </>
  );
}
