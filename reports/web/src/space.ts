// The matrix of the contract's space: what a choice of two dimensions, a kernel and a device leaves
// of the counts, and which of its cells a legal call could have hit.
import type { CoverageReport } from "./model";

export interface Dimension {
  name: string; // as in the document
  title: string;
}

// In the order in which they are offered. "form" is the first word of the instantiation.
export const dimensions: Dimension[] = [
  { name: "kernel", title: "kernel" },
  { name: "device", title: "device" },
  { name: "dtype", title: "dtype" },
  { name: "g", title: "group size G" },
  { name: "zp", title: "zero points" },
  { name: "bias", title: "bias" },
  { name: "m", title: "M" },
  { name: "k*m", title: "K·M against 32768" },
  { name: "tail", title: "ragged tail" },
  { name: "form", title: "form" },
  { name: "instantiation", title: "instantiation" },
];
export const titleOf = (name: string) => dimensions.find((d) => d.name === name)!.title;

// Those that the contract speaks of, in the order of its pairs.
export const contractDimensions = ["dtype", "g", "zp", "bias", "m", "k*m", "tail"];

export interface Counts {
  right: number;
  refused: number;
  red: number;
  skipped: number;
}
export const ran = (c: Counts) => c.right + c.red;

// legal: a legal call could be there; outside: the contract forbids it; unknown: nobody says.
export type Standing = "legal" | "outside" | "unknown";

// "decode of mine.so" is a version of the row "decode", which the facts speak of.
export const rowOf = (kernel: string) => kernel.split(" of ")[0]!;

// A kernel may be called "constructor", which every object answers to.
export const limitsOf = (report: CoverageReport, kernel: string) =>
  report.limits && Object.hasOwn(report.limits, rowOf(kernel)) ? report.limits[rowOf(kernel)]! : [];

const outside = "outside the contract";

// Columns of the document as lists of texts.
export class Space {
  readonly kernels: string[];
  readonly devices: string[];
  private columns = new Map<string, string[]>();
  private cases: number[];
  private fates: string[];

  constructor(private report: CoverageReport) {
    for (const d of report.dimensions) {
      const column = report.cells[d.name] ?? [];
      this.columns.set(d.name, column.map((i) => d.values[i]!));
    }
    this.columns.set(
      "form",
      this.columns.get("instantiation")!.map((x) => x.split(" ")[0]!),
    );
    this.cases = report.cells.cases ?? [];
    this.fates = this.columns.get("verdict")!;
    this.kernels = [...new Set(this.columns.get("kernel"))].sort();
    this.devices = [...new Set(this.columns.get("device"))].sort();
  }

  known(kernel: string): boolean {
    return !!this.report.contract && Object.hasOwn(this.report.contract, kernel);
  }

  // Whether the kernel takes some call with both values.
  standing(kernel: string, a: string, x: string, b: string, y: string): Standing {
    const pairs = this.known(kernel) ? this.report.contract?.[kernel] : undefined;
    if (!pairs) return "unknown";
    const ia = contractDimensions.indexOf(a);
    const ib = contractDimensions.indexOf(b);
    if (ia < 0 && ib < 0) return a === "kernel" || b === "kernel" || a === "device" ? "legal" : "unknown";
    const [first, p, second, q] = ib < 0 ? [a, x, a, x] : ia < 0 ? [b, y, b, y] : ia <= ib ? [a, x, b, y] : [b, y, a, x];
    const free = (name: string) => contractDimensions.includes(name) || name === "kernel" || name === "device";
    if (!free(a) || !free(b)) return "unknown";
    const list = pairs[`${first}|${second}`] ?? [];
    return list.some(([u, v]) => u === p && v === q) ? "legal" : "outside";
  }

  private legalAtAll(kernels: string[], name: string, value: string): boolean {
    return kernels.some((k) => this.standing(k, name, value, name, value) === "legal");
  }

