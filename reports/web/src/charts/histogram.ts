// Bars of counts between edges, one panel a dtype, with lines where numbers mean something.
import { palette } from "../parts/Chart";

export interface Bars {
  dtype: string;
  counts: number[]; // one more than edges: at most the first edge, …, beyond the last
}

export interface Mark {
  at: number;
  says: string;
}

interface Axis {
  title: string;
  log: boolean;
  ticks: number[];
}

// The first and the last bin have no end of their own: they are drawn as wide as their neighbours.
function bins(edges: number[], log: boolean): [number, number][] {
  const n = edges.length;
  const before = log ? edges[0]! ** 2 / edges[1]! : 2 * edges[0]! - edges[1]!;
  const after = log ? edges[n - 1]! ** 2 / edges[n - 2]! : 2 * edges[n - 1]! - edges[n - 2]!;
  const all = [before, ...edges, after];
  return all.slice(1).map((to, i) => [all[i]!, to]);
}

export function histogramSpec(edges: number[], bars: Bars[], axis: Axis, marks: Mark[], width: number): object {
  const ranges = bins(edges, axis.log);
  const last = ranges.length - 1;
  const values = bars.flatMap((b) =>
    b.counts.flatMap((cases, i) => {
      if (cases === 0) return [];
      const [from, to] = ranges[i]!;
      const says =
        i === 0 ? `at most ${from === to ? to : Number(to.toPrecision(3))}` : i === last ? `above ${Number(from.toPrecision(3))}` : `${Number(from.toPrecision(3))} to ${Number(to.toPrecision(3))}`;
      return [{ dtype: b.dtype, from, to, cases, says, beyond: i === last && axis.log }];
    }),
  );
  const domain = [ranges[0]![0], ranges[last]![1]];
  const x = {
    field: "from",
    type: "quantitative",
    title: axis.title,
    scale: { type: axis.log ? "log" : "linear", domain, nice: false },
    // Left to itself it rounds 0.25 to 0.3, as fine as the ticks are apart.
    axis: { values: axis.ticks, labelExpr: "toString(datum.value)" },
  };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    data: { values },
    facet: { row: { field: "dtype", type: "nominal", title: null, header: { labelAngle: 0, labelAlign: "left", labelOrient: "top", labelAnchor: "start", labelFontWeight: "bold" } } },
    spacing: 6,
    resolve: { scale: { y: "independent" } },
    spec: {
      width,
      height: 110,
      layer: [
        {
          mark: { type: "rect", xOffset: 0.5, x2Offset: -0.5 },
          encoding: {
            x,
            x2: { field: "to" },
            y: { field: "cases", type: "quantitative", title: "cases", scale: { zero: true }, axis: { tickCount: 3, tickMinStep: 1, format: "~s" } },
            y2: { datum: 0 },
            color: { condition: { test: "datum.beyond", value: palette[1]! }, value: palette[0]! },
            tooltip: [
              { field: "says", title: axis.title },
              { field: "cases", type: "quantitative", format: "," },
            ],
          },
        },
        ...marks.map((m) => ({
          mark: { type: "rule", strokeDash: [4, 3], strokeWidth: 1.5 },
          encoding: { x: { datum: m.at }, color: { value: palette[3]! } },
        })),
      ],
    },
  };
}
