// axe-core finds nothing serious or critical: names, roles, contrast in this palette.

export async function accessible(page, axe) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations
    .filter((v) => ["serious", "critical"].includes(v.impact))
    .map((v) => `axe ${v.id} (${v.impact}): ${v.help}: ${v.nodes[0].target.join(" ")} of ${v.nodes.length}: ${v.nodes[0].failureSummary?.split("\n")[1]?.trim()}`);
}
