// From page to page by clicks and back: the heading, the title and the mark in the navigation follow,
// and the keyboard stands at the new page's start. An address of no page says so.

// Addresses that somebody cut or typed.
const kNowhere = ["nowhere", "%E0%A4%A", "failure/%", "failure/none", "kernels/50%"];

const state = (page) =>
  page.evaluate(() => ({
    heading: document.querySelector("main h1")?.textContent ?? "",
    title: document.title,
    marked: document.querySelector("nav a[aria-current]")?.textContent,
    focused: document.activeElement?.id,
  }));

export async function navigates(page) {
  const out = [];
  const before = await state(page);
  for (const link of await page.$$("nav a")) {
    const name = await link.textContent();
    if ((await link.getAttribute("aria-current")) === "page") continue;
    await link.click();
    const arrived = await page
      .waitForFunction((n) => document.querySelector("nav a[aria-current]")?.textContent === n, name, { timeout: 2000 })
      .then(() => true, () => false);
    if (!arrived) {
      out.push(`the navigation does not come to '${name}'`);
      continue;
    }
    await page.waitForFunction(() => document.title.startsWith(document.querySelector("main h1")?.textContent ?? "?"));
    const now = await state(page);
    if (now.heading === before.heading) out.push(`'${name}' shows '${now.heading}' again`);
    if (now.focused !== "main") out.push(`at '${name}' the focus is on '${now.focused}'`);
    await page.goBack();
    await page.waitForFunction((h) => document.querySelector("main h1")?.textContent === h, before.heading);
  }
  for (const fragment of kNowhere) {
    await page.evaluate((f) => (location.hash = f), fragment);
    const said = await page
      .waitForFunction(() => /has no /.test(document.querySelector("main h1")?.textContent ?? ""), null, { timeout: 2000 })
      .then(() => true, () => false);
    if (!said) out.push(`at '#${fragment}' it does not say that there is no such page`);
    await page.evaluate(() => (location.hash = "summary"));
    await page.waitForFunction((h) => document.querySelector("main h1")?.textContent === h, before.heading).catch(() => {
      out.push(`after '#${fragment}' it does not come back to '${before.heading}'`);
    });
  }
  return out;
}
