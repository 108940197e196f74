// What the harness catches: every defect of the zoo, which oracle sees it and how soon.
import { useState } from "preact/hooks";
import { killsAlt, killsSpec } from "../charts/kills";
import type { Hunt, Mutant, Seeds, Zoo } from "../model";
import { Chart } from "../parts/Chart";
import { Choose, NoneFiled, Notes, Source } from "../parts/Documents";
import { Table } from "../parts/Table";
import { address } from "../route";
import { count, killedBy, kills, seconds, soonest, survivorsFirst, unknowing } from "../zoo";
import { MutantPage } from "./Mutant";

// Why it may have survived, as far as the hunt says.
export function whyAlive(m: Mutant, h: Hunt): string {
  if (m.stale) return `Not hunted: its edit no longer fits the sources. ${m.stale}`;
  if (m.equivalent) return `Nothing that can be seen changes: ${m.equivalent}`;
  const tried = m.runs.filter((r) => r.cases > 0).map((r) => `${r.cases} of ${r.generator}`);
  const ran = tried.length > 0 ? `Cases that ran: ${tried.join(", ")}.` : "No case ran.";
  const other = m.runs.find((r) => r.not_counted > 0);
  if (!other && h.only) return `${ran} Only kills by ${h.only} counted.`;
  if (!other) return `${ran} None was red: a generator or an oracle misses it, or the time was too short.`;
  return `${ran} ${count(other.not_counted, "red verdict")} of ${other.generator} did not count, for the mutant does not declare them. The first: ${other.first_not_counted}`;
}

function state(m: Mutant, generators: string[]): string {
  if (!m.killed) return "survives";
  return kills(m).some((k) => generators.includes(k.generator)) ? "killed" : "only by others";
}

// Five steps of a colour; the text says the time.
function heat(s: number): string {
  return `heat h${[0.1, 1, 5, 15].filter((x) => s > x).length}`;
}

function Survivors({ hunt, at }: { hunt: Hunt; at: number }) {
  const alive = hunt.mutants.filter((m) => !m.killed);
  return (
    <>
      <h2>Survivors</h2>
      {alive.length === 0 && <p>None: every defect that was put in was found.</p>}
      {alive.map((m) => (
        <section key={m.name}>
          <h3>
            <a href={address(`zoo/${at}`, m.name)}>{m.name || "no name"}</a>
          </h3>
          <p>{m.says}</p>
          <p class="soft">{whyAlive(m, hunt)}</p>
        </section>
      ))}
    </>
  );
}

function Matrix({ hunt, at }: { hunt: Hunt; at: number }) {
  const [family, choose] = useState("");
  const blind = unknowing(hunt);
  // [what the choice is called, the generators whose kills it counts]
  const sets: [string, string[]][] = [["any", hunt.generators]];
  if (blind.length > 1 && blind.length < hunt.generators.length) sets.push(["any but own", blind]);
  if (hunt.generators.length > 1) sets.push(...hunt.generators.map((g): [string, string[]] => [g, [g]]));
  const [set, chooseSet] = useState(0);
  const of = sets[set]?.[1] ?? hunt.generators;
  const families = [...new Set(hunt.mutants.map((m) => m.family))];
  const rows = survivorsFirst(hunt).filter((m) => family === "" || m.family === family);
  return (
    <>
      <h2>Mutants and oracles</h2>
      <p>
        In each cell the time and the cases until the oracle first saw the defect, in the generator that was soonest. A
        dash: it never did.
        {hunt.generators.includes("own") && " The generator “own” runs the lines beside a mutant, written by somebody who knew it."}
      </p>
      <div class="choices">
        <label class="filter">
          Family{" "}
          <select onChange={(e) => choose(e.currentTarget.value)}>
            <option value="">all ({hunt.mutants.length})</option>
            {families.map((f) => (
              <option key={f} value={f}>
                {f} ({hunt.mutants.filter((m) => m.family === f).length})
              </option>
            ))}
          </select>
        </label>
        <label class="filter">
          Generator{" "}
          <select onChange={(e) => chooseSet(e.currentTarget.selectedIndex)}>
            {sets.map(([name, generators]) => (
              <option key={name}>
                {name} ({killedBy(hunt, generators)} killed)
              </option>
            ))}
          </select>
        </label>
      </div>
      <Table
        key={`${family} ${set}`}
        caption="Mutants, survivors first, by the oracles that kill them"
        stack={false}
        rows={rows}
        page={200}
        columns={[
          { name: "mutant", value: (m) => m.name, show: (m) => <a href={address(`zoo/${at}`, m.name)}>{m.name || "no name"}</a> },
          {
            name: "killed",
            value: (m) => state(m, of),
            show: (m) => (m.killed ? state(m, of) : <strong class="bad">{state(m, of)}</strong>),
          },
          ...hunt.oracles.map((o) => ({
            name: o.name,
            value: (m: Mutant) => soonest(m, o.name, of)?.seconds ?? Number.MAX_VALUE,
            show: (m: Mutant) => {
              const k = soonest(m, o.name, of);
              if (!k) return <span class="heat none">–</span>;
              return (
                <span class={heat(k.seconds)} title={`${k.what}, by ${k.generator}`}>
                  {seconds(k.seconds)}
                  <small>{k.cases > 0 ? count(k.cases, "case") : k.generator}</small>
                </span>
              );
            },
          })),
        ]}
      />
    </>
  );
}

