// node bench/report_bench.mjs BUILD FOLDER [REPEATS]: the report of 100,000 cases and 200 failures (the
// store of ctest report_size, made in FOLDER anew): seconds to write it, also over those of
// `w4check export --json`, which reads and writes the same verdicts, and seconds until a page of it
// answers, also over those of an empty report. Medians.
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { openBrowser } from "../tests/reports/browser/chromium.mjs";
import { makeLargeStore, writeReport } from "../tests/reports/large.mjs";

const [build, folder, times = "5"] = process.argv.slice(2);
const repeats = Number(times);
if (!build || !folder || !(repeats >= 1)) {
  console.error("report_bench.mjs BUILD FOLDER [REPEATS]; legal: build/release, a folder to make anew, 1 or more");
  process.exit(2);
}
const w4check = resolve(build, "bin/w4check");
const stores = resolve(build, "bin/w4_report_store");

const median = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];
const times_of = async (work) => {
  const all = [];
  for (let i = 0; i < repeats; ++i) all.push(await work());
  return median(all);
};
const seconds = (work) => {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1e3;
};

const db = makeLargeStore(stores, folder);
const page = join(folder, "report", "index.html");
let made;
const write = await times_of(() => (made = writeReport(w4check, db, join(folder, "report"))).seconds);
const read = await times_of(() => seconds(() => execFileSync(w4check, ["export", db, "--json", join(folder, "all.jsonl")], { stdio: "ignore" })));
const empty = join(folder, "empty.db");
execFileSync(stores, ["empty", empty]);
execFileSync(w4check, ["report", "--db", empty, "--out", join(folder, "empty")], { stdio: "ignore" });

const { browser } = await openBrowser(resolve(build, "reports/web"));

// From the start of loading until the heading is there, and until a click in the navigation has
// brought another page.
async function interactive(file) {
  const tab = await browser.newPage();
  await tab.addInitScript(() => {
    addEventListener("DOMContentLoaded", () => {
      const look = () => {
        const heading = document.querySelector("main h1")?.textContent;
        if (!heading) return;
        if (globalThis.w4First === undefined) {
          globalThis.w4First = { heading, at: performance.now() };
          document.querySelector('nav a[href="#failures"]').click();
        } else if (heading !== w4First.heading && globalThis.w4Then === undefined) {
          requestAnimationFrame(() => (globalThis.w4Then ??= performance.now()));
        }
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
      look();
    });
  });
  await tab.goto(pathToFileURL(file).href);
  await tab.waitForFunction(() => globalThis.w4Then !== undefined);
  const at = await tab.evaluate(() => [w4First.at, w4Then]);
  await tab.close();
  return at.map((ms) => ms / 1e3);
}

const all = { large: [], empty: [] };
for (let i = 0; i < repeats; ++i) {
  all.large.push(await interactive(page));
  all.empty.push(await interactive(join(folder, "empty", "index.html")));
}
await browser.close();
const heading = median(all.large.map((a) => a[0]));
const answers = median(all.large.map((a) => a[1]));
const bare = median(all.empty.map((a) => a[1]));
console.log(`${made.cases} cases, ${made.failures} failures: index.html ${(made.page / 1e6).toFixed(1)} MB, report.json ${(made.data / 1e6).toFixed(1)} MB`);
console.log(`written in ${write.toFixed(2)} s, ${(write / read).toFixed(2)} of export --json (${read.toFixed(2)} s)`);
console.log(`first heading after ${heading.toFixed(2)} s, a click answered after ${answers.toFixed(2)} s, ${(answers / bare).toFixed(1)} of an empty report (${bare.toFixed(2)} s)`);
