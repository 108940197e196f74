// Lines that one build judged differently, and cases that were lost.
import type { Summary } from "../../model";
import { Copy } from "../../parts/Copy";
import { Table } from "../../parts/Table";
import { count, plural } from "../../words";

export function Flaky({ flaky }: { flaky: Summary["flaky"] }) {
  if (flaky.total === 0) return <p>No line of this run was ever judged differently by one build.</p>;
  return (
    <Table
      caption={
        flaky.lines.length < flaky.total
          ? `The first ${flaky.lines.length} of ${count(flaky.total)} lines`
          : "Each line with all verdicts that one build gave it"
      }
      page={10}
      rows={flaky.lines}
      columns={[
        { name: "line", value: (f) => f.line, show: (f) => <Copy text={f.rerun} /> },
        {
          name: "verdicts",
          value: (f) => f.verdicts.map((v) => v.kind).join(" "),
          show: (f) => (
            <ul class="plain">
              {f.verdicts.map((v) => (
                <li key={v.kind + v.outputs}>
                  {plural(v.cases, "time", "times")} {v.kind}
                  {v.outputs && (
                    <>
                      , output <code>{v.outputs}</code>
                    </>
                  )}
                </li>
              ))}
            </ul>
          ),
        },
      ]}
    />
  );
}

export function Lost({ lost }: { lost: Summary["lost"] }) {
  return (
    <>
      <p>
        {plural(lost.total, "case", "cases")} had no verdict when a worker or the campaign ended;{" "}
        {lost.not_judged === 0 ? "all of them were judged since." : `${count(lost.not_judged)} of them have none yet.`}
      </p>
      <Table
        caption={lost.cases.length < lost.total ? `The first ${lost.cases.length} of them` : "Lost cases"}
        rows={lost.cases}
        columns={[
          { name: "line", value: (c) => c.line, show: (c) => <Copy text={c.rerun} /> },
          { name: "why", value: (c) => c.why },
          { name: "judged since", value: (c) => (c.judged ? "yes" : "no") },
        ]}
      />
    </>
  );
}
