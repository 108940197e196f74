// What the calls of one kernel ask of the machine, arch beside arch.
import type { FigureRow, Figures } from "../model";

export const measures: { key: keyof Figures; name: string; least: string }[] = [
  { key: "instructions_per_weight", name: "wave-instructions per weight", least: "" },
  { key: "bytes_over_least", name: "bytes over minimum", least: "1: every byte once" },
  { key: "lines_over_least", name: "lines over minimum", least: "1: coalesced" },
  { key: "lds_cycles_over_least", name: "LDS cycles over minimum", least: "1: no bank conflict" },
];

function known(rows: FigureRow[]): FigureRow[] {
  return rows.filter((r) => r.figures !== null);
}

export function figuresSpec(rows: FigureRow[], columns: number, width: number): object {
  const calls = [...new Set(known(rows).map((r) => r.call))];
  const values = known(rows).flatMap((r) =>
    measures.map((m) => ({ call: r.call, arch: r.device, measure: m.name, value: r.figures![m.key] })),
  );
  return {
    data: { values },
    facet: { field: "measure", type: "nominal", sort: measures.map((m) => m.name), title: null },
    columns,
    spec: {
      width,
      height: 160,
      mark: { type: "point", filled: true, size: 60, opacity: 0.85 },
      encoding: {
        x: { field: "call", type: "ordinal", sort: calls, title: null, axis: { labelAngle: calls.some((c) => c.length > 5) ? -40 : 0, labelLimit: 130 } },
        xOffset: { field: "arch", type: "nominal" },
        y: { field: "value", type: "quantitative", title: null, scale: { zero: true } },
        color: { field: "arch", type: "nominal", legend: { orient: "top", title: null } },
        shape: { field: "arch", type: "nominal" },
        tooltip: [{ field: "arch" }, { field: "call" }, { field: "measure" }, { field: "value", format: ".4f" }],
      },
    },
    resolve: { scale: { y: "independent" }, axis: { x: "independent" } },
  };
}

export function figuresAlt(kernel: string, rows: FigureRow[]): string {
  const archs = [...new Set(known(rows).map((r) => r.device))].sort();
  const parts = measures.map((m) => {
    const of = archs.map((arch) => {
      const values = known(rows).filter((r) => r.device === arch).map((r) => r.figures![m.key]);
      const low = Math.min(...values).toPrecision(3);
      const high = Math.max(...values).toPrecision(3);
      return `${arch} ${low === high ? low : `${low} to ${high}`}`;
    });
    return `${m.name} ${of.join(", ")}`;
  });
  return `${kernel}: ${parts.join("; ")}.`;
}
