// Headings sort, both ways; the filter leaves the rows that hold its text, and says how many.

const kWait = 3000; // ms

// Texts of the rows that are shown, cell by cell.
const rows = (table) => table.$$eval("tbody tr", (all) => all.map((r) => [...r.cells].map((c) => c.innerText.trim())));

// What each heading does when it is pressed twice: its name, whether it is of numbers, and the
// column's texts by the order that it then states. The first is clicked as a reader does, all the
// others from within, where a table of twenty columns costs one call.
async function orders(table) {
  const first = await table.$("thead button.sort");
  const called = (await first?.innerText())?.trim();
  await first?.click();
  return table.evaluate(async (root, called) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const out = [];
    for (const [i, button] of [...root.querySelectorAll("thead button.sort")].entries()) {
      const heading = button.parentElement;
      const name = i === 0 ? called : button.innerText.trim();
      const by = {};
      for (let press = 0; press < 2; ++press) {
        if (i > 0 || press > 0) button.click();
        await frame();
        by[heading.getAttribute("aria-sort")] = [...root.querySelectorAll("tbody tr")].map((r) => r.cells[i]?.innerText.trim() ?? "");
      }
      out.push({ name, numbers: heading.classList.contains("n"), by });
    }
    return out;
  }, called);
}

async function sorts(table, out) {
  for (const { name, numbers: ofNumbers, by } of await orders(table)) {
    const { ascending, descending } = by;
    if (!ascending || !descending) {
      out.push(`'${name}' sorts ${Object.keys(by).join(" and ")} only`);
      continue;
    }
    const differ = new Set([...ascending, ...descending]).size > 1;
    if (differ && ascending.join("\n") === descending.join("\n")) out.push(`'${name}' sorts both ways alike`);
    const numbers = ascending.map((t) => Number(t.replaceAll(",", "")));
    const plain = ofNumbers && ascending.every((t) => /^-?[\d,.]+$/.test(t));
    if (plain && numbers.some((x, at) => at > 0 && x < numbers[at - 1])) out.push(`'${name}' is not ascending: ${numbers.slice(0, 8)}`);
  }
}

// A word that some rows have and others have not.
function telling(all) {
  const words = new Set(all.flat().flatMap((t) => t.split(/\s+/)).filter((w) => w.length > 0 && w.length < 40));
  const having = (w) => all.filter((r) => r.some((c) => c.toLowerCase().includes(w.toLowerCase()))).length;
  return [...words].find((w) => having(w) < all.length);
}

async function filters(table, out) {
  const input = await table.$(".filter input");
  if (!input) return;
  const more = await table.$("button:has-text('Show all')");
  if (more) await more.click();
  const all = await rows(table);
  const word = telling(all);
  const status = () => table.$eval('.filter [role="status"]', (e) => e.innerText);
  const settled = async (test) => {
    for (const end = Date.now() + kWait; Date.now() < end; await new Promise((r) => setTimeout(r, 20))) {
      if (await test()) return true;
    }
    return false;
  };
  if ((await status()) !== `${all.length} rows`) out.push(`the filter says '${await status()}' of ${all.length} rows`);
  for (const text of word ? [word, "no row holds this text"] : ["no row holds this text"]) {
    await input.fill("");
    await input.type(text);
    if (!(await settled(async () => (await status()) === `${(await rows(table)).length} of ${all.length} rows`))) {
      out.push(`filtered by '${text}' it says '${await status()}' and shows ${(await rows(table)).length} of ${all.length} rows`);
    }
    const left = (await rows(table)).length;
    if (left >= all.length || (text !== word && left > 0)) out.push(`'${text}' leaves ${left} of ${all.length} rows`);
    if (text === word && left === 0) out.push(`'${text}', which rows show, leaves none`);
  }
  await input.fill("");
  if (!(await settled(async () => (await status()) === `${all.length} rows`))) out.push(`without a filter it says '${await status()}'`);
}

export async function tables(page) {
  const out = [];
  for (const table of await page.$$("div.table")) {
    if (!(await table.isVisible())) continue;
    const caption = await table.$eval("caption", (c) => c.textContent);
    const own = [];
    await sorts(table, own);
    await filters(table, own);
    out.push(...own.map((o) => `table '${caption}': ${o}`));
  }
  return out.slice(0, 5);
}
