// What a reader knows without scrolling: the verdict, what to do, and the figures behind it.
import { Fragment } from "preact";
import type { Report, Summary } from "../../model";
import { Copy } from "../../parts/Copy";
import { type Fact, Facts } from "../../parts/Facts";
import { count, duration, large, percent, plural } from "../../words";
import { WhatIsWrong } from "./WhatIsWrong";
import { changes, levels, sign } from "./words";

// Code in the advice stands between backticks.
function Words({ text }: { text: string }) {
  return <>{text.split("`").map((part, i) => (i % 2 ? <code key={i}>{part}</code> : <Linked key={i} text={part} />))}</>;
}

// A page that is named is a page that can be opened.
function Linked({ text }: { text: string }) {
  const parts = text.split(/\bpage (Coverage|Failures|Run)\b/);
  return (
    <>
      {parts.map((p, i) =>
        i % 2 ? (
          <Fragment key={i}>
            page <a href={`#${p.toLowerCase()}`}>{p}</a>
          </Fragment>
        ) : (
          p
        ),
      )}
    </>
  );
}

function Advice({ s }: { s: Summary }) {
  const said = s.start && `failure ${s.start.failure}`;
  const at = said ? s.advice.indexOf(said) : -1;
  if (!said || at < 0) return <Words text={s.advice} />;
  return (
    <>
      <Words text={s.advice.slice(0, at)} />
      <a href={`#failure/${s.start!.failure}`}>{said}</a>
      <Words text={s.advice.slice(at + said.length)} />
    </>
  );
}

function changed(s: Summary): Fact {
  const p = s.since.previous;
  if (!p) return { name: "Since the last run", value: "nothing to compare", more: s.since.why };
  const told = changes.filter((c) => s.since.counts[c]).map((c) => `${count(s.since.counts[c]!)} ${c}`);
  const build = s.since.now?.build === p.build ? "the same build" : "another build";
  return {
    name: `Failures since run ${p.run}`,
    value: told.length ? told.join(", ") : "none then, none now",
    more: `${plural(p.cases, "case", "cases")} then, ${count(s.all.cases)} now; ${build}`,
  };
}

function facts(s: Summary): Fact[] {
  const all = s.all;
  const weakest = s.arithmetic.levels[0];
  const emulated = s.arithmetic.levels.reduce((n, l) => n + l.cases, 0);
  const parts = [`${count(all.green)} right`, `${count(all.red)} failed`];
  if (all.skipped) parts.push(`${count(all.skipped)} skipped`);
  const out: Fact[] = [
    { name: "Cases", value: count(all.cases), more: parts.join(", ") },
    {
      name: "Failures",
      value: s.failures ? <a href="#failures">{plural(s.failures, "failure", "failures")}</a> : "none",
      more: s.failures ? "cases that fail alike are one" : undefined,
    },
    changed(s),
    {
      name: "Flaky lines",
      value: s.flaky.total ? <span class="bad">{count(s.flaky.total)}</span> : "none",
      more: s.flaky.total ? "judged differently by one build" : undefined,
    },
  ];
  if (s.stop) {
    out.push({
      name: "The next case shows something new",
      value: percent(s.stop.probability),
      more: `95 %: ${percent(s.stop.low)} to ${percent(s.stop.high)}`,
    });
  }
  out.push(
    s.zoo
      ? {
          name: "Planted defects found",
          value: `${count(s.zoo.killed)} of ${count(s.zoo.mutants)}`,
          more: s.zoo.same_build ? "by this build" : `by another build, ${s.zoo.at}`,
        }
      : { name: "Planted defects found", value: "not tried", more: "w4check zoo --db fills this in" },
    {
      name: "Arithmetic, weakest",
      value: weakest ? weakest.level : "not known",
      more: weakest
        ? `${levels[weakest.level]}; ${count(weakest.cases)} of ${count(emulated)} cases`
        : s.arithmetic.not_kept ? "campaigns keep no list of instructions" : "nothing was emulated",
    },
    { name: "Work", value: duration(s.effort.seconds), more: `${large(s.effort.wave_instructions)} wave-instructions` },
  );
  return out;
}

export function FirstScreen({ report }: { report: Report }) {
  const s = report.summary;
  const again = s.state === "unfinished" && report.run.kind === "run" && report.run.command;
  const flaky = s.state === "flaky" ? s.flaky.lines[0] : undefined;
  return (
    <>
      <section class={`verdict ${sign[s.state]}-edge`} aria-label="Verdict">
        <h1 class={sign[s.state]}>{s.sentence}</h1>
        <p>
          <Advice s={s} />
        </p>
        {s.start && <Copy text={s.start.rerun} />}
        {flaky && <Copy text={flaky.rerun} />}
        {again && <Copy text={report.run.command} />}
      </section>
      <WhatIsWrong report={report} />
      <section aria-label="Figures">
        <Facts facts={facts(s)} />
      </section>
    </>
  );
}
