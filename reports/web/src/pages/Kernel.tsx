// One kernel: what it takes and promises, what it asks of the machine, what its code is made of.
import { figuresAlt, figuresSpec } from "../charts/figures";
import type { CodeRow, DeclaredKernel, FigureRow, Kernels, Numerics, Span } from "../model";
import { Chart, panelWidth } from "../parts/Chart";
import { NoneFiled, Source } from "../parts/Documents";
import { Table } from "../parts/Table";
import { count } from "../zoo";

function span(s: Span): string {
  return s.least === s.most ? String(s.most) : `${s.least}\u2060–\u2060${s.most}`;
}

function sizes(r: FigureRow): string[] {
  return [`N ${r.n}`, `K ${r.k}`, `G ${r.g}`, r.act];
}

function Takes({ of: k }: { of: DeclaredKernel }) {
  const rules = k.rules.reduce((n, t) => n + t.clauses.length, 0);
  return (
    <>
      <h2>What it takes</h2>
      <p>
        Weights: {k.weights}. Zero points: none, or {k.zero_points.join("; or ")}.{" "}
        {k.carrier && "It reads scale and zero point from one word a group (the carrier). "}
        {k.shape_form && "It promises the shape of the output from shapes alone. "}
        Code for {k.archs.join(", ")}.
      </p>
      <Table
        caption={`${count(rules, "rule")} a call must keep, by what they are about; the clause is the name in a refusal`}
        rows={k.rules}
        filter={false}
        columns={[
          { name: "about", value: (t) => t.topic },
          {
            name: "rules",
            value: (t) => String(t.clauses.length),
            show: (t) => (
              <ul class="plain">
                {t.clauses.map((c) => (
                  <li key={c.name + c.route}>
                    {c.says}
                    {c.route && ` (only where it routes to ${c.route})`} <code class="soft">{c.name}</code>
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </>
  );
}

function Numbers({ of: n, one }: { of: Numerics; one: boolean }) {
  const [says = "", code = ""] = n.text.split("Device code: ");
  const m = [...new Set(n.chains.map((c) => c.m))];
  return (
    <>
      {!one && <h3>Where M is {m.join(", ")}</h3>}
      <p>{says}</p>
      <Table
        caption="Where it rounds, found by carrying the declaration out"
        rows={n.rounded}
        columns={[
          { name: "type", value: (r) => r.act },
          { name: "weight that multiplies an activation", value: (r) => r.weight },
          { name: "what is stored", value: (r) => r.store },
        ]}
      />
      {n.chains.length > 0 && (
        <Table
          caption={`How the products are summed, at N ${n.chains[0]!.n}, K ${n.chains[0]!.k}, G ${n.chains[0]!.g}`}
          rows={n.chains}
          filter={false}
          columns={[
            { name: "type", value: (c) => c.act },
            { name: "rows", value: (c) => c.m },
            { name: "unit", value: (c) => c.unit },
            { name: "roundings on the longest path", value: (c) => c.roundings },
            { name: "products a step", value: (c) => c.chunk, show: (c) => (c.chunk === 0 ? "order not known" : c.chunk) },
            { name: "128 + q, corrected", value: (c) => (c.offset_trick ? "yes" : "no") },
          ]}
        />
      )}
      {code && <p class="soft">Device code: {code}</p>}
    </>
  );
}

function Promised({ of: k }: { of: DeclaredKernel }) {
  return (
    <>
      <h2>Laws it promises bit for bit</h2>
      {k.laws.length === 0 ? (
        <p>None: relations between its calls are judged within the sum of both intervals.</p>
      ) : (
        <details>
          <summary>{k.laws.map((l) => l.name).join(", ")}</summary>
          <ul>
            {k.laws.map((l) => (
              <li key={l.name}>
                <code>{l.name}</code>: {l.says}
              </li>
            ))}
          </ul>
        </details>
      )}
      <h2>Code that is built in</h2>
      {k.objects.length === 0 ? (
        <p>None of its own: it launches the code of other kernels.</p>
      ) : (
        <Table
          caption="Code objects by arch"
          rows={k.objects}
          columns={[
            { name: "arch", value: (o) => o.arch },
            { name: "types", value: (o) => o.acts.join(", ") },
            { name: "G compiled for", value: (o) => o.groups.map((g) => (g === 0 ? "any" : g)).join(", ") },
            { name: "objects", value: (o) => o.objects },
            { name: "KiB", value: (o) => Math.round(o.bytes / 1024) },
          ]}
        />
      )}
    </>
  );
}

function Asked({ name, rows, kernels }: { name: string; rows: FigureRow[]; kernels: Kernels }) {
  const known = rows.filter((r) => r.figures !== null);
  const rest = rows.filter((r) => r.figures === null);
  if (!kernels.figures) {
    return <NoneFiled what="No figures are in this store." command="w4check audit figures --db runs.db" />;
  }
  if (rows.length === 0) return <p>The figures in this store have no call of {name}.</p>;
  const shapes = new Set(known.map((r) => sizes(r).join()));
  const shape = shapes.size === 1 ? sizes(known[0]!) : null;
  const number = (f: keyof NonNullable<FigureRow["figures"]>, column: string, digits = 3) => ({
    name: column,
    value: (r: FigureRow) => r.figures![f],
    show: (r: FigureRow) => r.figures![f].toFixed(digits),
  });
  const panel = panelWidth(2);
  return (
    <>
      {known.length > 0 && (
        <>
          <Chart spec={figuresSpec(rows, panel.columns, panel.width)} alt={figuresAlt(name, rows)} />
          <Table
            caption={`${shape ? `${shape.join(", ")}. ` : ""}Counts of what the code asks of a machine, not times; minimum: what the problem needs`}
            rows={known}
            columns={[
              { name: "arch", value: (r) => r.device },
              { name: "call", value: (r) => r.call },
              ...(shape ? [] : [{ name: "sizes", value: (r: FigureRow) => sizes(r).join(" ") }]),
              number("instructions_per_weight", "instr / weight", 4),
              number("bytes_over_least", "bytes / min"),
              number("lines_over_least", "lines / min"),
              number("footprint_over_least", "footprint / min"),
              number("lds_cycles_over_least", "LDS cycles / min"),
              number("barriers_per_wave", "barriers / wave", 1),
              number("dot2_over_least", "dot2 / products"),
              number("wmma_over_least", "WMMA / products"),
              { name: "ran", value: (r) => r.instantiation },
            ]}
          />
        </>
      )}
      {rest.map((r) => (
        <p key={r.line} class="warn">
          Not counted: <code>{r.line}</code>: {r.verdict}
        </p>
      ))}
    </>
  );
}

function Code({ name, kernels }: { name: string; kernels: Kernels }) {
  if (!kernels.code) {
    return <NoneFiled what="No audit of the code is in this store." command="w4check audit code --db runs.db" />;
  }
  const audits = kernels.code.map((a) => ({ ...a, rows: a.rows.filter((r) => r.kernel === name) }));
  const with_rows = audits.filter((a) => a.rows.length > 0);
  if (with_rows.length === 0) return <p>The audits in this store have no code of this name.</p>;
  return (
    <>
      {with_rows.map((a) => (
        <>
          {kernels.code!.length > 1 && <Source of={a} what="Audited" />}
          <Table
            caption="Registers, LDS and instructions; from to is over the compiled kernels"
            rows={a.rows}
            columns={[
              { name: "arch", value: (r: CodeRow) => r.arch },
              { name: "kernels", value: (r) => r.kernels },
              { name: "VGPRs", value: (r) => span(r.vgprs) },
              { name: "SGPRs", value: (r) => span(r.sgprs) },
              { name: "LDS bytes", value: (r) => span(r.lds_bytes) },
              { name: "LDS bytes asked for", value: (r) => (r.dynamic_lds_bytes ? span(r.dynamic_lds_bytes) : "none") },
              { name: "spills", value: (r) => r.vgpr_spills + r.sgpr_spills },
              { name: "scratch bytes", value: (r) => r.scratch_bytes },
              { name: "waves / SIMD", value: (r) => r.waves_per_simd },
              { name: "dot2", value: (r) => span(r.instructions.dot2!) },
              { name: "WMMA", value: (r) => span(r.instructions.wmma!) },
              { name: "global b128", value: (r) => span(r.instructions.global_load_b128!) },
              { name: "LDS b128", value: (r) => span(r.instructions.ds_load_b128!) },
            ]}
          />
        </>
      ))}
    </>
  );
}

export function Kernel({ name, kernels }: { name: string; kernels: Kernels }) {
  const k = kernels.declared?.find((d) => d.name === name);
  const rows = kernels.figures?.rows.filter((r) => r.kernel === name) ?? [];
  return (
    <section>
      <h1>Kernel {name}</h1>
      {k ? (
        <>
          <p>{k.says}.</p>
          <Takes of={k} />
          <h2>Numerics</h2>
          {k.numerics.map((n) => (
            <Numbers key={n.text} of={n} one={k.numerics.length === 1} />
          ))}
          <Promised of={k} />
        </>
      ) : (
        <p>This w4check has no kernel of this name: its declaration is not known here.</p>
      )}
      <h2>What it asks of the machine</h2>
      <Asked name={name} rows={rows} kernels={kernels} />
      <h2>What its code is made of</h2>
      <Code name={name} kernels={kernels} />
    </section>
  );
}
