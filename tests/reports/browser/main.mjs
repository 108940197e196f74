// node main.mjs key=value …: writes reports of several stores and looks at each of their pages in a
// browser, in narrow and wide windows, light and dark. part=all; part=most leaves out the stores with
// nothing to complain about and the check of the checks (faults.mjs). Ends with 1 where something is
// to complain about, with 77 where there is no browser.
import { mkdirSync, readFileSync, rmSync } from "node:fs";

import { Missing, openBrowser } from "./chromium.mjs";
import { expected, failureOf, shows } from "./expected.mjs";
import { unnoticed } from "./faults.mjs";
import { glances, look, navigation, openWindow, spent, windows } from "./looks.mjs";
import { discover, show } from "./pages.mjs";
import { Reports, planted } from "./reports.mjs";

const keys = ["w4check", "stores", "modules", "bad", "web", "work", "shots", "part"];
const given = Object.fromEntries(process.argv.slice(2).map((w) => w.split(/=(.*)/s, 2)));
const wrong = [...keys.filter((k) => !given[k]), ...Object.keys(given).filter((k) => !keys.includes(k))];
if (wrong.length > 0) {
  console.error(`main.mjs: ${wrong[0]}=; legal: each of ${keys.join("=, ")}= once, paths but part=`);
  process.exit(2);
}
if (!["all", "most"].includes(given.part)) {
  console.error(`main.mjs: part=${given.part}; legal: all, most`);
  process.exit(2);
}
const all = given.part === "all";

let opened;
try {
  opened = await openBrowser(given.web);
} catch (e) {
  if (!(e instanceof Missing)) throw e;
  console.log(`skipped: ${e.message}`);
  process.exit(77);
}
const { browser, axe } = opened;
rmSync(given.shots, { recursive: true, force: true });
mkdirSync(given.shots, { recursive: true });

const reports = new Reports(given);
const light = windows.filter((w) => w.scheme === "light");
const complaints = [];
let looks = 0;

function complain(...all) {
  for (const c of all) console.log(c);
  complaints.push(...all);
}

// Every page in every window of `within`; `used`: as a reader uses it, not only what it looks like.
async function lookAt(report, { within = windows, used = false } = {}) {
  const first = await openWindow(browser, windows[0]);
  const page = await first.newPage();
  const addresses = await discover(page, report.url);
  await page.close();
  complain(...(await navigation(first, report)));
  await first.close();
  for (const window of within) {
    const context = await openWindow(browser, window);
    for (const address of addresses) {
      complain(...(await look(context, window, axe, { ...report, address, used, shots: given.shots })));
      ++looks;
    }
    await context.close();
  }
  console.log(`${report.name}: ${addresses.join(", ")}`);
  return addresses;
}

// Of failures that discover() left out: whether their text does harm.
async function glanceAtFailures(report) {
  const narrow = await openWindow(browser, windows[2]);
  const { failures } = JSON.parse(readFileSync(report.json, "utf8"));
  const addresses = failures.map((f) => `failure/${f.id}`);
  for await (const said of glances(narrow, windows[2], { ...report, addresses })) {
    complain(...said);
    ++looks;
  }
  await narrow.close();
}

const timed = async (name, work) => {
  const start = Date.now();
  const out = await work();
  console.log(`  ${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
  return out;
};

const plantedReport = await timed("planted store", () => reports.planted());
complain(...expected(plantedReport));
await timed("planted failures", async () => {
  const context = await openWindow(browser, windows[0]);
  const report = JSON.parse(readFileSync(plantedReport.json, "utf8"));
  for (const defect of planted) {
    const page = await context.newPage();
    await show(page, plantedReport.url, `failure/${failureOf(report, defect)?.id}`);
    complain(...(await shows(page, report, defect)));
    await page.close();
  }
  await context.close();
});
const addresses = await timed("planted pages", () => lookAt(plantedReport, { used: true }));
if (all) {
  await timed("pages", () => lookAt(reports.green(), { within: light }));
  await timed("pages", () => lookAt(reports.made("empty"), { within: light }));
  await timed("pages", () => lookAt(reports.made("unfinished"), { within: light }));
}
const hostile = reports.made("hostile");
await timed("pages", () => lookAt(hostile, { within: all ? light : [windows[2]] }));
await timed("failures", () => glanceAtFailures(hostile));

const faults = async () => {
  const context = await openWindow(browser, windows[0]);
  const kinds = {
    summary: [plantedReport.url, "summary"],
    failures: [plantedReport.url, "failures"],
    failure: [plantedReport.url, addresses.find((a) => a.startsWith("failure/"))],
    filtered: [hostile.url, "failures"],
  };
  const { tried, out } = await unnoticed(context, axe, kinds);
  complain(...out);
  console.log(`faults: ${tried} tried`);
};
if (all) await timed("faults", faults);
await browser.close();

const most = Object.entries(spent).sort((a, b) => b[1] - a[1]);
console.log(`seconds: ${most.map(([name, s]) => `${name} ${s.toFixed(1)}`).join(", ")}`);
console.log(`${looks} looks, ${complaints.length} complaints; pictures in ${given.shots}`);
process.exit(complaints.length > 0 ? 1 : 0);
