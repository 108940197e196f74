// One page of a report looked at in one window: a list of complaints, each with the page it is about.
import { join } from "node:path";

import { accessible } from "./checks/accessible.mjs";
import { charts } from "./checks/charts.mjs";
import { copies } from "./checks/copies.mjs";
import { harmless } from "./checks/harmless.mjs";
import { headings } from "./checks/headings.mjs";
import { keyboard } from "./checks/keyboard.mjs";
import { layout } from "./checks/layout.mjs";
import { links } from "./checks/links.mjs";
import { navigates } from "./checks/navigates.mjs";
import { print } from "./checks/print.mjs";
import { tables } from "./checks/tables.mjs";
import { move, show } from "./pages.mjs";
import { watch } from "./watch.mjs";

// Colours do not depend on the width: dark is looked at in one.
export const windows = [
  { width: 1280, scheme: "light" },
  { width: 1280, scheme: "dark" },
  { width: 390, scheme: "light" },
];

// Seconds by check, over all looks.
export const spent = {};

async function done(name, work) {
  const start = performance.now();
  const out = await work;
  spent[name] = (spent[name] ?? 0) + (performance.now() - start) / 1e3;
  return out;
}

export async function openWindow(browser, { width, scheme }) {
  return browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    permissions: ["clipboard-read", "clipboard-write"],
  });
}

// Whether a picture is kept: of all pages in light, of the first that a reader sees in dark too.
function pictured({ width, scheme }, address) {
  return scheme === "light" || (width === 1280 && /^(summary$|failure\/)/.test(address));
}

// Of what a browser cannot paint whole, the part at its start.
const kTallest = 12000, kWidest = 2000; // px

async function picture(page, path) {
  const [width, height] = await page.evaluate(() => {
    const root = document.documentElement;
    return [root.scrollWidth, root.scrollHeight];
  });
  const clip = { x: 0, y: 0, width: Math.min(width, kWidest), height: Math.min(height, kTallest) };
  return page.screenshot({ path, fullPage: width <= kWidest, ...(width <= kWidest && { clip }) });
}

// `used`: also what a reader does with the page, and what screen readers and paper make of it.
export async function look(context, window, axe, { name, url, address, shots, used }) {
  const page = await context.newPage();
  const seen = watch(page, url);
  const out = [];
  const wide = window.width === 1280;
  const light = window.scheme === "light";
  const stem = join(shots, `${name}-${address.replaceAll(/[^a-zA-Z0-9]+/g, "-")}-${window.width}${light ? "" : "-dark"}`);
  const check = async (made, ...rest) => out.push(...(await done(made.name, made(page, ...rest))));
  await done("show", show(page, url, address));
  await check(charts);
  await check(layout);
  await check(headings);
  await check(harmless, address);
  await check(links);
  if (pictured(window, address)) await done("picture", picture(page, `${stem}.png`));
  if (used && wide) await check(accessible, axe);
  if (used && light) {
    if (wide) await check(keyboard);
    await check(tables);
    await check(copies, wide ? Infinity : 1);
    await check(layout);
    if (wide) await check(print, `${stem}.pdf`);
  }
  out.push(...seen.complaints());
  await page.close();
  return out.map((complaint) => `${name} #${address} at ${window.width} px, ${window.scheme}: ${complaint}`);
}

// From page to page of a report, by clicks.
export async function navigation(context, { name, url }) {
  const page = await context.newPage();
  const seen = watch(page, url);
  await show(page, url, "summary");
  const out = [...(await navigates(page)), ...seen.complaints()];
  await page.close();
  return out.map((complaint) => `${name}, by clicks: ${complaint}`);
}

// Of pages of one report, on one tab: only whether their text does harm, and their layout.
export async function* glances(context, window, { name, url, addresses }) {
  const page = await context.newPage();
  const seen = watch(page, url);
  await show(page, url, "summary");
  for (const address of addresses) {
    await move(page, address);
    const out = [...(await harmless(page, address)), ...(await layout(page)), ...seen.complaints()];
    yield out.map((complaint) => `${name} #${address} at ${window.width} px: ${complaint}`);
  }
  await page.close();
}
