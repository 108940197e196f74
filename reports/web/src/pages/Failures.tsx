import type { Report } from "../model";
import { Copy } from "../parts/Copy";
import { Table } from "../parts/Table";

export function FailuresPage({ report }: { report: Report }) {
  return (
    <>
      <h1>Failures</h1>
      <Table
        caption="Failures, red cases of one cause folded into one"
        rows={report.failures}
        columns={[
          { name: "failure", value: (f) => f.id, show: (f) => <a href={`#failure/${f.id}`}>{f.id}</a> },
          { name: "kernel", value: (f) => f.kernel },
          { name: "verdict", value: (f) => f.kind },
          { name: "pattern", value: (f) => f.pattern },
          { name: "cases", value: (f) => f.cases },
        ]}
      />
    </>
  );
}

export function FailurePage({ report, id }: { report: Report; id: string }) {
  const f = report.failures.find((x) => String(x.id) === id);
  if (!f) return <h1>This report has no failure {id}</h1>;
  return (
    <>
      <h1>
        Failure {f.id}: {f.kind} of {f.kernel}
      </h1>
      <Copy text={f.rerun} />
      <pre>{f.text}</pre>
    </>
  );
}
