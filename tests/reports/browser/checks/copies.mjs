// The copy button puts exactly the line that stands beside it on the clipboard: through the
// browser's clipboard, and where there is none through a selection. Of the `most` first that are seen.

// By keyboard, in a field of the test's own: what a reader would paste, and (put) something else
// before, so that what is found is what was copied now.
async function field(page, text, keys) {
  await page.evaluate((value) => {
    const own = document.createElement("textarea");
    own.id = "w4-own";
    own.value = value;
    document.body.append(own);
    own.select();
  }, text);
  await page.keyboard.press(keys);
  return page.evaluate(() => {
    const own = document.getElementById("w4-own");
    const value = own.value;
    own.remove();
    return value;
  });
}

export async function copies(page, most = Infinity) {
  const out = [];
  for (const way of ["clipboard", "selection"]) {
    if (way === "selection") {
      await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }));
    }
    let done = 0;
    for (const box of await page.$$(".copy")) {
      if (done === most || !(await box.isVisible())) continue;
      ++done;
      await field(page, "before", "Control+C");
      await (await box.$("button")).click();
      const said = await page
        .waitForFunction((b) => b.querySelector('[role="status"]').textContent, box, { timeout: 3000 })
        .then((h) => h.jsonValue(), () => "");
      if (said !== "Copied") out.push(`by ${way}: the button says '${said}'`);
      const line = await box.$eval("code", (e) => e.textContent);
      const got = await field(page, "", "Control+V");
      if (got !== line) out.push(`by ${way}: '${got}' was copied, not '${line}'`);
    }
  }
  return out.slice(0, 3);
}
