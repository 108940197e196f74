// K against rows on logarithmic axes: the limits K·rows = constant are straight lines there.
import { palette } from "../parts/Chart";

export interface BoundaryPoint {
  k: number;
  rows: number;
  verdict: string; // "right", "refused", "red"
  of: string; // the kernel, or "decode of mine.so"
  cases: number;
}

export interface BoundaryLine {
  elements: number;
  name: string; // "32,768"
  rows: number; // ends there; 0: does not
}

const fates = ["right", "refused", "red"];

export function boundarySpec(points: BoundaryPoint[], lines: BoundaryLine[], rowsTitle: string): object {
  const reach = (values: number[]): [number, number] => [
    values.reduce((a, b) => Math.min(a, b), Infinity),
    values.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  // From one row on; as far along K as every line goes over these rows.
  const [r0, r1] = reach([1, ...points.map((p) => p.rows), ...lines.map((l) => Math.max(l.rows, 1))]);
  const crossings = lines.flatMap((l) => [l.elements / r0, l.elements / (l.rows ? Math.min(l.rows, r1) : r1)]);
  const [k0, k1] = reach([...points.map((p) => p.k), ...crossings]);
  const domain = { k: [k0 / 1.3, k1 * 1.3], rows: [r0 / 1.25, r1 * 1.25] };
  const ends = lines.flatMap((l) => {
    const top = Math.min(domain.rows[1]!, l.elements / domain.k[0]!, l.rows ? l.rows * 1.2 : Infinity);
    const bottom = Math.max(domain.rows[0]!, l.elements / domain.k[1]!);
    if (top <= bottom) return [];
    return [bottom, top].map((rows) => ({ rows, k: l.elements / rows, limit: l.name }));
  });
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: "container",
    height: 320,
    autosize: { type: "fit-x", contains: "padding" },
    config: { legend: { layout: { bottom: { anchor: "start", direction: "vertical" } } } },
    layer: [
      {
        data: { values: ends },
        mark: { type: "line", strokeWidth: 2 },
        encoding: {
          x: { field: "k", type: "quantitative", scale: { type: "log", domain: domain.k, nice: false } },
          y: { field: "rows", type: "quantitative", scale: { type: "log", domain: domain.rows, nice: false } },
          color: { value: palette[3]! },
          strokeDash: {
            field: "limit",
            type: "nominal",
            sort: lines.map((l) => l.name),
            title: "K · rows",
            scale: { range: [[1, 0], [6, 3], [2, 3], [10, 3, 2, 3], [1, 6]] },
            legend: { orient: "bottom", columns: innerWidth < 700 ? 2 : 5, symbolStrokeColor: palette[3]!, symbolSize: 700 },
          },
        },
      },
      {
        data: { values: points },
        mark: { type: "point", filled: false, strokeWidth: 1.5, opacity: 0.75 },
        encoding: {
          x: { field: "k", type: "quantitative", title: "K" },
          y: { field: "rows", type: "quantitative", title: rowsTitle, axis: { format: "d", tickCount: 6 } },
          color: {
            field: "verdict",
            type: "nominal",
            scale: { domain: fates, range: [palette[0], palette[4], palette[1]] },
            legend: { orient: "bottom", title: "verdict" },
          },
          shape: {
            field: "verdict",
            type: "nominal",
            scale: { domain: fates, range: ["circle", "cross", "triangle-up"] },
          },
          size: { condition: { test: "datum.verdict === 'red'", value: 110 }, value: 28 },
          order: { field: "z", type: "quantitative" },
          tooltip: [
            { field: "k", title: "K" },
            { field: "rows", title: rowsTitle },
            { field: "verdict" },
            { field: "cases" },
            { field: "of", title: "kernel" },
          ],
        },
      },
    ],
  };
}
