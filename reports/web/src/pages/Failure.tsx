// One failure: what explains it, its line, then everything that was seen of it.
import { useMemo } from "preact/hooks";
import { alongKSpec, marks } from "../charts/alongK";
import { axes, outputSpec } from "../charts/output";
import type { AlongK, Depiction, Element, Explanation, Failure, Num, Report } from "../model";
import { Chart } from "../parts/Chart";
import { Copy } from "../parts/Copy";
import { Findings } from "../parts/Findings";
import { Table } from "../parts/Table";
import { sentenceOf } from "./Failures";

const count = (n: number, one: string, many = one + "s") => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const digits = (v: Num) => (typeof v === "number" ? Number(v.toPrecision(6)).toString() : v);
const by = (v: Num) => (typeof v === "number" ? v : v === "inf" ? Number.MAX_VALUE : v === "-inf" ? -Number.MAX_VALUE : 0);

const certain: Record<Explanation["certainty"], string> = {
  nothing: "",
  stated: "What the check saw says it",
  exact: "Certain: bit for bit",
  within: "Likely: within the bounds of its sums",
  affected: "Likely: it predicts which elements are wrong",
  several: "Not decided between several",
  none: "No hypothesis fits",
};

function Why({ failure }: { failure: Failure }) {
  const e = failure.explanation;
  return (
    <>
      {sentenceOf(failure) && <p class="lead">{sentenceOf(failure)}</p>}
      {failure.why && <p class="warn">Note: {failure.why}.</p>}
      {!e && failure.hypothesis_name && (
        <p>
          Hypothesis <code>{failure.hypothesis_name}</code>
        </p>
      )}
      {e && (
        <p class="soft">
          {certain[e.certainty]}
          {e.how && ` (${e.how})`}
          {e.hypotheses.length === 1 && (
            <>
              {" · hypothesis "}
              <code>{e.hypotheses[0]!.name}</code>
              {e.hypotheses[0]!.defects && `, seen as ${e.hypotheses[0]!.defects}`}
            </>
          )}
        </p>
      )}
      {e && e.hypotheses.length > 1 && (
        <ul>
          {e.hypotheses.map((h) => (
            <li key={h.name}>
              <code>{h.name}</code>: {h.says}
            </li>
          ))}
        </ul>
      )}
      {e && e.pattern.length > 0 && (
        <ul>
          {e.pattern.map((p) => (
            <li key={p}>{p}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function got(e: Element) {
  return e.what === "unwritten" ? "never written" : digits(e.got);
}

function Worst({ depiction }: { depiction: Depiction }) {
  const sized = (e: Element) =>
    e.what === "wrong" && typeof e.error === "number" && typeof e.bound === "number" && typeof e.got === "number" && typeof e.twin === "number";
  // Of these each row would say the same.
  if (depiction.worst.every((e) => e.what === "unwritten")) {
    return (
      <p>
        The worst of {count(depiction.wrong, "wrong element")} of {(depiction.m * depiction.n).toLocaleString("en")} were never
        written, ({depiction.worst[0]!.m}, {depiction.worst[0]!.n}) first.
      </p>
    );
  }
  return (
    <Table
      caption={`The worst of ${count(depiction.wrong, "wrong element")} of ${(depiction.m * depiction.n).toLocaleString("en")}`}
      rows={depiction.worst}
      filter={false}
      columns={[
        { name: "row m", value: (e) => e.m },
        { name: "column n", value: (e) => e.n },
        { name: "got", value: (e) => by(e.got), show: got },
        { name: "legal from", value: (e) => by(e.low), show: (e) => digits(e.low) },
        { name: "to", value: (e) => by(e.high), show: (e) => digits(e.high) },
        { name: "sum before the store", value: (e) => by(e.twin), show: (e) => digits(e.twin) },
        { name: "bound B", value: (e) => by(e.bound), show: (e) => (e.bound === 0 ? "0 (exact sums)" : digits(e.bound)) },
        // Its size, as it is sorted: the legal values beside it say which way it goes.
        {
          name: "size of the error, in tolerances",
          value: (e) => (sized(e) ? Math.abs(by(e.error)) : Number.MAX_VALUE),
          show: (e) => (sized(e) ? Number(Math.abs(Number(e.error)).toPrecision(4)).toString() : "no number"),
        },
      ]}
    />
  );
}

function geometryWords(d: Depiction): string {
  const g = d.geometry;
  if (!g) {
    const what = d.instantiation ? `What ran (${d.instantiation})` : "What ran";
    return `${what} does not say how it divides its output: no edges are drawn.`;
  }
  const waves = g.family === "walk" ? `a wave makes ${count(g.n.wave, "column")} of all rows, its lanes share K` : `a wave makes ${g.m.wave} by ${g.n.wave}, in matrix instructions of 16 by 16`;
  return `${d.instantiation}: a workgroup's tile is ${g.m.tile} rows by ${g.n.tile} columns, ${waves}.`;
}

function outputAlt(d: Depiction): string {
  const { m, n } = axes(d);
  const left = [...new Set([...m.left, ...n.left])];
  const cell = d.picture!.rows * d.picture!.columns;
  return [
    `Error over the ${d.m} by ${d.n} output: ${d.wrong} of ${d.m * d.n} elements are wrong`,
    cell > 1 ? `, a cell shows the worst of ${d.picture!.rows} by ${d.picture!.columns} elements` : "",
    `. ${geometryWords(d)}`,
    left.length ? ` Edges of ${left.join(" and ")} lie too close to be drawn.` : "",
    d.reordered ? " Rows are in the order of the blocks of their experts." : "",
  ].join("");
}

function alongAlt(d: Depiction, a: AlongK): string {
  const at = `Element (${a.m}, ${a.n}) with activations zero from some k on`;
  const group = (k: number) => (d.g > 0 ? `, in group ${Math.floor(k / d.g)} (k = ${Math.floor(k / d.g) * d.g} to ${Math.floor(k / d.g) * d.g + d.g - 1})` : "");
  const { tail } = marks(d);
  const departs =
    a.departs === null
      ? a.cut_short
        ? "there was no time to find where it departs"
        : "the point where it departs was not found"
      : a.departs === -1
        ? "it is wrong with all activations zero: the error does not come from products with them"
        : `it is right up to k = ${a.departs} and leaves its interval with column k = ${a.departs}${group(a.departs)}`;
  const any =
    a.any_departs !== null && a.any_departs >= 0 && a.any_departs !== a.departs
      ? ` The first element of the output to go wrong does so at k = ${a.any_departs}${group(a.any_departs)}.`
      : "";
  return `${at}: ${departs}.${any} K = ${d.k}, groups of ${d.g}${tail !== null ? `, the tail starts at k = ${tail}` : ""}.`;
}

// Of what run the tables and pictures are, where it is not the one that the checks saw.
function HowSeen({ depiction }: { depiction: Depiction }) {
  if (!depiction.unchecked) return null;
  const found = (...kinds: string[]) => depiction.findings.some((f) => kinds.includes(f.kind));
  return (
    <p class="warn">
      Note: the check that found this ends a wave on the spot, so its outputs say nothing. The outputs below are of the same
      line run with checks off.
      {found("oob_read", "oob_write") && " A read out of bounds gives zeros there, a write out of bounds is lost."}
      {found("lds_oob") &&
        " An instruction with a lane outside LDS does nothing there: its registers keep what they held, so a chip, which reads zeros, gives other values."}
      {depiction.wrong === 0 && " So run, every element is within its interval: only the check shows this failure."}
    </p>
  );
}

// Nothing but what a check kept from being written.
const nothingSeen = (d: Depiction) => !!d.why_checked && d.worst.every((e) => e.what === "unwritten");

function Output({ depiction }: { depiction: Depiction }) {
  const spec = useMemo(() => outputSpec(depiction), [depiction]);
  return (
    <>
      <h2>Where it is wrong</h2>
      <Chart spec={spec} alt={outputAlt(depiction)} />
      <p class="soft">
        A tolerance is the bound B on what the order of summation leaves open, at least half a unit in the last place.
      </p>
    </>
  );
}

function Along({ depiction, along }: { depiction: Depiction; along: AlongK }) {
  const spec = useMemo(() => alongKSpec(depiction), [depiction]);
  return (
    <>
      <h2>Where along K it goes wrong</h2>
      {along.points.length > 0 ? <Chart spec={spec} alt={alongAlt(depiction, along)} /> : <p>No picture: {along.why}.</p>}
    </>
  );
}

function Seen({ failure }: { failure: Failure }) {
  const d = failure.depiction;
  if (!d) {
    return (
      <>
        <h2>Where it is wrong</h2>
        <p>No picture: {failure.why || "the line was not depicted"}.</p>
      </>
    );
  }
  return (
    <>
      {d.why && (
        <>
          <h2>Where it is wrong</h2>
          <p>No picture, for the call gives no output:</p>
          <pre>{d.why}</pre>
        </>
      )}
      <HowSeen depiction={d} />
      {nothingSeen(d) && (
        <>
          <h2>Where it is wrong</h2>
          <p>No picture: the check that found this ends the launch, and with checks off the call gives no output:</p>
          <pre>{d.why_checked}</pre>
        </>
      )}
      {d.worst.length > 0 && !nothingSeen(d) && (
        <>
          <h2>Worst elements</h2>
          <Worst depiction={d} />
        </>
      )}
      {d.picture && d.wrong > 0 && !nothingSeen(d) && <Output depiction={d} />}
      {d.picture && d.wrong === 0 && !failure.green && !d.unchecked && <p>Every element of the output is within its interval.</p>}
      {d.along_k && d.wrong > 0 && !nothingSeen(d) && <Along depiction={d} along={d.along_k} />}
      {d.findings.length > 0 && (
        <>
          <h2>What checks found</h2>
          <Findings depiction={d} />
        </>
      )}
      {(d.picture || d.findings.length > 0) && (
        <p class="soft">
          Seen at {failure.depicted_at} UTC on <code>{d.line}</code>
        </p>
      )}
    </>
  );
}

export function FailurePage({ report, id }: { report: Report; id: string }) {
  const f = report.failures.find((x) => String(x.id) === id);
  if (!f) return <h1>This report has no failure {id}</h1>;
  const shown = f.lines.length < f.cases ? `the first ${f.lines.length} of ${f.cases.toLocaleString("en")}` : "all of them";
  return (
    <>
      <h1>
        Failure {f.id}: {f.kind.replaceAll("_", " ")} of {f.kernel}
      </h1>
      <Why failure={f} />
      <p>
        {f.shrunk ? "The smallest line that fails so" : "A line that fails so; it was not made smaller"},{" "}
        {count(f.cases, "red case")} on {f.devices.map((d) => d.device).join(", ")}:
      </p>
      <Copy text={f.rerun} />
      <Seen failure={f} />
      <h2>Other lines that fail so</h2>
      <Table
        caption={`Lines folded into this failure, ${shown}`}
        rows={f.lines}
        page={10}
        columns={[
          { name: "line", value: (l) => l.line, show: (l) => <code>{l.line}</code> },
          { name: "verdict", value: (l) => l.kind },
          { name: "source", value: (l) => (l.source ? `${l.source} ${l.number}` : String(l.number)) },
        ]}
      />
      <h2>Earlier runs that show it</h2>
      {f.history.length === 0 ? (
        <p>No other run of this store shows a failure of this kernel, verdict and pattern.</p>
      ) : (
        <Table
          caption="Other runs with a failure of this kernel, verdict and pattern"
          rows={f.history}
          columns={[
            { name: "run", value: (h) => h.run },
            { name: "started (UTC)", value: (h) => h.started },
            { name: "cases", value: (h) => h.cases },
            { name: "build", value: (h) => h.build },
          ]}
        />
      )}
      <details>
        <summary>All that was recorded of its first case</summary>
        <pre>{f.text}</pre>
        <pre>{JSON.stringify(f.verdict, null, 2)}</pre>
      </details>
    </>
  );
}
