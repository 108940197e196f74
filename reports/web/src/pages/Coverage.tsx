import { useMemo, useState } from "preact/hooks";
import type { Report } from "../model";
import { count, some } from "../number";
import { Boundary, hasLimits } from "../parts/Boundary";
import { Choice } from "../parts/Choice";
import { Floors, Launched } from "../parts/Floors";
import { Machine } from "../parts/Machine";
import { Matrix } from "../parts/Matrix";
import { Table } from "../parts/Table";
import { Space, dimensions, rowOf } from "../space";

export function CoveragePage({ report }: { report: Report }) {
  const coverage = report.coverage;
  const space = useMemo(() => new Space(coverage), [coverage]);
  const only = space.kernels.length === 1 ? space.kernels[0]! : "";
  const [kernel, setKernel] = useState(only);
  const [device, setDevice] = useState("");
  const [pair, setPair] = useState(space.telling(only));
  const data = useMemo(() => space.matrix(pair[0], pair[1], kernel, device), [space, pair, kernel, device]);
  const gaps = useMemo(() => space.gaps(kernel, device), [space, kernel, device]);
  const chooseKernel = (k: string) => {
    setKernel(k);
    setPair(space.telling(k));
  };
  const others = (taken: string): [string, string][] =>
    dimensions.filter((d) => d.name !== taken).map((d) => [d.name, d.title]);
  const bounded = (kernel ? [kernel] : [...new Set(coverage.boundary.kernels.map(rowOf))]).filter((k) => hasLimits(coverage, k));
  const dropped = coverage.boundary.all - coverage.boundary.points.k.length;
  if (space.kernels.length === 0) {
    return (
      <>
        <h1>Coverage</h1>
        <p>No case of this run has a line that says what was asked, so there is nothing to count.</p>
      </>
    );
  }
  return (
    <>
      <h1>Coverage</h1>
      <p>
        Which classes of calls the contract allows, and which of them the cases of this run were in.
        {coverage.unread > 0 && ` ${some(coverage.unread, "verdict")} of no case line (fuzz targets) are not counted.`}
      </p>
      <div class="choices">
        <Choice
          label="Kernel"
          value={kernel}
          options={[...(only ? [] : ([["", "all"]] as [string, string][])), ...space.kernels.map((k): [string, string] => [k, k])]}
          choose={chooseKernel}
        />
        <Choice
          label="Device"
          value={device}
          options={[["", "all"], ...space.devices.map((d): [string, string] => [d, d])]}
          choose={setDevice}
        />
        <Choice label="Rows" value={pair[0]} options={others(pair[1])} choose={(v) => setPair([v, pair[1]])} />
        <Choice label="Columns" value={pair[1]} options={others(pair[0])} choose={(v) => setPair([pair[0], v])} />
      </div>
      <p role="status" class={data.gaps ? "warn" : ""}>
        {data.known
          ? `${count(data.gaps)} of ${some(data.legal, "cell")} that the contract allows ${data.gaps === 1 ? "was" : "were"} never run.`
          : "Which of these cells a legal call can be in is not known here, so an empty one may be no gap."}
      </p>
      <Matrix data={data} rows={pair[0]} columns={pair[1]} />

      <h2>Gaps</h2>
      {coverage.contract === null ? (
        <p>What the contract allows was not computed.</p>
      ) : gaps.length ? (
        <>
          <p>
            Values, and pairs of values, that some legal call of the kernel has and no case that ran had
            {kernel ? "" : ", of all kernels"}.
          </p>
          <Table
            caption="Legal values and pairs that were never run"
            rows={gaps}
            page={15}
            columns={[
              { name: "kernel", value: (g) => g.kernel },
              { name: "of", value: (g) => g.dimensions },
              { name: "never run", value: (g) => g.values },
            ]}
          />
        </>
      ) : (
        <p>None: every legal value and every legal pair of values was run.</p>
      )}

      <h2>LDS limits</h2>
      {bounded.length === 0 ? (
        <p>{kernel || "No kernel of this run"} has no limit on K times rows that is known here.</p>
      ) : (
        <>
          <p>
            Cases by K and the rows of activations that a workgroup holds. A line is where another body runs or a call is
            refused, by the kernels of this w4check; most defects of LDS gates show within a step of one. Cases of modules
            stand beside the lines of the kernel that they are a version of.
            {dropped > 0 &&
              ` ${some(dropped, "point")} of ${count(coverage.boundary.all)} are left out, none of them red and none near a limit.`}
          </p>
          <div class="grid">
            {bounded.map((k) => (
              <Boundary key={k} coverage={coverage} kernel={k} />
            ))}
          </div>
        </>
      )}

      <h2>Device kernels launched</h2>
      <Launched of={report.distributions} />

      <h2>Machine code</h2>
      <Machine coverage={coverage} />

      <h2>Generators and suites against their floors</h2>
      <Floors of={report.distributions} />
    </>
  );
}
