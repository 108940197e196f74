// How fast kernels are: a picture for each unit, and every call.
import { benchAlt, benchSpec, units, whose } from "../charts/bench";
import { useMemo } from "preact/hooks";
import type { Bench, Benches, BenchRow } from "../model";
import { digits } from "../number";
import { Chart } from "../parts/Chart";
import { Copy } from "../parts/Copy";
import { Choose, NoneFiled, Notes, Source } from "../parts/Documents";
import { Table } from "../parts/Table";
import { count } from "../zoo";

const percent = (x: number | null | undefined) => (x == null ? "–" : `${(100 * x).toFixed(1)} %`);

function spread(r: BenchRow): string {
  const t = r.cold ?? r.warm;
  if (!t || r.foreign) return "–";
  return percent(Math.max(t.high - t.seconds, t.seconds - t.low) / t.seconds);
}

const micro = (t: { seconds: number } | null) => (t ? (t.seconds * 1e6).toFixed(2) : "–");

function Rows({ bench: b }: { bench: Bench }) {
  const timed = b.rows.some((r) => r.cold || r.warm);
  return (
    <Table
      caption="Calls that have a figure"
      rows={b.rows.filter((r) => r.figure !== null)}
      columns={[
        { name: "of", value: whose, show: (r) => (r.foreign ? <em>{r.who} (not verified)</em> : r.kernel) },
        { name: "layer", value: (r) => r.shape },
        { name: "M", value: (r) => r.m },
        { name: "N", value: (r) => r.n },
        { name: "K", value: (r) => r.k },
        { name: "G", value: (r) => r.g },
        { name: "act", value: (r) => r.act || "–" },
        { name: "zp", value: (r) => r.zp || "–" },
        { name: "figure", value: (r) => r.figure!, show: (r) => digits(r.figure!) },
        { name: "unit", value: (r) => r.unit },
        ...(timed
          ? [
              { name: "of copy", value: (r: BenchRow) => percent((r.cold ?? r.warm)?.of_copy) },
              { name: "cold us", value: (r: BenchRow) => micro(r.cold) },
              { name: "spread", value: spread },
              { name: "warm us", value: (r: BenchRow) => micro(r.warm) },
            ]
          : []),
        { name: "ran", value: (r) => r.ran || "–" },
      ]}
    />
  );
}

function Without({ bench: b }: { bench: Bench }) {
  const rows = b.rows.filter((r) => r.figure === null);
  if (rows.length === 0) return null;
  return (
    <>
      <h2>Without a figure</h2>
      {rows.map((r, i) => (
        <section key={`${i} ${r.line}`}>
          <p class={r.skipped || r.green ? "soft" : "warn"}>{(r.green ? r.why : r.verdict) || "no reason was given"}</p>
          <Copy text={`w4check rerun '${r.line}'`} />
        </section>
      ))}
    </>
  );
}

function Picture({ bench: b, unit }: { bench: Bench; unit: string }) {
  const spec = useMemo(() => benchSpec(b, unit), [b, unit]);
  return (
    <>
      <h2>{unit}</h2>
      <Chart spec={spec} alt={benchAlt(b, unit)} />
    </>
  );
}

function One({ bench: b }: { bench: Bench }) {
  const red = b.rows.filter((r) => !r.green && !r.skipped).length;
  const some = b.rows.filter((r) => r.figure !== null).length;
  return (
    <>
      <h1 class={red > 0 ? "warn" : ""}>
        {count(some, "call")} measured on {b.device}
        {red > 0 && `, ${red} not green`}
      </h1>
      <p>
        {b.about && `${b.about}. `}
        {b.copy !== null && `Its own copy within its memory: ${digits(b.copy)} GB/s, read and written. `}
        Only calls whose very run was green have a figure.
      </p>
    </>
  );
}

export function BenchPage({ bench, rest }: { bench: Benches | null; rest: string }) {
  const at = Number(rest) || 0;
  const b = bench?.benches[at];
  if (!bench || !b) {
    return (
      <>
        <h1>Bench</h1>
        {bench && <Notes notes={bench.notes} />}
        <NoneFiled what="No kernel was measured in this store." command="w4check bench --device gfx1151 --db runs.db" />
      </>
    );
  }
  return (
    <>
      <One bench={b} />
      <Choose of={bench.benches} shown={at} page="bench" what="Bench" />
      <Source of={b} what="Measured" />
      <Notes notes={bench.notes} />
      {units(b).map((unit) => (
        <Picture key={`${at} ${unit}`} bench={b} unit={unit} />
      ))}
      <h2>Calls</h2>
      <Rows bench={b} />
      <Without bench={b} />
    </>
  );
}