  matrix(rows: string, columns: string, kernel: string, device: string): Matrix {
    const kernels = kernel ? [kernel] : this.kernels;
    const anyKnown = kernels.some((k) => this.known(k));
    const fold = (name: string, value: string) =>
      anyKnown && contractDimensions.includes(name) && kernels.every((k) => this.known(k)) &&
      !this.legalAtAll(kernels, name, value)
        ? outside
        : value;
    const at = new Map<string, Counts>();
    const seen: Record<string, Map<string, number>> = { rows: new Map(), columns: new Map() };
    const kernelOf = this.columns.get("kernel")!;
    const deviceOf = this.columns.get("device")!;
    const rowOf = this.columns.get(rows)!;
    const columnOf = this.columns.get(columns)!;
    for (let i = 0; i < this.cases.length; i++) {
      if (kernel && kernelOf[i] !== kernel) continue;
      if (device && deviceOf[i] !== device) continue;
      const r = fold(rows, rowOf[i]!);
      const c = fold(columns, columnOf[i]!);
      const key = `${r}\n${c}`;
      let counts = at.get(key);
      if (!counts) at.set(key, (counts = { right: 0, refused: 0, red: 0, skipped: 0 }));
      counts[this.fates[i] as keyof Counts] += this.cases[i]!;
      seen.rows!.set(r, (seen.rows!.get(r) ?? 0) + this.cases[i]!);
      seen.columns!.set(c, (seen.columns!.get(c) ?? 0) + this.cases[i]!);
    }
    const values = (name: string, side: "rows" | "columns") => {
      const listed = this.report.dimensions.find((d) => d.name === name)?.values ?? [];
      const legal = listed.filter((v) => contractDimensions.includes(name) && this.legalAtAll(kernels, name, v));
      const rest = [...seen[side]!.keys()].filter((v) => !legal.includes(v) && v !== outside);
      if (!contractDimensions.includes(name)) rest.sort((a, b) => (a < b ? -1 : 1));
      return [...legal, ...rest, ...(seen[side]!.has(outside) ? [outside] : [])];
    };
    const out: Matrix = { rows: values(rows, "rows"), columns: values(columns, "columns"), at, gaps: 0, legal: 0, known: false, standing: () => "unknown" };
    const stand = (r: string, c: string): Standing => {
      if (r === outside || c === outside) return "outside";
      const of = rows === "kernel" ? [r] : columns === "kernel" ? [c] : kernels;
      const all = of.map((k) => this.standing(k, rows, r, columns, c));
      return all.includes("legal") ? "legal" : all.includes("unknown") ? "unknown" : "outside";
    };
    for (const r of out.rows)
      for (const c of out.columns) {
        const s = stand(r, c);
        if (s !== "unknown") out.known = true;
        if (s !== "legal") continue;
        out.legal++;
        const counts = at.get(`${r}\n${c}`);
        if (!counts || ran(counts) === 0) out.gaps++;
      }
    out.standing = stand;
    return out;
  }

  // Legal values and pairs that no case ran, by kernel. A pair is left out where one of its values
  // was never run alone.
  gaps(kernel: string, device: string): Gap[] {
    const out: Gap[] = [];
    for (const k of kernel ? [kernel] : this.kernels) {
      const pairs = this.known(k) ? this.report.contract?.[k] : undefined;
      if (!pairs) continue;
      const hit = new Map<string, Set<string>>();
      const missing = new Set<string>();
      const kernelOf = this.columns.get("kernel")!;
      const deviceOf = this.columns.get("device")!;
      const rows = this.cases
        .map((_, i) => i)
        .filter((i) => kernelOf[i] === k && (!device || deviceOf[i] === device))
        .filter((i) => this.fates[i] === "right" || this.fates[i] === "red");
      for (const name of Object.keys(pairs)) {
        const [a, b] = name.split("|") as [string, string];
        const x = this.columns.get(a)!;
        const y = this.columns.get(b)!;
        hit.set(name, new Set(rows.map((i) => `${x[i]}\n${y[i]}`)));
      }
      for (const d of contractDimensions)
        for (const [v] of pairs[`${d}|${d}`] ?? [])
          if (!hit.get(`${d}|${d}`)!.has(`${v}\n${v}`)) {
            missing.add(`${d}=${v}`);
            out.push({ kernel: k, dimensions: titleOf(d), values: v });
          }
      for (const [name, list] of Object.entries(pairs)) {
        const [a, b] = name.split("|") as [string, string];
        if (a === b) continue;
        for (const [x, y] of list) {
          if (missing.has(`${a}=${x}`) || missing.has(`${b}=${y}`)) continue;
          if (!hit.get(name)!.has(`${x}\n${y}`))
            out.push({ kernel: k, dimensions: `${titleOf(a)} with ${titleOf(b)}`, values: `${x} with ${y}` });
        }
      }
    }
    return out;
  }

  // The pair of dimensions that says most of a kernel: with an LDS limit that, otherwise the formats.
  telling(kernel: string): [string, string] {
    if (!kernel) return ["kernel", "m"];
    return limitsOf(this.report, kernel).length ? ["m", "k*m"] : ["g", "zp"];
  }
}

export interface Gap {
  kernel: string;
  dimensions: string;
  values: string;
}

export interface Matrix {
  rows: string[];
  columns: string[];
  at: Map<string, Counts>;
  legal: number; // cells that the contract allows
  gaps: number; // of them those in which nothing ran
  known: boolean; // whether the contract says anything of these cells
  standing: (row: string, column: string) => Standing;
}
