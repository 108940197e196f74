// The error over an output as a heatmap with the edges of tiles, waves and matrix instructions. What
// is wrong has a shape besides its colour.
import type { Depiction } from "../model";

export interface CellOf {
  m0: number;
  m1: number;
  n0: number;
  n1: number;
  colour: string;
  shape: string | null;
  says: string;
}

const right = ["right"];
const sizes = ["wrong by under 16 tolerances", "wrong by 16 to 65,536", "wrong by more"];
// Okabe and Ito's, light to dark by lightness too.
const colours: [string, string][] = [
  [right[0]!, "#c9ced6"],
  [sizes[0]!, "#f0c56a"],
  [sizes[1]!, "#e07b1f"],
  [sizes[2]!, "#9c3d00"],
  ["no number", "#cc79a7"],
];
// Upon these, in a dark page too.
const dark = "#1a1c1f";
export const shapes: [string, string][] = [
  ["too large", "triangle-up"],
  ["too small", "triangle-down"],
  ["not finite", "cross"],
  ["never written", "stroke"],
];

// The letters of report.json (campaign/report/depiction_json.h): [colour, shape, words].
export function meaning(letter: string): [string, string | null, string] {
  if (letter === "-") return ["no number", "never written", "never written"];
  if (letter === "?") return ["no number", "not finite", "NaN or infinite"];
  if (letter >= "0" && letter <= "8") {
    const q = Number(letter);
    const size = q === 0 ? "no error" : `error within ${((q > 4 ? q - 4 : q) / 4).toFixed(2)} tolerances`;
    return [right[0]!, null, `right, ${size}`];
  }
  const large = letter < "a";
  const doublings = letter.charCodeAt(0) - (large ? 65 : 97);
  const size = doublings < 4 ? sizes[0]! : doublings < 16 ? sizes[1]! : sizes[2]!;
  const least = doublings === 0 ? "less than 2" : `${(2 ** doublings).toLocaleString("en")} or more`;
  return [size, large ? "too large" : "too small", `too ${large ? "large" : "small"} by ${least} tolerances`];
}

const span = (name: string, a: number, b: number) => (b - a === 1 ? `${name} ${a}` : `${name}s ${a} to ${b - 1}`);

function cells(d: Depiction): CellOf[] {
  const p = d.picture!;
  const out: CellOf[] = [];
  p.cells.forEach((row, r) => {
    const m0 = r * p.rows;
    const m1 = Math.min(d.m, m0 + p.rows);
    for (let c = 0; c < row.length; c++) {
      const n0 = c * p.columns;
      const n1 = Math.min(d.n, n0 + p.columns);
      const [colour, shape, words] = meaning(row[c]!);
      const named = d.order && m1 - m0 === 1 ? `row ${d.order[m0]}` : d.reordered ? span("place", m0, m1) : span("row", m0, m1);
      const expert = d.experts && m1 - m0 === 1 ? `, expert ${d.experts[m0]}` : "";
      const wave = d.geometry?.n.wave ? `, wave's columns from ${Math.floor(n0 / d.geometry.n.wave) * d.geometry.n.wave}` : "";
      out.push({ m0, m1, n0, n1, colour, shape, says: `${named}${expert}, ${span("column", n0, n1)}${wave}: ${words}` });
    }
  });
  return out;
}

export interface Edge {
  at: number;
  edge: string;
}
// More lines than this would cover the picture.
const most = 80;

// Of one axis, the coarsest first; an edge that is a coarser one too is drawn once. `left` names
// those that would be too many.
export function edges(all: number, of: [string, number][]): { drawn: Edge[]; left: string[] } {
  const seen = new Set<number>([0, all]);
  const drawn: Edge[] = [];
  const left: string[] = [];
  for (const [edge, size] of of) {
    if (size <= 0 || size >= all) continue;
    if (all / size > most) {
      left.push(edge);
      continue;
    }
    for (let at = size; at < all; at += size) {
      if (seen.has(at)) continue;
      seen.add(at);
      drawn.push({ at, edge });
    }
  }
  return { drawn, left };
}

