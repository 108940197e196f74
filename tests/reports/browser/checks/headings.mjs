// One h1, no level left out on the way down, and a title that says which page this is.

export async function headings(page) {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
    const levels = all.map((h) => Number(h.tagName[1]));
    const out = [];
    if (levels.filter((l) => l === 1).length !== 1) out.push(`it has ${levels.filter((l) => l === 1).length} headings h1`);
    levels.forEach((level, i) => {
      if (level > (levels[i - 1] ?? 0) + 1) out.push(`h${level} '${all[i].textContent}' follows h${levels[i - 1] ?? 0}`);
      if (!all[i].textContent.trim()) out.push(`h${level} is empty`);
    });
    const first = document.querySelector("h1")?.textContent ?? "";
    if (!first || !document.title.startsWith(first)) out.push(`its title is '${document.title}', its heading '${first}'`);
    return out;
  });
}
