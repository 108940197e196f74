// The pages of a report: those that its navigation and its links lead to, and of its failures the
// first five and the last. Nothing here knows a page by name but the failure's.

const kFirst = 5;

function sampled(addresses) {
  const failures = addresses.filter((a) => a.startsWith("failure/"));
  const kept = new Set([...failures.slice(0, kFirst), ...failures.slice(-1)]);
  return addresses.filter((a) => !a.startsWith("failure/") || kept.has(a));
}

// Addresses that the page links to, in order of appearance. Rows that are held back are shown first.
async function links(page, where) {
  for (const more of await page.getByRole("button", { name: /^Show all/ }).all()) await more.click();
  return page.$$eval(`${where} a[href^="#"]`, (all) => all.map((a) => decodeURIComponent(a.getAttribute("href").slice(1))));
}

export async function show(page, url, address) {
  // Not from one fragment to the next: each page is opened as by a reader who got its address.
  await page.goto("about:blank");
  await page.goto(`${url}#${encodeURIComponent(address).replaceAll("%2F", "/")}`);
  await page.waitForSelector("main h1");
}

export async function discover(page, url) {
  await page.goto(url);
  await page.waitForSelector("main h1");
  const queue = await links(page, "nav");
  const found = [...new Set(queue)];
  const done = new Set();
  for (;;) {
    const next = sampled(found).find((a) => !done.has(a));
    if (next === undefined) return sampled(found);
    done.add(next);
    await show(page, url, next);
    for (const a of await links(page, "main")) if (!found.includes(a)) found.push(a);
  }
}
