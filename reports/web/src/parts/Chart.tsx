// A Vega-Lite spec as a picture, in the colours of the page, drawn when it comes into view, again
// when the page changes between light and dark.
import { useEffect, useRef, useState } from "preact/hooks";
import { View, parse } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

// Okabe and Ito's colours, told apart by the colour blind too; the first is for what is well.
export const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442"];

// Its first colour has too little contrast to thin marks on a dark page.
const lifted = "#3d9be0";

function colours() {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return { ink: of("--ink"), soft: of("--soft"), line: of("--line") };
}

function config(dark: boolean) {
  const { ink, soft, line } = colours();
  return {
    background: "transparent",
    font: "system-ui, sans-serif",
    view: { stroke: line },
    axis: { labelColor: soft, titleColor: ink, gridColor: line, domainColor: soft, tickColor: soft, labelFontSize: 12, titleFontSize: 12 },
    legend: { labelColor: ink, titleColor: ink, labelFontSize: 12, titleFontSize: 12, labelLimit: 300 },
    title: { color: ink, fontSize: 13 },
    header: { labelColor: ink, titleColor: ink, labelFontSize: 12, titleFontSize: 12 },
    range: { category: dark ? [lifted, ...palette.slice(1)] : palette },
    style: { ink: { color: ink } }, // of a mark: style: "ink"
  };
}

// How wide a picture with fixed panels may be, of so many side by side at most: the page's width in
// style.css, without what stands left of an axis.
export function panelWidth(most: number): { columns: number; width: number } {
  const gap = 32;
  const page = Math.min(innerWidth, 1216) - 40;
  const columns = Math.max(1, Math.min(most, Math.floor((page + gap) / (416 + gap))));
  return { columns, width: Math.max(200, Math.floor((page - gap * (columns - 1)) / columns) - 75) };
}

interface Props {
  spec: object; // Vega-Lite, with its data
  alt: string; // what the picture shows, in one or two sentences
}

export function Chart({ spec, alt }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [dark, setDark] = useState(matchMedia("(prefers-color-scheme: dark)").matches);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => setDark(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  useEffect(() => {
    const at = box.current;
    if (!at) return;
    let view: View | undefined;
    const draw = () => {
      try {
        // The view takes its label from the description, and would overwrite ours otherwise.
        const text = JSON.stringify({ ...spec, description: alt });
        const described: TopLevelSpec = JSON.parse(dark ? text.replaceAll(palette[0]!, lifted) : text);
        const vega = compile(described, { config: config(dark) as any }).spec;
        at.toggleAttribute("data-dark", dark); // style.css turns it over on paper
        view = new View(parse(vega), { renderer: "canvas", container: at, hover: true });
        view.runAsync().then(
          () => at.setAttribute("data-drawn", "yes"),
          (e) => setWrong(String(e)),
        );
      } catch (e) {
        setWrong(String(e));
      }
    };
    const now = () => {
      seen.disconnect();
      if (!view) draw();
    };
    const seen = new IntersectionObserver((entries) => {
      if (entries.some((e) => e.isIntersecting)) now();
    }, { rootMargin: "300px" });
    seen.observe(at);
    addEventListener("beforeprint", now); // paper shows what no window has shown yet
    return () => {
      seen.disconnect();
      removeEventListener("beforeprint", now);
      view?.finalize();
      at.replaceChildren();
      at.removeAttribute("data-drawn");
    };
  }, [spec, dark]);
  return (
    <figure>
      <div ref={box} class="chart" role="img" aria-label={alt} />
      <figcaption class="soft">{wrong ? `This picture could not be drawn: ${wrong}` : alt}</figcaption>
    </figure>
  );
}
