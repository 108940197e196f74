// How much of the kernels' machine code ran, from `w4check list coverage --db`.
import type { CoverageReport } from "../model";
import { count, some } from "../number";
import { NoneFiled, Notes, Source } from "./Documents";
import { Table } from "./Table";

const share = (part: number, whole: number) => (whole ? (100 * part) / whole : 100);
const percent = (x: number) => `${x === 100 ? "100" : Math.min(x, 99.9).toFixed(1)} %`;

export function Machine({ coverage }: { coverage: CoverageReport }) {
  const filed = coverage.instructions;
  const of = filed?.shown;
  if (!of) {
    return filed ? (
      <Notes notes={filed.notes} />
    ) : (
      <NoneFiled
        what="Not counted: this store has no coverage of machine code."
        command="w4check list coverage --suite smoke --db FILE"
      />
    );
  }
  const launched = of.kernels.filter((k) => k.launches > 0);
  const sum = (list: typeof of.kernels, field: "instructions" | "run") => list.reduce((n, k) => n + k[field], 0);
  return (
    <>
      <p>
        Of the {some(launched.length, "device kernel")} that {some(of.cases, "case")} launched,{" "}
        {percent(share(sum(launched, "run"), sum(launched, "instructions")))} of{" "}
        {count(sum(launched, "instructions"))} instructions ran; {count(of.kernels.length - launched.length)} kernels of the
        same objects were never launched. Of {some(of.lines.all, "source line")}, {count(of.lines.never.length)} ran in no
        kernel and {count(of.lines.partly)} in some only.
      </p>
      <Source of={of} what="Counted by" />
      <Table
        caption="Device kernels: of those launched the least covered first, then those never launched"
        rows={[...of.kernels].sort(
          (a, b) =>
            Number(a.launches === 0) - Number(b.launches === 0) || share(a.run, a.instructions) - share(b.run, b.instructions),
        )}
        page={15}
        columns={[
          { name: "kernel", value: (k) => k.kernel, show: (k) => <code>{k.kernel}</code> },
          { name: "arch", value: (k) => k.arch },
          {
            name: "instructions run",
            value: (k) => share(k.run, k.instructions),
            show: (k) => (
              <>
                {percent(share(k.run, k.instructions))}{" "}
                <span class="soft">
                  of {count(k.instructions)}
                </span>
              </>
            ),
          },
          { name: "edges run", value: (k) => share(k.edges_run, k.edges), show: (k) => percent(share(k.edges_run, k.edges)) },
          { name: "launches", value: (k) => k.launches, show: (k) => (k.launches ? count(k.launches) : <span class="warn">never</span>) },
        ]}
      />
      {of.lines.never.length > 0 && (
        <Table
          caption="Source lines that ran in no kernel"
          rows={of.lines.never}
          page={15}
          columns={[
            { name: "source line", value: (l) => l.source, show: (l) => <code>{l.source}</code> },
            { name: "instructions", value: (l) => l.instructions, show: (l) => count(l.instructions) },
            { name: "kernels that have it", value: (l) => l.kernels },
          ]}
        />
      )}
    </>
  );
}
