// Text of a store is shown as it is and never run: whatever of it runs sets w4Hit or opens a dialog
// (stores/hostile.cpp), and it makes no element that could.

export async function harmless(page, address) {
  return page.evaluate((at) => {
    const out = [];
    if (typeof w4Hit !== "undefined") out.push(`text of the store ran: w4Hit is ${w4Hit}`);
    if ({}.w4Hit !== undefined) out.push("text of the store reached every object");
    const bad = document.querySelectorAll("main script, main img, main iframe, main object, main style, main [onload], main [onerror], main [onfocus], main [onmouseover], main a[href^='javascript']");
    if (bad.length > 0) out.push(`text of the store made ${bad[0].outerHTML.slice(0, 80)}`);
    const id = at.match(/^failure\/(.+)$/)?.[1];
    if (id) {
      const report = JSON.parse(document.getElementById("report").textContent);
      const failure = report.failures.find((f) => String(f.id) === id);
      const shown = document.querySelector("main").textContent;
      for (const name of ["kernel", "rerun"]) {
        const start = failure[name].slice(0, 60);
        if (!shown.includes(start)) out.push(`${name} '${start}' is not shown`);
      }
    }
    return out;
  }, address);
}