export const kinds = ["workgroup's tile", "wave", "matrix instruction"];

export function axes(d: Depiction) {
  const of = (e: { tile: number; wave: number; matrix: number }): [string, number][] => [
    [kinds[0]!, e.tile],
    [kinds[1]!, e.wave],
    [kinds[2]!, e.matrix],
  ];
  const g = d.geometry;
  // Rows that were put into the order of their blocks are whole blocks only where none is padded.
  const rows = g && !(g.blocks && d.reordered) ? of(g.m) : [];
  return { m: edges(d.m, rows), n: edges(d.n, g ? of(g.n) : []) };
}

// Legends under a picture, side by side where there is room.
export function below() {
  const narrow = innerWidth < 700;
  return { orient: "bottom", columns: narrow ? 1 : 2, labelLimit: 300, layout: { bottom: { direction: narrow ? "vertical" : "horizontal", anchor: "start" } } };
}

export function outputSpec(d: Depiction): object {
  const data = cells(d);
  const { m, n } = axes(d);
  const rules = (list: Edge[], channel: "x" | "y") => ({
    data: { values: list },
    mark: { type: "rule", color: dark, opacity: 0.85 },
    encoding: {
      [channel]: { field: "at", type: "quantitative" },
      strokeDash: { field: "edge", type: "nominal", scale: { domain: kinds, range: [[1, 0], [5, 3], [1, 3]] }, title: "edges of" },
      strokeWidth: { condition: { test: `datum.edge === "${kinds[0]}"`, value: 2 }, value: 1 },
    },
  });
  const rowLabel = d.m <= 24 ? { values: Array.from({ length: d.m }, (_, i) => i + 0.5), labelExpr: d.order ? `[${d.order.join(",")}][floor(datum.value)]` : "floor(datum.value)", ticks: false } : { tickMinStep: 1, format: "d" };
  const few = data.length <= 4000;
  const used = new Set(data.map((c) => c.shape));
  const usedColours = colours.filter(([name]) => data.some((c) => c.colour === name));
  const usedShapes = shapes.filter(([name]) => used.has(name));
  return {
    width: "container",
    height: Math.min(420, Math.max(70, (d.m / (d.picture?.rows ?? 1)) * (d.m <= 8 ? 34 : 12))),
    layer: [
      {
        data: { values: data },
        mark: { type: "rect", strokeWidth: 0 },
        encoding: {
          x: { field: "n0", type: "quantitative", title: "column n", scale: { domain: [0, d.n], nice: false }, axis: { tickMinStep: 1, format: "d", grid: false } },
          x2: { field: "n1" },
          y: { field: "m0", type: "quantitative", title: d.reordered ? "row m, by blocks" : "row m", scale: { domain: [0, d.m], reverse: true, nice: false }, axis: { ...rowLabel, grid: false } },
          y2: { field: "m1" },
          color: { field: "colour", type: "nominal", title: null, scale: { domain: usedColours.map((c) => c[0]), range: usedColours.map((c) => c[1]) } },
          tooltip: { field: "says" },
        },
      },
      {
        data: { values: data.filter((c) => c.shape).map((c) => ({ ...c, n: (c.n0 + c.n1) / 2, m: (c.m0 + c.m1) / 2 })) },
        mark: { type: "point", filled: false, size: few ? 26 : 8, strokeWidth: few ? 1.2 : 0.7, opacity: 0.9 },
        encoding: {
          x: { field: "n", type: "quantitative" },
          y: { field: "m", type: "quantitative" },
          shape: { field: "shape", type: "nominal", title: null, scale: { domain: usedShapes.map((s) => s[0]), range: usedShapes.map((s) => s[1]) } },
          color: { condition: { test: `datum.colour === "${sizes[2]}"`, value: "#ffffff" }, value: dark },
          tooltip: { field: "says" },
        },
      },
      ...(n.drawn.length ? [rules(n.drawn, "x")] : []),
      ...(m.drawn.length ? [rules(m.drawn, "y")] : []),
    ],
    resolve: { scale: { strokeDash: "shared" } },
    config: { legend: { ...below(), symbolStrokeColor: "gray" } },
  };
}
