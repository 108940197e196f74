// By Tab alone a reader reaches the navigation and every button, field, choice and summary of the
// page, in the order in which they stand, and sees where he is.

const kControls = "nav a, main button, main input, main select, main summary";
const kMost = 600; // steps

export async function keyboard(page) {
  const wanted = await page.evaluate((controls) => {
    document.activeElement?.blur();
    const all = [...document.querySelectorAll(controls)].filter((e) => e.checkVisibility() && !e.disabled);
    all.forEach((e, i) => (e.w4Place = i));
    return all.map((e) => e.outerHTML.slice(0, 90));
  }, kControls);
  const reached = new Set();
  const out = [];
  let last = -1;
  for (let i = 0; i < kMost && reached.size < wanted.length; ++i) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      const style = getComputedStyle(e);
      return { place: e.w4Place, seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 };
    });
    if (at === null) break;
    if (at.place === undefined) continue;
    if (!at.seen) out.push(`focus does not show on ${wanted[at.place]}`);
    if (at.place < last) out.push(`${wanted[at.place]} comes after ${wanted[last]}`);
    last = at.place;
    reached.add(at.place);
  }
  wanted.forEach((name, i) => {
    if (!reached.has(i)) out.push(`Tab does not reach ${name}`);
  });
  return out.slice(0, 3);
}
