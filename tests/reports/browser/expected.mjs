// What the report of the planted store has to say: that it is not safe, and of each defect what it is.
import { readFileSync } from "node:fs";

import { planted } from "./reports.mjs";

const named = (f) => (f.explanation?.hypotheses ?? []).map((h) => h.name);

// The failure that this defect's line was folded into.
export const failureOf = (report, defect) =>
  report.failures.find((f) => (f.lines ?? [{ line: f.rerun }]).some((l) => l.line.includes(`/${defect.module}.so`)));

function wrongWith(report, defect) {
  const f = failureOf(report, defect);
  if (!f) return [`no failure has its line`];
  const out = [];
  const others = planted.filter((p) => p !== defect && failureOf(report, p) === f).map((p) => p.module);
  if (others.length > 0) out.push(`it is one failure with ${others.join(", ")}`);
  if (f.kind !== defect.kind) out.push(`its verdict is ${f.kind}, not ${defect.kind}`);
  if (!f.explanation || !f.depiction) return [...out, `it was not analysed: ${f.why}`];
  if (defect.hypothesis && named(f).join() !== defect.hypothesis) out.push(`it is called '${named(f)}', not '${defect.hypothesis}'`);
  if (defect.hypothesis && f.hypothesis_name !== defect.hypothesis) out.push(`the store calls it '${f.hypothesis_name}'`);
  if (defect.finding) {
    const found = f.depiction.findings.filter((x) => x.kind === defect.finding);
    if (found.length === 0) out.push(`no finding is a ${defect.finding}`);
    if (found.some((x) => !x.other || x.other.instruction === "" || x.at.instruction === "")) out.push(`a ${defect.finding} lacks a party`);
    if (named(f).length > 0) out.push(`it is called '${named(f)}', which it is not`);
  }
  if (!f.rerun.startsWith("w4check rerun ") || !f.rerun.includes(`/${defect.module}.so`)) out.push(`its line is ${f.rerun}`);
  if (!f.depiction.picture || f.depiction.picture.cells.length === 0) out.push("it has no picture");
  // What a check sees may leave every output right: then the report has to know that it looked.
  const d = f.depiction;
  if (d.wrong > 0 ? d.worst.length === 0 : !(defect.finding && d.unchecked)) out.push(`of ${d.wrong} wrong elements it shows ${d.worst.length}`);
  return out;
}

// Its page says so: the hypothesis by name and in words, the line, both parties of a race.
export async function shows(page, report, defect) {
  const f = failureOf(report, defect);
  if (!f?.explanation) return [];
  const text = await page.$eval("main", (m) => m.textContent);
  const words = [f.rerun, f.explanation.says, ...named(f)];
  const race = f.depiction?.findings.find((x) => x.kind === defect.finding);
  if (race) words.push(race.at.instruction, race.other.instruction);
  const pictures = (await page.$$(".chart")).length;
  const out = words.filter((w) => !text.toLowerCase().includes(w.toLowerCase())).map((w) => `its page does not show '${w}'`);
  if (f.depiction?.wrong > 0 && f.depiction.picture && pictures === 0) out.push("its page has no picture");
  return out.map((o) => `planted, ${defect.module}: ${o}`);
}

export function expected({ json, flaky }) {
  const report = JSON.parse(readFileSync(json, "utf8"));
  const out = [];
  const { summary } = report;
  if (summary.state !== "failed" || !/^Not safe to ship/.test(summary.sentence)) out.push(`the summary says '${summary.sentence}' (${summary.state})`);
  if (!report.failures.some((f) => summary.start && f.id === summary.start.failure && f.rerun === summary.start.rerun)) {
    out.push(`the summary starts with ${JSON.stringify(summary.start)}`);
  }
  if (!summary.flaky.lines.some((f) => f.line === flaky)) out.push(`the flaky line is not among ${JSON.stringify(summary.flaky)}`);
  if (report.failures.length !== planted.length) out.push(`it has ${report.failures.length} failures, not ${planted.length}`);
  // Without --analyse a report has nothing to say of why.
  if (!report.failures.some((f) => "explanation" in f)) return out.map((o) => `planted, report.json: ${o}`);
  for (const defect of planted) out.push(...wrongWith(report, defect).map((w) => `${defect.module}: ${w}`));
  return out.map((o) => `planted, report.json: ${o}`);
}
