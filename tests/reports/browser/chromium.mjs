// The browser, and what drives it: playwright-core and axe-core out of the packages that the build
// installed for the report's pages. A machine without a browser skips the test and says why.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export class Missing extends Error {}

function executable() {
  const named = process.env.W4_CHROMIUM;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`W4_CHROMIUM is '${named}'; legal: the path of chromium`);
  }
  const found = spawnSync("sh", ["-c", "command -v chromium || command -v chromium-browser"], { encoding: "utf8" });
  const path = found.stdout.trim();
  if (path) return path;
  throw new Missing("there is no chromium; ci/setup.sh --browser installs it, or W4_CHROMIUM names one");
}

// `web`: the folder of the build with node_modules.
export async function openBrowser(web) {
  const modules = createRequire(join(web, "package.json"));
  let playwright, axe;
  try {
    playwright = modules("playwright-core");
    axe = modules("axe-core");
  } catch {
    throw new Missing(`${web} has no playwright-core and axe-core; the build of w4check installs them`);
  }
  const browser = await playwright.chromium.launch({
    executablePath: executable(),
    // Containers have no sandbox for it, and a small /dev/shm.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
  });
  return { browser, axe: axe.source };
}
