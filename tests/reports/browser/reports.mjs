// The reports that are looked at: stores by real commands (the planted one), or by w4_report_store,
// each written by `w4check report`.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

function run(command, words, { codes = [0], env = {} } = {}) {
  const done = spawnSync(command, words, { encoding: "utf8", env: { ...process.env, ...env } });
  if (!codes.includes(done.status)) {
    throw new Error(`${command} ${words.join(" ")} ended with ${done.status}:\n${done.stdout?.slice(-2000)}\n${done.stderr?.slice(-2000)}`);
  }
  return done;
}

// Each defect by the one hypothesis of `explain` that is true of it, or by what its verdict states.
export const planted = [
  { module: "g64_runs_128", line: "decode m=1 n=64 k=512 g=64", kind: "mismatch", hypothesis: "group.size" },
  { module: "bias_row_stride_n", line: "decode m=2 n=40 k=256 g=128 bias=mx1", kind: "finding", hypothesis: "bias.stride_n" },
  { module: "zp_half_read_as_packed", line: "decode m=4 n=16 k=1024 g=128 zp=unpacked bias=n", kind: "mismatch", hypothesis: "zp.halves_read_as_words" },
  { module: "lds_gate_asks_device", line: "decode m=1 n=8 k=36864 g=128 lds=163840", kind: "finding", hypothesis: "act.lds_truncated" },
  { module: "tile_overwritten_early", line: "prefill m=33 n=64 k=128 g=64", kind: "finding", finding: "lds_race" },
];

// Refused as it must be, unless W4_MISBEHAVES is set: then it aborts.
const flaky = (module) => `decode m=14 n=16 k=64 g=24 module=${module}`;
const sound = ["decode m=1 n=64 k=512 g=64", "decode m=4 n=40 k=256 g=128 bias=mx1", "prefill m=33 n=64 k=128 g=64"];

export class Reports {
  constructor({ w4check, stores, modules, bad, work }) {
    Object.assign(this, { w4check, stores, modules, bad, work });
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
  }

  cases(name, lines) {
    const file = join(this.work, `${name}.cases`);
    writeFileSync(file, lines.join("\n") + "\n");
    return file;
  }

  // The report of a store, as the address of its page.
  written(name, options = []) {
    const out = join(this.work, name);
    run(this.w4check, ["report", "--db", join(this.work, `${name}.db`), "--out", out, ...options]);
    return { name, url: pathToFileURL(join(out, "index.html")).href, json: join(out, "report.json") };
  }

  // Whether `report` looks into failures (explain, pictures).
  analyses() {
    return run(this.w4check, ["report", "--help"]).stdout.includes("--analyse");
  }

  planted() {
    const db = join(this.work, "planted.db");
    const line = flaky(this.bad);
    const before = ["run", "--cases", this.cases("flaky", [line]), "--db", db];
    run(this.w4check, before, { codes: [1], env: { W4_MISBEHAVES: "1" } });
    const lines = planted.map((p) => `${p.line} module=${join(this.modules, `${p.module}.so`)}`);
    run(this.w4check, ["run", "--cases", this.cases("planted", [...lines, ...sound, line]), "--db", db], { codes: [1] });
    this.bench(db);
    const options = this.analyses() ? ["--analyse", "300"] : [];
    return { ...this.written("planted", options), flaky: line };
  }

  // Counted on an emulated device, one of its calls not taken by its kernel.
  bench(db) {
    const words = ["--device", "gfx1151", "--kernel", "decode", "--shapes", "64x256,40x512,8x9216", "--m", "1,2,5"];
    run(this.w4check, ["bench", ...words, "--db", db]);
  }

  green() {
    run(this.w4check, ["run", "--cases", this.cases("green", sound), "--db", join(this.work, "green.db")]);
    return this.written("green");
  }

  // KIND of w4_report_store.
  made(kind) {
    run(this.stores, [kind, join(this.work, `${kind}.db`)]);
    return this.written(kind, this.analyses() ? ["--analyse", "0"] : []);
  }
}
