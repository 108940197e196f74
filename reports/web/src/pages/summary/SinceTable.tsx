// What became of each failure since the previous run.
import type { Since } from "../../model";
import { Table } from "../../parts/Table";
import { count, duration } from "../../words";
import { changes } from "./words";

const order = (state: string) => changes.findIndex((c) => c === state);

// `has`: failures that have a page.
export function SinceTable({ since, has }: { since: Since; has: Set<number> }) {
  const { previous: was, now: is } = since;
  if (!was || !is) return <p>{since.why}</p>;
  const total = changes.reduce((n, c) => n + (since.counts[c] ?? 0), 0);
  const differs = [
    was.build === is.build ? "" : "builds",
    was.machine === is.machine ? "" : "machines",
  ].filter(Boolean);
  return (
    <>
      <p>
        Compared with run {was.run} of the same kind, started {was.started} UTC ({was.state}).{" "}
        {differs.length ? `The ${differs.join(" and ")} differ.` : "Build and machine are the same."}
      </p>
      <Table
        caption="This run and the one before"
        filter={false}
        rows={[
          { name: `run ${was.run}, before`, ...was },
          { name: `run ${is.run}, this report`, ...is },
        ]}
        columns={[
          { name: "run", value: (r) => r.name },
          { name: "cases", value: (r) => r.cases, show: (r) => count(r.cases) },
          { name: "green", value: (r) => r.green, show: (r) => count(r.green) },
          { name: "red", value: (r) => r.red, show: (r) => count(r.red) },
          { name: "skipped", value: (r) => r.skipped, show: (r) => count(r.skipped) },
          { name: "work", value: (r) => r.seconds, show: (r) => duration(r.seconds) },
          { name: "build", value: (r) => r.build },
        ]}
      />
      {total === 0 ? (
        <p>Neither run shows a failure.</p>
      ) : (
        <Table
          caption={
            since.failures.length < total
              ? `The first ${since.failures.length} of ${total} failures of either run`
              : "Failures of either run. Fixed: what showed it ran again and is right; otherwise it was not seen again"
          }
          rows={[...since.failures].sort((a, b) => order(a.state) - order(b.state))}
          columns={[
            {
              name: "now",
              value: (f) => f.state,
              show: (f) => <strong class={f.state === "fixed" ? "good" : f.now ? "bad" : "warn"}>{f.state}</strong>,
            },
            {
              name: "failure",
              value: (f) => `${f.kernel} ${f.kind} ${f.hypothesis || f.pattern}`,
              show: (f) => (
                <>
                  {f.now && has.has(f.failure) ? <a href={`#failure/${f.failure}`}>{`${f.kernel}, ${f.kind}`}</a> : `${f.kernel}, ${f.kind}`}
                  <br />
                  <span class="soft">{f.hypothesis || f.pattern}</span>
                </>
              ),
            },
            { name: "cases then", value: (f) => f.then, show: (f) => count(f.then) },
            { name: "cases now", value: (f) => f.now, show: (f) => count(f.now) },
            { name: "what that rests on", value: (f) => f.how },
          ]}
        />
      )}
    </>
  );
}
