// How many mutants are dead after how many seconds, by generator: what a longer budget would buy.
import type { Hunt } from "../model";
import { count, seconds, times } from "../zoo";

const kLeast = 0.001; // seconds: a logarithmic axis has no 0

export function killsSpec(h: Hunt): object {
  const values = h.generators.flatMap((generator) =>
    times(h, generator).map((t, i) => ({ generator, seconds: Math.max(t, kLeast), killed: i + 1 })),
  );
  return {
    width: "container",
    height: 260,
    autosize: { type: "fit", contains: "padding" },
    data: { values },
    mark: { type: "line", interpolate: "step-after", point: { size: 28 } },
    encoding: {
      x: {
        field: "seconds",
        type: "quantitative",
        scale: { type: "log" },
        title: "seconds of the generator (log)",
        axis: { labelOverlap: true, format: "~g" },
      },
      y: { field: "killed", type: "quantitative", title: "mutants killed", scale: { domain: [0, h.total] } },
      color: { field: "generator", type: "nominal", sort: h.generators, legend: { orient: "bottom" } },
      shape: { field: "generator", type: "nominal", sort: h.generators },
      strokeDash: { field: "generator", type: "nominal", sort: h.generators },
      tooltip: [{ field: "generator" }, { field: "seconds", format: ".3f" }, { field: "killed" }],
    },
  };
}

export function killsAlt(h: Hunt): string {
  const parts = h.generators.map((g) => {
    const t = times(h, g);
    const ran = h.mutants.some((m) => m.runs.some((r) => r.generator === g && (r.cases > 0 || r.kills.length > 0)));
    if (t.length === 0) return `${g} ${ran || g === "audit" ? "none" : "ran no case"}`;
    if (t.length === 1) return `${g} 1, after ${seconds(t[0]!)}`;
    return `${g} ${t.length}, half of them within ${seconds(t[Math.floor((t.length - 1) / 2)]!)}, the last after ${seconds(t[t.length - 1]!)}`;
  });
  return `Mutants killed over time, of ${count(h.total, "mutant")}: ${parts.join("; ")}.`;
}
