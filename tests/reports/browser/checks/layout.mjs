// Nothing is wider than the window: the page does not scroll sideways, and nothing is cut off where
// it may not scroll. Wide tables and pictures scroll within themselves, but no further than a reader
// would go.

const kWidest = 2200; // px

export async function layout(page) {
  return page.evaluate((widest) => {
    const root = document.documentElement;
    const out = [];
    if (root.scrollWidth > root.clientWidth) out.push(`it scrolls sideways: ${root.scrollWidth} of ${root.clientWidth} px`);
    const scrolls = (e) => ["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX);
    for (const e of document.body.querySelectorAll("*")) {
      const box = e.getBoundingClientRect();
      if (box.width === 0 || (box.right <= root.clientWidth + 1 && box.left >= -1)) continue;
      let within = e.parentElement;
      while (within && within !== document.body && !scrolls(within)) within = within.parentElement;
      if (within && within !== document.body) continue;
      out.push(`${e.tagName.toLowerCase()}.${e.className} reaches from ${box.left} to ${box.right} of ${root.clientWidth} px`);
    }
    for (const e of document.body.querySelectorAll(".scroll, .chart")) {
      if (e.scrollWidth > widest) out.push(`${e.className} '${e.getAttribute("aria-label")}' is ${e.scrollWidth} px wide within`);
    }
    return out.slice(0, 3);
  }, kWidest);
}
