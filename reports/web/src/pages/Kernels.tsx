// The kernels side by side, and one of them in full.
import { fileName } from "../words";
import type { Kernels } from "../model";
import { NoneFiled, Notes, Source } from "../parts/Documents";
import { Table } from "../parts/Table";
import { address } from "../route";
import { count } from "../zoo";
import { Kernel } from "./Kernel";

function range(values: number[], digits: number): string {
  if (values.length === 0) return "–";
  const low = Math.min(...values).toFixed(digits);
  const high = Math.max(...values).toFixed(digits);
  return low === high ? low : `${low}\u2060–\u2060${high}`;
}

function names(kernels: Kernels): string[] {
  const all = [
    ...(kernels.declared ?? []).map((k) => k.name),
    ...(kernels.figures?.rows ?? []).map((r) => r.kernel),
    ...(kernels.code ?? []).flatMap((c) => c.rows.map((r) => r.kernel)),
  ];
  return [...new Set(all)];
}

function Overview({ kernels }: { kernels: Kernels }) {
  const figures = (name: string) =>
    (kernels.figures?.rows ?? []).filter((r) => r.kernel === name && r.figures).map((r) => r.figures!);
  const code = (name: string) => (kernels.code ?? []).flatMap((c) => c.rows).filter((r) => r.kernel === name);
  return (
    <Table
      caption="Kernels, with what they ask of the machine over all calls that were counted"
      rows={names(kernels)}
      columns={[
        { name: "kernel", value: (k) => k, show: (k) => <a href={address("kernels", k)}>{k || "no name"}</a> },
        { name: "what it is", value: (k) => kernels.declared?.find((d) => d.name === k)?.says ?? "not of this w4check" },
        { name: "instr / weight", value: (k) => range(figures(k).map((f) => f.instructions_per_weight), 3) },
        { name: "bytes / min", value: (k) => range(figures(k).map((f) => f.bytes_over_least), 2) },
        { name: "VGPRs", value: (k) => range(code(k).flatMap((r) => [r.vgprs.least, r.vgprs.most]), 0) },
        {
          name: "spills",
          value: (k) => (code(k).length === 0 ? "–" : String(code(k).reduce((n, r) => n + r.vgpr_spills + r.sgpr_spills, 0))),
        },
      ]}
    />
  );
}

export function KernelsPage({ kernels, rest }: { kernels: Kernels | null; rest: string }) {
  if (!kernels) {
    return (
      <>
        <h1>Kernels</h1>
        <NoneFiled what="Nothing about kernels is in this report." command="w4check audit figures --db runs.db" />
      </>
    );
  }
  if (rest) {
    if (!names(kernels).includes(rest)) return <h1>This report has no kernel {rest}</h1>;
    return (
      <>
        <p>
          <a href="#kernels">All kernels</a>
        </p>
        <Kernel name={rest} kernels={kernels} />
      </>
    );
  }
  const wrong = (kernels.code ?? []).flatMap((c) => c.wrong);
  return (
    <>
      <h1>Kernels</h1>
      <Notes notes={kernels.notes} />
      {kernels.declared && <p>Declarations are those of the w4check that wrote this report.</p>}
      {kernels.modules.length > 0 && (
        <p class="warn" role="note">
          Cases of this run used {count(kernels.modules.length, "module")} whose own declarations are not shown here:{" "}
          {kernels.modules.map(fileName).join(", ")}.
        </p>
      )}
      {kernels.figures?.sources.map((s) => <Source key={s.name} of={s} what="Figures" />)}
      {kernels.code?.map((s) => <Source key={s.name} of={s} what="Code audit" />)}
      {wrong.length > 0 && (
        <>
          <h2 class="bad">{count(wrong.length, "thing is", "things are")} wrong with the code</h2>
          <ul>
            {wrong.map((w) => (
              <li key={w}>{w}</li>
            ))}
          </ul>
        </>
      )}
      <Overview kernels={kernels} />
      {!kernels.figures && <NoneFiled what="No figures are in this store." command="w4check audit figures --db runs.db" />}
      {!kernels.code && (
        <NoneFiled what="No audit of the code is in this store." command="w4check audit code --db runs.db" />
      )}
    </>
  );
}
