// One defect of the zoo: what it is, and each line that shows it.
import type { Hunt, Mutant } from "../model";
import { Copy } from "../parts/Copy";
import { Table } from "../parts/Table";
import { count, kills, seconds } from "../zoo";
import { whyAlive } from "./Zoo";

export function MutantPage({ mutant: m, hunt, at }: { mutant: Mutant; hunt: Hunt; at: number }) {
  const all = kills(m).sort((a, b) => a.seconds - b.seconds);
  const lines = [...new Set(all.map((k) => k.rerun))].filter((line) => line !== "");
  const caseless = all.filter((k) => k.rerun === "");
  return (
    <>
      <p>
        <a href={`#zoo/${at}`}>All mutants</a>
      </p>
      <h1 class={m.killed ? "" : "bad"}>
        {m.name} {m.killed ? "is killed" : "survives"}
      </h1>
      <p>{m.says}</p>
      {m.covers.length > 0 && (
        <p class="soft">
          {m.covers.join(", ")} of <code>docs/defects.md</code>
        </p>
      )}
      {!m.killed && <p class="warn">{whyAlive(m, hunt)}</p>}
      {lines.map((line) => {
        const by = all.filter((k) => k.rerun === line);
        return (
          <section key={line}>
            <h2>{[...new Set(by.map((k) => k.oracle))].join(", ")}</h2>
            <p>
              {[...new Set(by.map((k) => k.what))].join(", ")}, by {by[0]!.generator} after{" "}
              {count(by[0]!.cases, "case")}, {seconds(by[0]!.seconds)}
            </p>
            <Copy text={line} />
            <p class="soft">{by[0]!.text}</p>
          </section>
        );
      })}
      {caseless.map((k) => (
        <section key={`${k.generator} ${k.oracle} ${k.what}`}>
          <h2>{k.oracle}</h2>
          <p>
            {k.what}, by {k.generator} after {seconds(k.seconds)}; no case shows it
          </p>
          <p class="soft">{k.text}</p>
        </section>
      ))}
      <h2>Generators</h2>
      <Table
        caption="What each generator ran"
        rows={m.runs}
        columns={[
          { name: "generator", value: (r) => r.generator },
          { name: "cases", value: (r) => r.cases },
          { name: "seconds", value: (r) => r.seconds, show: (r) => r.seconds.toFixed(1) },
          { name: "kills by", value: (r) => [...new Set(r.kills.map((k) => k.oracle))].join(", ") || "none" },
          { name: "red, not counted", value: (r) => r.not_counted },
          { name: "mistrusted", value: (r) => r.mistrusted },
        ]}
      />
      {m.explain && (
        <>
          <h2>What explain says</h2>
          <p>
            {m.explain.diagnosis}: {m.explain.said}
          </p>
        </>
      )}
      {m.recipe && (
        <p>
          Of upstream's own {count(m.recipe.tests, "test")} {m.recipe.failed} fail.
        </p>
      )}
    </>
  );
}
