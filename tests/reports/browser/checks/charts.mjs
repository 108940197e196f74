// Every picture is drawn once it is scrolled to, has something in it, and says what it shows.

const kPatience = 5000; // ms

export async function charts(page) {
  const out = [];
  for (const chart of await page.$$(".chart")) {
    const alt = (await chart.getAttribute("aria-label")) ?? "";
    if (!/\d/.test(alt)) out.push(`a picture's text has no figure: '${alt}'`);
    await chart.scrollIntoViewIfNeeded();
    const drawn = await page
      .waitForFunction((at) => at.getAttribute("data-drawn") === "yes", chart, { timeout: kPatience })
      .then(() => true, () => false);
    if (!drawn) {
      out.push(`the picture '${alt.slice(0, 80)}' is not drawn: ${await chart.evaluate((e) => e.nextElementSibling?.textContent)}`);
      continue;
    }
    const painted = await chart.evaluate((at) => {
      const canvas = at.querySelector("canvas");
      if (!canvas || canvas.width * canvas.height === 0) return false;
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const pen = copy.getContext("2d", { willReadFrequently: true });
      pen.drawImage(canvas, 0, 0);
      return pen.getImageData(0, 0, copy.width, copy.height).data.some((v, i) => i % 4 === 3 && v > 0);
    });
    if (!painted) out.push(`the picture '${alt.slice(0, 80)}' is blank`);
  }
  return out;
}
