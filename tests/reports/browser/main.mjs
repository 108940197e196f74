// node main.mjs key=value …: writes reports of several stores and looks at each of their pages in a
// browser, in narrow and wide windows, light and dark. Ends with 1 where something is to complain
// about, with 77 where there is no browser.
import { mkdirSync, readFileSync, rmSync } from "node:fs";

import { Missing, openBrowser } from "./chromium.mjs";
import { unnoticed } from "./faults.mjs";
import { glance, look, navigation, openWindow, windows } from "./looks.mjs";
import { discover } from "./pages.mjs";
import { Reports } from "./reports.mjs";

const keys = ["w4check", "stores", "modules", "bad", "web", "work", "shots"];
const given = Object.fromEntries(process.argv.slice(2).map((w) => w.split(/=(.*)/s, 2)));
const wrong = [...keys.filter((k) => !given[k]), ...Object.keys(given).filter((k) => !keys.includes(k))];
if (wrong.length > 0) {
  console.error(`main.mjs: ${wrong[0]}=; legal: each of ${keys.join("=, ")}= once, paths`);
  process.exit(2);
}

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
const complaints = [];
let looks = 0;

// Every page in every window of `within`; of failures that discover() left out, whether their text
// does harm.
async function lookAt(report, within = windows) {
  const first = await openWindow(browser, windows[0]);
  const page = await first.newPage();
  const addresses = await discover(page, report.url);
  await page.close();
  complaints.push(...(await navigation(first, report)));
  await first.close();
  for (const window of within) {
    const context = await openWindow(browser, window);
    for (const address of addresses) {
      complaints.push(...(await look(context, window, axe, { ...report, address, shots: given.shots })));
      ++looks;
    }
    await context.close();
  }
  console.log(`${report.name}: ${addresses.join(", ")}`);
  return addresses;
}

async function glanceAtFailures(report) {
  const narrow = await openWindow(browser, windows[2]);
  const { failures } = JSON.parse(readFileSync(report.json, "utf8"));
  for (const f of failures) {
    complaints.push(...(await glance(narrow, windows[2], { ...report, address: `failure/${f.id}` })));
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
const addresses = await timed("planted pages", () => lookAt(plantedReport));
await timed("pages", () => lookAt(reports.green()));
await timed("pages", () => lookAt(reports.made("empty"), [windows[0], windows[2]]));
await timed("pages", () => lookAt(reports.made("unfinished"), [windows[0], windows[2]]));
const hostile = reports.made("hostile");
await timed("pages", () => lookAt(hostile, [windows[0], windows[2]]));
await timed("failures", () => glanceAtFailures(hostile));

await timed("faults", async () => {
  const context = await openWindow(browser, windows[0]);
  const kinds = {
    summary: [plantedReport.url, "summary"],
    failures: [plantedReport.url, "failures"],
    failure: [plantedReport.url, addresses.find((a) => a.startsWith("failure/"))],
    filtered: [hostile.url, "failures"],
  };
  const { tried, out } = await unnoticed(context, axe, kinds);
  complaints.push(...out);
  console.log(`faults: ${tried} tried`);
});
await browser.close();

for (const c of complaints) console.log(c);
console.log(`${looks} looks, ${complaints.length} complaints; pictures in ${given.shots}`);
process.exit(complaints.length > 0 ? 1 : 0);
