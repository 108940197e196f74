// On paper: it becomes a PDF, nothing is wider than the sheet, and what only a screen can use is
// left out.

export async function print(page, file) {
  const out = [];
  const pdf = await page.pdf({ format: "A4", path: file });
  if (pdf.length < 2000 || pdf.subarray(0, 5).toString() !== "%PDF-") out.push(`its PDF has ${pdf.length} bytes`);
  await page.emulateMedia({ media: "print" });
  const left = await page.evaluate(() =>
    [...document.querySelectorAll("nav, .copy button, .filter")].filter((e) => e.checkVisibility()).map((e) => e.tagName),
  );
  if (left.length > 0) out.push(`on paper it still has ${left.join(", ")}`);
  await page.emulateMedia({ media: "screen" });
  return out;
}
