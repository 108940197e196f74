// How the error of one element grows with the activations that are not zero: its first column of K
// that goes wrong, among the edges of groups and of the kernel's steps.
import type { Depiction, Prefix } from "../model";
import { below } from "./output";

export const finite = (v: unknown): number | null => (typeof v === "number" ? v : null);

export interface Mark {
  at: number;
  edge: string;
}

// Edges of groups; where the last whole step ends, the tail's start.
export function marks(d: Depiction): { drawn: Mark[]; groups: boolean; tail: number | null } {
  const drawn: Mark[] = [];
  const groups = d.g > 0 && d.k / d.g <= 64;
  if (groups) for (let at = d.g; at < d.k; at += d.g) drawn.push({ at, edge: "group" });
  const step = d.geometry?.unrolled ?? 0;
  const tail = step > 0 && d.k % step !== 0 && d.k > step ? d.k - (d.k % step) : null;
  if (tail !== null) drawn.push({ at: tail, edge: "start of the tail" });
  return { drawn, groups, tail };
}

const words = (p: Prefix) =>
  `act[0..${p.end - 1}]: got ${p.got}, legal ${p.low} to ${p.high}, ${p.what}; ${p.wrong} elements of the output wrong`;

// With the interval in view.
const range_of = (errors: number[]): [number, number] => [Math.min(-2, ...errors) * 1.2, Math.max(2, ...errors) * 1.2];

// 0, the ends of the interval and powers of ten, those left out that would stand on each other: a
// scale of its own would set them evenly in tolerances, which bunches them on this axis.
export function ticks([low, high]: [number, number], height: number, apart = 16): number[] {
  const place = (v: number) => Math.sign(v) * Math.log1p(Math.abs(v));
  const pixels = height / (place(high) - place(low));
  const out = [0];
  for (let size = 1; size <= Math.max(-low, high); size *= 10) {
    for (const at of [size, -size]) {
      if (at < low || at > high) continue;
      if (out.every((v) => Math.abs(place(v) - place(at)) * pixels >= apart)) out.push(at);
    }
  }
  return out.sort((a, b) => a - b);
}

export function alongKSpec(d: Depiction): object {
  const a = d.along_k!;
  const { drawn } = marks(d);
  const points = a.points.map((p) => ({
    end: p.end,
    error: finite(p.error) ?? 0,
    state: p.what === "right" ? "within its interval" : p.what === "wrong" ? "outside" : "not finite",
    says: p.end === 0 ? `all of act zero: got ${p.got}, legal ${p.low} to ${p.high}, ${p.what}` : words(p),
  }));
  const x = { type: "quantitative", scale: { domain: [0, d.k], nice: false } };
  const states = ["within its interval", "outside", "not finite"].filter((s) => points.some((p) => p.state === s));
  const range: Record<string, [string, string]> = {
    "within its interval": ["#0072b2", "circle"],
    outside: ["#d55e00", "triangle-up"],
    "not finite": ["#cc79a7", "cross"],
  };
  const departs = a.departs !== null && a.departs >= 0 ? [{ at: a.departs, text: `departs at k = ${a.departs}` }] : [];
  const domain = range_of(points.map((q) => q.error));
  const height = 260;
  const rightHalf = departs.length > 0 && departs[0]!.at > d.k / 2;
  return {
    width: "container",
    height,
    layer: [
      {
        data: { values: [{ low: -1, high: 1 }] },
        mark: { type: "rect", color: "#0072b2", opacity: 0.12 },
        encoding: { y: { field: "low", type: "quantitative" }, y2: { field: "high" } },
      },
      {
        data: { values: drawn },
        mark: { type: "rule", style: "ink", opacity: 0.6 },
        encoding: {
          x: { ...x, field: "at" },
          strokeDash: { field: "edge", type: "nominal", title: "edges of", scale: { domain: ["group", "start of the tail"].filter((e) => drawn.some((m) => m.edge === e)), range: drawn.some((m) => m.edge === "group") ? [[1, 3], [6, 3]] : [[6, 3]] } },
        },
      },
      {
        data: { values: points },
        layer: [
          { mark: { type: "line", style: "ink", strokeWidth: 1, opacity: 0.6 } },
          {
            mark: { type: "point", filled: true, size: 55, opacity: 1 },
            encoding: {
              color: { field: "state", type: "nominal", title: null, scale: { domain: states, range: states.map((s) => range[s]![0]) } },
              shape: { field: "state", type: "nominal", title: null, scale: { domain: states, range: states.map((s) => range[s]![1]) } },
              tooltip: { field: "says" },
            },
          },
        ],
        encoding: {
          x: { ...x, field: "end", title: "activations before this k are kept, the others zero", axis: { tickMinStep: 1, format: "d", grid: false } },
          y: { field: "error", type: "quantitative", title: "error, in tolerances", scale: { type: "symlog", domain, nice: false }, axis: { values: ticks(domain, height), labelExpr: "abs(datum.value) < 1e6 ? format(datum.value, ',') : format(datum.value, '.0e')" } },
        },
      },
      ...(departs.length
        ? [
            { data: { values: departs }, mark: { type: "rule", color: "#d55e00", strokeWidth: 2 }, encoding: { x: { ...x, field: "at" } } },
            {
              data: { values: departs },
              mark: { type: "text", align: rightHalf ? "right" : "left", dx: rightHalf ? -6 : 6, dy: 4, baseline: "top", y: 0, fontWeight: "bold", style: "ink" },
              encoding: { x: { ...x, field: "at" }, text: { field: "text" } },
            },
          ]
        : []),
    ],
    config: { legend: below() },
  };
}
