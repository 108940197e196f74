// Every link within the report decodes, and a name in it that holds % or / is still one name.

export async function links(page) {
  return page.$$eval('a[href^="#"]', (all) =>
    all.flatMap((a) => {
      const fragment = a.getAttribute("href").slice(1);
      try {
        decodeURIComponent(fragment);
        return [];
      } catch {
        return [`the link '${fragment.slice(0, 80)}' does not decode`];
      }
    }),
  );
}
