// What generated cases and suites showed against their floors, and device kernels never launched.
import { useState } from "preact/hooks";
import type { Distributions, Floor } from "../model";
import { count, some } from "../number";
import { Choice } from "./Choice";
import { Table } from "./Table";

const percent = (x: number) => `${(100 * x).toFixed(x < 0.001 && x > 0 ? 3 : 1)} %`;

export function Floors({ of }: { of: Distributions }) {
  const sets = of.sets ?? [];
  const below = (s: (typeof sets)[number]) => s.floors.filter((f) => f.below).length;
  const worst = sets.reduce((at, s, i) => (below(s) > below(sets[at]!) ? i : at), 0);
  const [chosen, choose] = useState(String(worst));
  const set = sets[Number(chosen)];
  if (!set) {
    return (
      <p>
        Floors are shares of cases that a generator or a suite promises. This run has neither cases of a campaign's source
        “random” nor of a suite with floors, so there is nothing to hold against them.
      </p>
    );
  }
  const total = sets.reduce((n, s) => n + below(s), 0);
  const rows = [...set.floors].sort((a, b) => Number(b.below) - Number(a.below) || a.cases / a.least - b.cases / b.least);
  const bar = (f: Floor) => {
    const full = Math.max(f.share * set.cases * 2, f.cases, 1);
    return (
      <span class="bar" aria-hidden="true">
        <span class={f.below ? "under" : ""} style={`width:${Math.min(100, (100 * f.cases) / full)}%`} />
        <i style={`left:${Math.min(100, (100 * f.least) / full)}%`} />
      </span>
    );
  };
  return (
    <>
      <p class={total ? "warn" : ""}>
        {total
          ? `${some(total, "floor")} of ${count(sets.reduce((n, s) => n + s.floors.length, 0))} not reached.`
          : `All ${count(sets.reduce((n, s) => n + s.floors.length, 0))} floors are reached.`}{" "}
        {of.every > 1 && `One case in ${of.every} was counted. `}
        {total > 0 && "In few cases chance alone misses one."}
      </p>
      <div class="choices">
        <Choice
          label="Cases"
          value={chosen}
          options={sets.map((s, i) => [String(i), `${s.name} (${count(s.cases)}${below(s) ? `, ${below(s)} below` : ""})`])}
          choose={choose}
        />
      </div>
      <Table
        caption={`Floors of ${set.name}: those below first`}
        rows={rows}
        page={20}
        columns={[
          { name: "class", value: (f) => f.class },
          { name: "value", value: (f) => f.value },
          { name: "cases", value: (f) => f.cases, show: (f) => count(f.cases) },
          { name: "share", value: (f) => f.cases / Math.max(set.cases, 1), show: (f) => <>{percent(f.cases / Math.max(set.cases, 1))} {bar(f)}</> },
          { name: "floor", value: (f) => f.share, show: (f) => percent(f.share) },
          {
            name: "state",
            value: (f) => (f.below ? "below" : "reached"),
            show: (f) => (f.below ? <strong class="warn">below: {count(f.least)} needed</strong> : "reached"),
          },
        ]}
      />
    </>
  );
}

export function Launched({ of }: { of: Distributions }) {
  if (!of.instantiations) {
    return <p>Not known: no verdict of this run kept the names of the device kernels it launched.</p>;
  }
  return (
    <Table
      caption="Device kernels that a row promises, and those that no case of this run launched"
      rows={of.instantiations}
      columns={[
        { name: "row", value: (p) => p.kernel },
        { name: "device", value: (p) => p.device },
        { name: "promised", value: (p) => p.promised, show: (p) => count(p.promised) },
        {
          name: "never launched",
          value: (p) => p.never.length,
          show: (p) => (p.never.length ? <strong class="warn">{count(p.never.length)}</strong> : "0"),
        },
        {
          name: "which",
          value: (p) => p.never.join(" "),
          show: (p) =>
            p.never.length > 0 && (
              <details>
                <summary>names</summary>
                <code>{p.never.join(", ")}</code>
              </details>
            ),
        },
      ]}
    />
  );
}
