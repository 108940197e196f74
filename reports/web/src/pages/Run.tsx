// Where the verdicts come from: the run, its build and machine, and this report.
import type { ComponentChildren } from "preact";
import type { Report } from "../model";
import { Copy } from "../parts/Copy";
import { between, count, duration, large, plural } from "../words";

function Rows({ rows }: { rows: [string, ComponentChildren][] }) {
  return (
    <table class="pairs">
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function RunPage({ report }: { report: Report }) {
  const { run, summary: s } = report;
  const took = between(run.started, run.finished || run.heartbeat);
  return (
    <>
      <h1>
        Run {run.id}: {run.state}
      </h1>
      <Copy text={run.command} />
      <h2>Time and machine</h2>
      <Rows
        rows={[
          ["started", `${run.started} UTC`],
          run.finished
            ? ["finished", `${run.finished} UTC`]
            : ["last stored something", `${run.heartbeat} UTC; it is not finished`],
          ["from start to end", Number.isFinite(took) ? duration(took) : "not known"],
          ["work of all cases", `${duration(s.effort.seconds)} of one core`],
          ["wave-instructions", large(s.effort.wave_instructions)],
          ["machine", run.machine || "not recorded"],
          ["cases planned", run.planned ? count(run.planned) : "not fixed before"],
          [
            "taken over",
            s.effort.taken_over
              ? `${plural(s.effort.taken_over, "verdict", "verdicts")} of earlier runs of the same build`
              : "nothing",
          ],
        ]}
      />
      <h2>Provenance</h2>
      <Rows
        rows={[
          ["kind", run.kind],
          ["build that ran it", <code>{run.build}</code>],
          ["build that wrote this report", report.build === run.build ? "the same" : <code>{report.build}</code>],
          ["report written", `${report.written} UTC`],
          ["run, in all stores", <code>{run.uid}</code>],
          ...(run.plan ? ([["plan", <code>{run.plan}</code>]] as [string, ComponentChildren][]) : []),
        ]}
      />
      <p class="soft">report.json beside this page holds all that it shows.</p>
    </>
  );
}
