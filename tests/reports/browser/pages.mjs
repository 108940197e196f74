// The pages of a report: those that its navigation and its links lead to. Of pages of one kind, whose
// addresses are KIND/NAME, the first ones and the last. Nothing here knows a page by name.

const kFirst = { failure: 5 };
const kFirstOfOthers = 2;

function sampled(addresses) {
  const groups = new Map();
  for (const a of addresses) {
    const kind = a.includes("/") ? a.split("/")[0] : a;
    groups.set(kind, [...(groups.get(kind) ?? []), a]);
  }
  return addresses.filter((a) => {
    if (!a.includes("/")) return true;
    const kind = a.split("/")[0];
    const all = groups.get(kind).filter((x) => x.includes("/"));
    return all.indexOf(a) < (kFirst[kind] ?? kFirstOfOthers) || a === all.at(-1);
  });
}

// What does not decode is for checks/links.mjs to complain of.
function decoded(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

// Addresses that the page links to, in order of appearance. Rows that are held back are shown first.
async function links(page, where) {
  for (const more of await page.$$("main button:has-text('Show all')")) await more.click();
  const all = await page.$$eval(`${where} a[href^="#"]`, (at) => at.map((a) => a.getAttribute("href").slice(1)));
  return all.map(decoded);
}

const fragment = (address) => encodeURIComponent(address).replaceAll("%2F", "/");

export async function show(page, url, address) {
  // Not from one fragment to the next: each page is opened as by a reader who got its address.
  await page.goto("about:blank");
  await page.goto(`${url}#${fragment(address)}`);
  await page.waitForSelector("main h1");
}

// To another page of the report that is open, as by a link. Its heading and its title are there when
// both have been seen to change, or where they say the same, after a moment.
export async function move(page, address) {
  await page.evaluate(async (to) => {
    const said = () => document.querySelector("main h1")?.textContent;
    const before = said();
    location.hash = to;
    const start = performance.now();
    for (;;) {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      const now = said();
      if (now !== undefined && (now !== before || performance.now() - start > 100)) return;
    }
  }, fragment(address));
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
    await move(page, next);
    for (const a of await links(page, "main")) if (!found.includes(a)) found.push(a);
  }
}