function Clean({ hunt }: { hunt: Hunt }) {
  const cases = hunt.clean.reduce((n, c) => n + c.cases, 0);
  const red = hunt.clean.reduce((n, c) => n + c.red, 0);
  return (
    <>
      <h2>Clean kernels</h2>
      {hunt.clean.length === 0 ? (
        <p>They were left out of this hunt, so nothing says that it calls only defects red.</p>
      ) : (
        <>
          <p class={red > 0 ? "bad" : ""}>
            The same generators on kernels without a defect: {cases} cases, {red} red.
            {red > 0 && " A red of a clean kernel is a fault of the harness or of the kernel: it comes first."}
          </p>
          <Table
            caption="Clean kernels, hunted the same way"
            rows={hunt.clean}
            columns={[
              { name: "kernel", value: (c) => c.name },
              { name: "cases", value: (c) => c.cases },
              { name: "red", value: (c) => c.red, show: (c) => <span class={c.red ? "bad" : ""}>{c.red}</span> },
              { name: "the first red", value: (c) => c.first || "none" },
            ]}
          />
        </>
      )}
    </>
  );
}

function Seeded({ seeds }: { seeds: Seeds[] }) {
  return (
    <>
      {seeds.map((s) => (
        <section key={s.name}>
          <h2>The random campaign alone</h2>
          <Source of={s} what="Seeds" />
          <p>
            {s.killed.length === 0
              ? "No seed was hunted to its end."
              : `${count(s.killed.length, "seed")}: ${Math.min(...s.killed)} to ${Math.max(...s.killed)} of ${count(s.hunted, "mutant")} killed.`}{" "}
            {s.audit_only > 0 && `${s.audit_only} more are of selection, which only an audit shows.`}
          </p>
        </section>
      ))}
    </>
  );
}

const file = "w4check zoo --db runs.db";

export function ZooPage({ zoo, rest }: { zoo: Zoo | null; rest: string }) {
  const [index = "0", ...name] = rest.split("/");
  const at = Number(index) || 0;
  const hunt = zoo?.hunts[at];
  if (!zoo || !hunt) {
    return (
      <>
        <h1>Zoo</h1>
        {zoo && <Notes notes={zoo.notes} />}
        <NoneFiled
          what="Real defects, put back into clean kernels one at a time, tell what the harness is worth. No hunt is in this store."
          command={file}
        />
        {zoo && <Seeded seeds={zoo.seeds} />}
      </>
    );
  }
  const named = name.join("/");
  if (named) {
    const m = hunt.mutants.find((x) => x.name === named);
    return m ? <MutantPage mutant={m} hunt={hunt} at={at} /> : <h1>This hunt has no mutant {named}</h1>;
  }
  // With --first they may never have had their turn.
  const blind = unknowing(hunt).filter((g) => hunt.mutants.some((m) => m.runs.some((r) => r.generator === g && r.cases > 0)));
  const alone = hunt.oracles.filter((o) => o.alone > 0).map((o) => `${o.name} ${o.alone}`);
  return (
    <>
      <h1 class={hunt.killed === hunt.total ? "good" : "warn"}>
        {hunt.killed} of {count(hunt.total, "mutant")} killed
      </h1>
      <p>
        {hunt.only && `Only kills by ${hunt.only} counted. `}
        {alone.length > 0
          ? `Seen by one oracle alone: ${alone.join(", ")}.`
          : hunt.killed > 0 && "Every one that was killed is seen by more than one oracle."}{" "}
        {blind.length > 0 &&
          blind.length < hunt.generators.length &&
          `Without the lines beside the mutants ${killedBy(hunt, blind)} are killed. `}
        At most {seconds(hunt.seconds)} a mutant, seed {hunt.seed}.
      </p>
      <Choose of={zoo.hunts} shown={at} page="zoo" what="Hunt" />
      <Source of={hunt} what="Hunted" />
      <Notes notes={zoo.notes} />
      <Survivors hunt={hunt} at={at} />
      <h2>Oracles</h2>
      <Table
        caption="Mutants that each oracle kills, and those that no other does"
        rows={hunt.oracles}
        columns={[
          { name: "oracle", value: (o) => o.name },
          { name: "kills", value: (o) => o.kills },
          { name: "alone", value: (o) => o.alone },
          { name: "sees", value: (o) => o.says },
        ]}
      />
      <Matrix hunt={hunt} at={at} />
      <h2>Time to kill</h2>
      <Chart spec={killsSpec(hunt)} alt={killsAlt(hunt)} />
      <Clean hunt={hunt} />
      <Seeded seeds={zoo.seeds} />
    </>
  );
}
