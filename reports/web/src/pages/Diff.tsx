// Two versions of a module: what is not the same between them, section by section.
import type { Diff, Diffs, DiffSection } from "../model";
import { Copy } from "../parts/Copy";
import { Choose, NoneFiled, Notes, Source } from "../parts/Documents";
import { Table } from "../parts/Table";
import { fileName } from "../words";
import { count } from "../zoo";

const asks: Record<string, string> = {
  contract: "which calls each takes or refuses, and what each declares",
  route: "which kernel and instantiation each launches for the layers of models",
  code: "what the launched machine code is made of",
  work: "what it asks of the machine, counted while it runs",
  bits: "what both write where both take the call",
};

const kOpen = 5; // rows of a section whose lines are shown at once

// "A: w4check rerun '…'" is a command; other lines are said as they are.
function Below({ line }: { line: string }) {
  const at = line.indexOf(": w4check ");
  if (at < 0) return <p class="soft">{line}</p>;
  return (
    <>
      <p class="soft">{line.slice(0, at)}</p>
      <Copy text={line.slice(at + 2)} />
    </>
  );
}

function Section({ section: s }: { section: DiffSection }) {
  const found = s.rows.length === 0 ? "no difference" : count(s.rows.length, "difference");
  return (
    <section>
      <h2>
        {s.name}: {found}
        {s.accepted > 0 && `, ${s.accepted} declared`}
      </h2>
      <p>
        {Object.hasOwn(asks, s.name) && `Asked: ${asks[s.name]}. `}
        {s.done} of {s.planned} {s.unit}.
      </p>
      {!s.complete && (
        <p class="warn" role="note">
          Not complete: {s.planned - s.done} of {s.planned} were not looked at, and may differ.
        </p>
      )}
      {s.rows.length > 0 && (
        <Table
          caption={`${s.name}: what differs between A and B`}
          rows={s.rows.map((r, i) => ({ ...r, i }))}
          columns={[
            { name: "no.", value: (r) => r.i + 1 },
            ...s.header.map((h, i) => ({ name: h, value: (r: { cells: string[] }) => r.cells[i] ?? "" })),
          ]}
        />
      )}
      {s.rows.map(
        (r, i) =>
          (r.below.length > 0 || r.keys.length > 0) && (
            <details key={r.keys.join(" ") || i} open={s.rows.length <= kOpen}>
              <summary>
                {s.name} {i + 1}: lines that rerun it, and its keys
              </summary>
              {r.below.map((line) => (
                <Below key={line} line={line} />
              ))}
              {r.keys.length > 0 && (
                <p class="soft">
                  Keys for <code>--accept</code>: <code>{r.keys.join(" ")}</code>
                </p>
              )}
            </details>
          ),
      )}
      {s.notes.map((n) => (
        <p key={n} class="soft">
          {n}
        </p>
      ))}
    </section>
  );
}

// By file where that tells them apart.
function sides(d: Diff): [string, string] {
  const a = fileName(d.a);
  const b = fileName(d.b);
  return a !== b && a !== "" && b !== "" ? [a, b] : [d.a, d.b];
}

function One({ diff: d }: { diff: Diff }) {
  const partly = d.sections.filter((s) => !s.complete).map((s) => s.name);
  const [a, b] = sides(d);
  const accepted = d.sections.reduce((n, s) => n + s.accepted, 0);
  return (
    <>
      <h1 class={d.differences > 0 || d.stale.length > 0 ? "warn" : partly.length > 0 ? "warn" : "good"}>
        {d.differences === 0 ? "No undeclared difference" : count(d.differences, "undeclared difference")} between A and B
        {partly.length > 0 && `, as far as it went`}
      </h1>
      <p>
        A is <code>{a}</code>, B is <code>{b}</code>. {accepted > 0 && `${count(accepted, "declared difference")} beside. `}
        It took {Math.round(d.seconds)} s.
      </p>
      {partly.length > 0 && (
        <p class="warn" role="note">
          {partly.join(", ")} {partly.length === 1 ? "is" : "are"} not complete
          {d.budget_over && ": the budget was over"}.
        </p>
      )}
      {d.stale.map((s) => (
        <p key={s} class="warn" role="note">
          Declared, but no difference any more: {s}
        </p>
      ))}
    </>
  );
}

export function DiffPage({ diff, rest }: { diff: Diffs | null; rest: string }) {
  const at = Number(rest) || 0;
  const d = diff?.diffs[at];
  if (!diff || !d) {
    return (
      <>
        <h1>Diff</h1>
        {diff && <Notes notes={diff.notes} />}
        <NoneFiled what="No two versions of a module were compared in this store." command="w4check diff A B --db runs.db" />
      </>
    );
  }
  return (
    <>
      <One diff={d} />
      <Choose of={diff.diffs} shown={at} page="diff" what="Comparison" />
      <Source of={{ ...d, name: sides(d).join(" and ") }} what="Compared" />
      <Notes notes={diff.notes} />
      {d.sections.map((s) => (
        <Section key={s.name} section={s} />
      ))}
    </>
  );
}
