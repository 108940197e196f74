// One picture a kernel, with a panel a dtype, of the numerics member.
import { useMemo } from "preact/hooks";
import { histogramSpec, type Mark } from "../charts/histogram";
import type { Numerics } from "../model";
import { count, digits, some } from "../number";
import { Chart, panelWidth } from "./Chart";

type Which = "headroom" | "signed" | "means";
type Group = Numerics["groups"][number];

const axes = {
  headroom: { title: "|error| / bound of the worst element", log: true, ticks: [0.001, 0.01, 0.05, 0.2, 1] },
  signed: { title: "error · sign / bound of the worst element", log: false, ticks: [-1, -0.5, 0, 0.5, 1] },
  means: { title: "mean error · sign of a case, ulps of the output", log: false, ticks: [-0.5, -0.25, 0, 0.25, 0.5] },
};

// The bin up to which at least `part` of the counts lie.
function reaching(counts: number[], part: number): number {
  const all = counts.reduce((a, b) => a + b, 0);
  let sum = 0;
  return counts.findIndex((n) => (sum += n) >= part * all);
}

// Only of the bin: where in it a case lies is not in the document.
function within(edges: number[], bin: number): string {
  if (bin === 0) return `in the lowest bar, 0 to ${digits(edges[0]!)}`;
  if (bin >= edges.length) return `above ${digits(edges[edges.length - 1]!)}`;
  return `between ${digits(edges[bin - 1]!)} and ${digits(edges[bin]!)}`;
}

function says(which: Which, edges: number[], g: Group): string {
  const counts = g[which];
  const all = counts.reduce((a, b) => a + b, 0);
  if (which === "headroom") {
    const beyond = counts[counts.length - 1]!;
    const bars = counts.filter((n) => n > 0).length;
    if (bars === 1) return `${g.dtype}: ${some(all, "case")}, ${all > 1 ? "all " : ""}${within(edges, reaching(counts, 1))}`;
    const most = counts.length - 1 - [...counts].reverse().findIndex((n) => n > 0);
    return (
      `${g.dtype}: ${some(all, "case")}, the median ${within(edges, reaching(counts, 0.5))}, the largest ${within(edges, most)}` +
      (beyond ? `; ${count(beyond)} above 1` : "; none above 1")
    );
  }
  const step = edges[edges.indexOf(0) + 1]!;
  const towards = counts.slice(0, edges.indexOf(0)).reduce((a, b) => a + b, 0);
  const away = counts.slice(edges.indexOf(0) + 2).reduce((a, b) => a + b, 0);
  return `${g.dtype}: ${some(all, "case")}, ${count(towards)} lean by ${step} or more towards zero, ${count(away)} by more than ${step} away from it`;
}

export function Histograms({ numerics, which }: { numerics: Numerics; which: Which }) {
  const kernels = [...new Set(numerics.groups.map((g) => g.kernel))];
  const with_counts = (g: Group) => g[which].some((n) => n > 0);
  const shown = kernels.filter((k) => numerics.groups.some((g) => g.kernel === k && with_counts(g)));
  if (shown.length === 0) {
    return (
      <p>
        {numerics.judged === 0
          ? "No case of this run was compared."
          : numerics.bare === numerics.judged
            ? "Nothing to show: of the verdicts of this run only the size of the worst error was kept, not its sign."
            : "Nothing to show: no compared case has what this needs."}
      </p>
    );
  }
  return (
    <div class="grid">
      {shown.map((k) => (
        <One key={k} width={panelWidth(Math.min(2, shown.length)).width} kernel={k} numerics={numerics} which={which} groups={numerics.groups.filter((g) => g.kernel === k && with_counts(g))} />
      ))}
    </div>
  );
}

function One({ width, kernel, numerics, which, groups }: { width: number; kernel: string; numerics: Numerics; which: Which; groups: Group[] }) {
  const edges = numerics.edges[which];
  const { spec, alt } = useMemo(() => {
    const marks: Mark[] =
      which === "headroom"
        ? [
            { at: numerics.loose_below, says: "too loose" },
            { at: 1, says: "the bound" },
          ]
        : [{ at: 0, says: "no lean" }];
    return {
      spec: histogramSpec(edges, groups.map((g) => ({ dtype: g.dtype, counts: g[which] })), axes[which], marks, width),
      alt: `${kernel}. ${groups.map((g) => says(which, edges, g)).join(". ")}.`,
    };
  }, [kernel, groups.length, which]);
  return (
    <section>
      <h3>{kernel}</h3>
      <Chart spec={spec} alt={alt} />
    </section>
  );
}
