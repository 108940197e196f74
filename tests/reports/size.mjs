// node size.mjs W4CHECK STORES FOLDER: index.html and report.json of 100,000 cases and 200 failures,
// each depicted at its limits, are below 20 MB each.
import { join } from "node:path";

import { makeLargeStore, writeReport } from "./large.mjs";

const kMost = 20e6; // bytes
const [w4check, stores, folder] = process.argv.slice(2);
const is = writeReport(w4check, makeLargeStore(stores, folder), join(folder, "report"));
console.log(JSON.stringify(is));
const wrong = [];
if (is.cases !== 100_000) wrong.push(`it has ${is.cases} cases, not 100,000`);
if (is.failures !== 200 || (is.shows && is.depicted !== 200)) wrong.push(`it has ${is.failures} failures, ${is.depicted} of them depicted, not 200`);
if (is.page >= kMost) wrong.push(`index.html has ${is.page} bytes; at most ${kMost}`);
if (is.data >= kMost) wrong.push(`report.json has ${is.data} bytes; at most ${kMost}`);
wrong.forEach((w) => console.log(w));
process.exit(wrong.length > 0 ? 1 : 0);
