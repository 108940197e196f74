// The large store and its report: made for report_size and for bench/report_bench.mjs.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

export function makeLargeStore(stores, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const db = join(folder, "large.db");
  execFileSync(stores, ["large", db]);
  return db;
}

// A store that is depicted already needs no time to analyse it.
const has = (w4check, option) => execFileSync(w4check, ["report", "--help"], { encoding: "utf8" }).includes(option);

// Seconds that writing takes, bytes, and what is in it.
export function writeReport(w4check, db, out) {
  const analyse = has(w4check, "--analyse") ? ["--analyse", "0"] : [];
  const start = process.hrtime.bigint();
  execFileSync(w4check, ["report", "--db", db, "--out", out, ...analyse], { stdio: ["ignore", "ignore", "inherit"] });
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const bytes = (name) => statSync(join(out, name)).size;
  const { summary, failures } = JSON.parse(readFileSync(join(out, "report.json"), "utf8"));
  return {
    seconds,
    page: bytes("index.html"),
    data: bytes("report.json"),
    cases: summary.all.cases,
    failures: failures.length,
    shows: failures.some((f) => "depiction" in f), // what is filed of failures
    depicted: failures.filter((f) => f.depiction?.picture?.cells.length === 128).length,
  };
}
