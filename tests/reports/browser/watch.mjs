// What a page must never do while it is looked at: write errors or warnings to the console, throw,
// ask for anything but itself, open a dialog.

export function watch(page, url) {
  const seen = [];
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type())) seen.push(`console ${m.type()}: ${m.text()}`);
  });
  page.on("pageerror", (e) => seen.push(`it throws: ${e.message}`));
  page.on("request", (r) => {
    const asked = r.url();
    if (asked.split("#")[0] !== url && !asked.startsWith("data:")) seen.push(`it asks for ${asked}`);
  });
  page.on("dialog", async (d) => {
    seen.push(`it opens a dialog: ${d.message()}`);
    await d.dismiss();
  });
  return {
    // What was seen since the last time.
    complaints: () => seen.splice(0),
  };
}
