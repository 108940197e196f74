import { useState } from "preact/hooks";
import type { Report } from "../model";
import { count, digits, some } from "../number";
import { Choice } from "../parts/Choice";
import { Copy } from "../parts/Copy";
import { Histograms } from "../parts/Histograms";
import { Table } from "../parts/Table";

export function NumericsPage({ report }: { report: Report }) {
  const n = report.numerics;
  const kernels = [...new Set(n.worst.map((w) => w.kernel))];
  const [kernel, choose] = useState(kernels[0] ?? "");
  const worst = n.worst.filter((w) => w.kernel === kernel);
  const shown = n.groups.reduce((sum, g) => sum + g.cases, 0);
  const exact = n.groups.reduce((sum, g) => sum + g.exact, 0);
  const unknown = n.groups.reduce((sum, g) => sum + g.unknown, 0);
  const beyond = n.drift.filter((d) => d.beyond);
  return (
    <>
      <h1>Numerics</h1>
      <p>
        How far outputs lie from the declared result, in parts of the bound B that the order of summation leaves open: 1 is
        the most that is right.
      </p>
      <p>
        {some(n.judged, "case")} compared: {count(shown)} in the pictures
        {exact > 0 && `, ${count(exact)} whose sums are so exact that no error as large as B would show`}
        {unknown > 0 && `, ${count(unknown)} without an error, of which it was not kept whether one would have shown`}.
        {n.bare > 0 &&
          ` Of ${n.bare === n.judged ? "all of them" : `${count(n.bare)} of them`} no detail was kept, only the size of the worst error: no sign, no element, no drift. A campaign keeps no more of green cases.`}
      </p>

      <h2>Headroom</h2>
      <p>
        The worst element of each case. The dashed lines are {n.loose_below} of the bound, and the bound itself; what is
        beyond it is red.
      </p>
      <Histograms numerics={n} which="headroom" />

      <h2>Intervals that may be too loose</h2>
      {n.loose.length > 0 ? (
        <>
          <p>An interval of which nobody ever uses {100 * n.loose_below} % catches little.</p>
          <ul>
            {n.loose.map((s) => (
              <li key={s}>{s}</li>
            ))}
          </ul>
        </>
      ) : (
        <p>
          {n.used.length > 0
            ? `None: every kernel and dtype that could show an error used more than ${100 * n.loose_below} % of its interval, or too few elements could have shown it.`
            : "Not judged: that takes verdicts with their details, and this run kept none that would show an error."}
        </p>
      )}

      <h2>Worst cases</h2>
      {kernels.length === 0 ? (
        <p>No case of this run shows an error.</p>
      ) : (
        <>
          <div class="choices">
            <Choice label="Kernel" value={kernel} options={kernels.map((k): [string, string] => [k, k])} choose={choose} />
          </div>
          <ol class="worst">
            {worst.map((w) => (
              <li key={w.line}>
                <div>
                  <strong class={w.kind === "pass" ? "" : "bad"}>
                    {digits(w.used)} of B{w.kind === "pass" ? "" : `, ${w.kind}`}
                  </strong>
                  <span class="soft">
                    {w.instantiation && ` ${w.instantiation}`}
                    {w.fp && `, fp ${w.fp}`}
                    {w.element &&
                      `; element [${w.element.m},${w.element.n}] is ${digits(w.element.got!)}, legal ${digits(w.element.low!)} to ${digits(w.element.high!)}`}
                  </span>
                </div>
                <Copy text={w.rerun} />
              </li>
            ))}
          </ol>
        </>
      )}

      <h2>Sign-corrected error</h2>
      <p>
        The worst element of each case, its error counted positive where it lies away from zero. Honest rounding is even
        about 0.
      </p>
      <Histograms numerics={n} which="signed" />

      <h2>Drift</h2>
      <p>
        The mean of error times sign over all outputs of random data. Rounding to nearest has mean 0, a store that cuts off
        −0.5 ulp. Beyond {n.drift_beyond} sigma of what is allowed is a finding; fewer than {n.drift_columns} columns do not
        know their own deviation.
      </p>
      {n.drift.length === 0 ? (
        <p>Not known: no verdict of this run kept its sums.</p>
      ) : (
        <>
          <p class={beyond.length ? "bad" : ""}>
            {beyond.length ? `${some(beyond.length, "group")} of ${n.drift.length} drift.` : `None of ${some(n.drift.length, "group")} drifts.`}
          </p>
          <Table
            caption="Drift by kernel, device, arithmetic and dtype"
            rows={[...n.drift].sort((a, b) => b.sigmas - a.sigmas || Math.abs(b.mean) - Math.abs(a.mean))}
            page={20}
            columns={[
              { name: "kernel", value: (d) => d.kernel },
              { name: "device", value: (d) => d.device },
              { name: "fp", value: (d) => d.fp },
              { name: "dtype", value: (d) => d.dtype },
              { name: "outputs", value: (d) => d.outputs, show: (d) => count(d.outputs) },
              { name: "columns", value: (d) => d.columns, show: (d) => count(d.columns) },
              { name: "mean, ulps", value: (d) => d.mean, show: (d) => d.mean.toFixed(5) },
              { name: "sigma", value: (d) => d.sigma, show: (d) => d.sigma.toFixed(5) },
              { name: "allowed", value: (d) => d.allowed, show: (d) => (d.allowed ? `±${d.allowed.toFixed(5)}` : "0") },
              {
                name: "sigmas outside",
                value: (d) => d.sigmas,
                show: (d) => (d.beyond ? <strong class="bad">{d.sigmas.toFixed(1)}</strong> : d.sigmas.toFixed(1)),
              },
            ]}
          />
          <Histograms numerics={n} which="means" />
        </>
      )}
    </>
  );
}
