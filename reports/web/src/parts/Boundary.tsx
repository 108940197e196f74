// The cases of one kernel beside the LDS limits; those of modules with other versions of it are in
// the same picture.
import { useMemo } from "preact/hooks";
import { type BoundaryLine, type BoundaryPoint, boundarySpec } from "../charts/boundary";
import type { CoverageReport } from "../model";
import { count, some } from "../number";
import { limitsOf, rowOf } from "../space";
import { Chart } from "./Chart";

const fates = ["right", "refused", "red", "skipped"];
const elementBytes = 2;

// Indices of the kernel's points; of a row also those of modules.
function membersOf(coverage: CoverageReport, kernel: string): Set<number> {
  const names = coverage.boundary.kernels;
  return new Set(names.flatMap((n, i) => (n === kernel || rowOf(n) === kernel ? [i] : [])));
}

// Gates of the kernel, and where a gate would lie that asks the device for its LDS.
function linesOf(coverage: CoverageReport, kernel: string): (BoundaryLine & { says: string })[] {
  const gates = limitsOf(coverage, kernel).map((g) => ({
    elements: g.elements,
    rows: g.rows,
    name: count(g.elements),
    says: g.says,
  }));
  const of = membersOf(coverage, kernel);
  const reported = coverage.boundary.reported
    // A device without LDS, or one odd byte, is no place on the axes.
    .map((r) => ({ ...r, elements: Math.floor(r.bytes / elementBytes) }))
    .filter((r) => of.has(r.kernel) && r.elements > 0 && !gates.some((g) => Math.abs(g.elements - r.elements) < 2))
    .sort((a, b) => b.cases - a.cases)
    .slice(0, 3)
    .map((r) => ({
      elements: r.elements,
      rows: 0,
      name: count(r.elements),
      says: `no gate here: as many elements as the LDS that the device reports in ${some(r.cases, "case")} would hold`,
    }));
  return gates.length ? [...gates, ...reported] : [];
}

export function hasLimits(coverage: CoverageReport, kernel: string): boolean {
  const of = membersOf(coverage, kernel);
  return limitsOf(coverage, kernel).length > 0 && coverage.boundary.points.kernel.some((k) => of.has(k));
}

export function Boundary({ coverage, kernel }: { coverage: CoverageReport; kernel: string }) {
  const { spec, alt, lines } = useMemo(() => {
    const members = membersOf(coverage, kernel);
    const of = coverage.boundary.points;
    const points: (BoundaryPoint & { z: number })[] = [];
    of.kernel.forEach((k, i) => {
      if (!members.has(k)) return;
      const fate = of.verdict[i]!;
      points.push({ k: of.k[i]!, rows: of.rows[i]!, verdict: fates[fate]!, cases: of.cases[i]!, of: coverage.boundary.kernels[k]!, z: fate });
    });
    const lines = linesOf(coverage, kernel);
    const gates = limitsOf(coverage, kernel);
    const near = gates.map((g) => {
      const at = points.filter((p) => p.verdict !== "refused" && p.k * p.rows === g.elements);
      const above = points.filter(
        (p) => p.k * p.rows > g.elements && p.k * p.rows <= g.elements * 1.0625 && p.verdict !== "refused",
      );
      const sum = (list: BoundaryPoint[]) => list.reduce((n, p) => n + p.cases, 0);
      return `${count(g.elements)}: ${some(sum(at), "case")} exactly at it, ${count(sum(above))} just above`;
    });
    const modules = points.filter((p) => p.of !== rowOf(p.of)).length;
    const red = points.filter((p) => p.verdict === "red").reduce((n, p) => n + p.cases, 0);
    const rows = kernel.startsWith("moe") ? "block_m" : "M";
    return {
      lines,
      spec: boundarySpec(points, lines, rows),
      alt:
        `${kernel}: K against ${rows} in ${some(points.length, "point")}${modules ? `, ${count(modules)} of modules` : ""}; K·${rows} at ${near.join("; ")}; ` +
        `${red ? `${count(red)} red, the triangles` : "none of them red"}.`,
    };
  }, [coverage, kernel]);
  return (
    <section>
      <h3>{kernel}</h3>
      <Chart spec={spec} alt={alt} />
      <ul class="soft notes">
        {lines.map((l) => (
          <li key={l.name}>
            {l.name}: {l.says}
          </li>
        ))}
      </ul>
    </section>
  );
}
