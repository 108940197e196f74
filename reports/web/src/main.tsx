import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Report } from "./model";
import { BenchPage } from "./pages/Bench";
import { CoveragePage } from "./pages/Coverage";
import { DiffPage } from "./pages/Diff";
import { FailurePage } from "./pages/Failure";
import { FailuresPage } from "./pages/Failures";
import { KernelsPage } from "./pages/Kernels";
import { NumericsPage } from "./pages/Numerics";
import { RunPage } from "./pages/Run";
import { SummaryPage } from "./pages/Summary";
import { ZooPage } from "./pages/Zoo";
import { useRoute } from "./route";
import "./style.css";

const report: Report = JSON.parse(document.getElementById("report")!.textContent!);

// In the order of the navigation: [address, name, whether there is something to show].
const pages: [string, string, boolean][] = [
  ["summary", "Summary", true],
  ["failures", `Failures (${report.failures.length})`, true],
  ["coverage", "Coverage", true],
  ["numerics", "Numerics", true],
  ["zoo", "Zoo", true],
  ["kernels", "Kernels", true],
  ["diff", "Diff", true],
  ["bench", "Bench", true],
  ["run", "Run", true],
];

function Page() {
  const { page, rest } = useRoute();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    const heading = main.current?.querySelector("h1")?.textContent;
    document.title = `${heading ?? "Report"} · w4check`;
    // A reader who followed a link stands at the new page's start; on opening nothing is focused.
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [page, rest]);
  const show = () => {
    switch (page) {
      case "summary":
        return <SummaryPage report={report} />;
      case "run":
        return <RunPage report={report} />;
      case "failures":
        return <FailuresPage report={report} />;
      case "failure":
        return <FailurePage report={report} id={rest} />;
      case "coverage":
        return <CoveragePage report={report} />;
      case "numerics":
        return <NumericsPage report={report} />;
      case "zoo":
        return <ZooPage zoo={report.zoo} rest={rest} />;
      case "kernels":
        return <KernelsPage kernels={report.kernels} rest={rest} />;
      case "diff":
        return <DiffPage diff={report.diff} rest={rest} />;
      case "bench":
        return <BenchPage bench={report.bench} rest={rest} />;
      default:
        return <h1>This report has no page “{page}”</h1>;
    }
  };
  const at = page === "failure" ? "failures" : page;
  return (
    <>
      <header>
        <span class="brand">w4check</span>
        <nav aria-label="Pages">
          {pages
            .filter((p) => p[2])
            .map(([address, name]) => (
              <a key={address} href={`#${address}`} aria-current={address === at ? "page" : undefined}>
                {name}
              </a>
            ))}
        </nav>
      </header>
      <main ref={main} tabIndex={-1} id="main">
        {show()}
      </main>
      <footer class="soft">
        Run {report.run.id}, started {report.run.started} UTC: <code>{report.run.command}</code>
      </footer>
    </>
  );
}

const root = document.getElementById("pages")!;
root.replaceChildren();
render(<Page />, root);
