// The checks checked: a sound page is spoilt in one way, and the check made for it has to complain.
// A check that stays silent here proves nothing about the pages.
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
import { show } from "./pages.mjs";
import { watch } from "./watch.mjs";

const main = (html) => `document.querySelector("main").insertAdjacentHTML("beforeend", ${JSON.stringify(html)})`;

// [what is wrong, on which page, the script that spoils it, the check, what it must say]
const faults = [
  ["a warning", "summary", `console.warn("spoilt")`, null, /console warning: spoilt/],
  ["an error", "summary", `setTimeout(() => { throw new Error("spoilt") })`, null, /throws: spoilt/],
  ["a request", "summary", `void fetch("https://example.invalid/x").catch(() => 0)`, null, /asks for https/],
  ["a picture from elsewhere", "summary", main(`<img alt="" src="https://example.invalid/x.png">`), null, /asks for https/],
  ["a dialog", "summary", `setTimeout(() => alert("spoilt"))`, null, /dialog: spoilt/],
  ["a wide block", "summary", main(`<div style="width: 3000px">wide</div>`), layout, /px/],
  ["a block beyond the left edge", "summary", main(`<div style="margin-left: -300px">left</div>`), layout, /from -/],
  ["a long word", "summary", main(`<p style="overflow-wrap: normal"><span>${"w".repeat(999)}</span></p>`), layout, /span/],
  ["a table without end", "summary", main(`<div class="scroll"><div style="width: 9000px">wide</div></div>`), layout, /9000 px wide within/],
  ["a text that runs", "summary", `globalThis.w4Hit = 1`, harmless, /w4Hit is 1/],
  ["a text that makes elements", "summary", main(`<img alt="" src="data:,">`), harmless, /made <img/],
  ["a heading left out", "summary", main("<h2>a</h2><h4>b</h4>"), headings, /h4 'b' follows h2/],
  ["two first headings", "summary", main("<h1>b</h1>"), headings, /2 headings h1/],
  ["another page's title", "summary", `document.title = "w4check"`, headings, /title is 'w4check'/],
  ["a picture never drawn", "summary", main(`<figure><div class="chart" role="img" aria-label="1 bar"></div></figure>`), charts, /not drawn/],
  ["a blank picture", "summary", main(`<div class="chart" data-drawn="yes" aria-label="1 bar"><canvas></canvas></div>`), charts, /blank/],
  ["a picture without figures", "summary", main(`<div class="chart" data-drawn="yes" aria-label="bars"></div>`), charts, /no figure/],
  ["pale text", "summary", main(`<p style="color: #bbb; background: #fff">pale</p>`), accessible, /color-contrast/],
  ["a field without a name", "summary", main("<input>"), accessible, /label/],
  ["a picture without a text", "summary", main(`<div role="img">x</div>`), accessible, /role-img-alt/],
  ["a button out of reach", "summary", main(`<button tabindex="-1">b</button>`), keyboard, /does not reach <button/],
  ["a button before its turn", "summary", main(`<button tabindex="1">b</button>`), keyboard, /comes after/],
  ["a focus that does not show", "summary", main(`<button style="outline: none">b</button>`), keyboard, /focus does not show/],
  ["a line that is not what is copied", "failure", `document.querySelector(".copy code").textContent += "x"; Object.defineProperty(navigator.clipboard, "writeText", {value: () => Promise.resolve()})`, copies, /was copied, not/],
  ["a fallback that does nothing", "failure", `document.execCommand = () => false`, copies, /by selection: the button says/],
  ["a table that does not sort", "failures", `document.querySelectorAll("button.sort").forEach((b) => b.replaceWith(b.cloneNode(true)))`, tables, /sorts none only/],
  ["a filter that does nothing", "filtered", `document.querySelectorAll(".filter input").forEach((b) => b.replaceWith(b.cloneNode(true)))`, tables, /filtered by/],
  ["a filter that counts wrong", "filtered", `document.querySelector(".filter").append(document.querySelector('.filter [role="status"]').cloneNode(true)); document.querySelector('.filter [role="status"]').textContent = "7 rows"`, tables, /filter says '7 rows'/],
  ["a page that is not there", "summary", `document.querySelector("nav").insertAdjacentHTML("beforeend", '<a href="#summary">Nowhere</a>')`, navigates, /does not come to 'Nowhere'/],
  ["a link that does not decode", "summary", main(`<a href="#kernels/50%">50%</a>`), links, /'kernels\/50%' does not decode/],
  ["controls on paper", "failure", `document.head.insertAdjacentHTML("beforeend", "<style>@media print { .copy button { display: inline !important } }</style>")`, print, /on paper it still has BUTTON/],
];

// `kinds`: [url, address] of the kinds of pages that faults name. Returns what stayed unnoticed.
export async function unnoticed(context, axe, kinds) {
  const out = [];
  for (const [what, where, script, check, says] of faults) {
    const [url, address] = kinds[where];
    const page = await context.newPage();
    const seen = watch(page, url);
    await show(page, url, address);
    await page.evaluate(script);
    const said = check ? await check(page, { [accessible.name]: axe, [harmless.name]: address }[check.name]) : [];
    if (!check) await page.waitForTimeout(100);
    said.push(...seen.complaints());
    if (!said.some((s) => says.test(s))) out.push(`'${what}' is not noticed; said was: ${said.join("; ") || "nothing"}`);
    await page.close();
  }
  return { tried: faults.length, out };
}
