// What calls reach over the number of tokens: a line for each kernel and layer, in one unit.
import type { Bench, BenchRow } from "../model";
import { digits } from "../number";

export const measured = (b: Bench, unit: string) => b.rows.filter((r) => r.unit === unit && r.figure !== null);

export const units = (b: Bench) => [...new Set(b.rows.filter((r) => r.figure !== null).map((r) => r.unit))];

export const whose = (r: BenchRow) => (r.foreign ? r.who : r.kernel);

const kBandwidth = "GB/s";

// What tells rows of one kernel and layer apart, where the bench has several of it.
function layer(b: Bench, r: BenchRow): string {
  const more = (["act", "zp", "g"] as const).filter((key) => new Set(b.rows.filter((x) => !x.foreign).map((x) => x[key])).size > 1);
  return [r.shape, ...(r.foreign ? [] : more.map((key) => `${key} ${r[key]}`))].join(", ");
}

// Names become keys and text of the picture's own language: one that is long, or not of plain characters, or that
// every object has, is shown by its place among the names; the table below has it whole.
function plain(name: string, all: string[]): string {
  const usual = /^[A-Za-z0-9 _.,:;+*()[\]-]{1,60}$/.test(name) && !(name in {});
  return usual ? name : `name ${all.indexOf(name) + 1}`;
}

export function benchSpec(b: Bench, unit: string): object {
  const rows = measured(b, unit);
  const [ofs, layers] = [[...new Set(rows.map(whose))], [...new Set(rows.map((r) => layer(b, r)))]];
  const values = rows.map((r) => ({ of: plain(whose(r), ofs), layer: plain(layer(b, r), layers), m: r.m, figure: r.figure }));
  const lines = {
    mark: { type: "line", point: { size: 45, filled: true } },
    encoding: {
      x: { field: "m", type: "ordinal", title: "tokens (M)", axis: { labelAngle: 0 } },
      y: { field: "figure", type: "quantitative", title: unit, scale: { zero: true } },
      color: { field: "layer", type: "nominal", sort: null, legend: { orient: "bottom", title: "layer" } },
      shape: { field: "of", type: "nominal", sort: null, legend: { orient: "bottom", title: "of" } },
      strokeDash: { field: "of", type: "nominal", sort: null },
      tooltip: [{ field: "of" }, { field: "layer" }, { field: "m" }, { field: "figure", format: ".4~g", title: unit }],
    },
  };
  const copy = {
    data: { values: [{ copy: b.copy }] },
    mark: { type: "rule", style: "ink", strokeDash: [2, 3], strokeWidth: 1.5 },
    encoding: { y: { field: "copy", type: "quantitative" } },
  };
  return {
    width: "container",
    height: 300,
    autosize: { type: "fit", contains: "padding" },
    data: { values },
    layer: unit === kBandwidth && b.copy !== null ? [lines, copy] : [lines],
  };
}

export function benchAlt(b: Bench, unit: string): string {
  const series = new Map<string, number[]>();
  for (const r of measured(b, unit)) {
    const name = `${whose(r)} ${layer(b, r)}`;
    series.set(name, [...(series.get(name) ?? []), r.figure!]);
  }
  const parts = [...series].map(([name, all]) => {
    const low = digits(Math.min(...all));
    const high = digits(Math.max(...all));
    return `${name} ${low === high ? low : `${low} to ${high}`}`;
  });
  const copy = unit === kBandwidth && b.copy !== null ? ` The dotted rule is the device's own copy, ${digits(b.copy)}.` : "";
  return `${unit} over tokens: ${parts.join("; ")}.${copy}`;
}
