// How far the search went: the stop rule of a campaign, and how many planted defects were found.
import type { Stop, ZooScore } from "../../model";
import { count, percent, plural } from "../../words";

export function StopRule({ stop }: { stop: Stop }) {
  return (
    <>
      <p>
        The next case that is drawn shows something new with probability {percent(stop.probability)}, at most{" "}
        {percent(stop.high)} and at least {percent(stop.low)} (95 %): {count(stop.singles)} of{" "}
        {plural(stop.cases, "case", "cases")} drawn independently showed something that no other case did.
      </p>
      <p>
        {stop.last_new_at
          ? `The last new behaviour came at ${stop.last_new_at} UTC, after ${plural(stop.last_new_cases, "case", "cases")} of ${count(stop.judged)}.`
          : "No case showed a behaviour yet."}
      </p>
      <ul>
        {stop.behaviours.map((b) => (
          <li key={b.kind}>
            {plural(b.distinct, b.kind, `${b.kind}s`)}, {count(b.once)} of them shown by one case only
          </li>
        ))}
      </ul>
    </>
  );
}

export function Zoo({ zoo }: { zoo: ZooScore }) {
  return (
    <>
      <p>
        {count(zoo.killed)} of {plural(zoo.mutants, "planted defect", "planted defects")} found ({zoo.name}, {zoo.at} UTC,{" "}
        {zoo.same_build ? "by the build of this run" : `by build ${zoo.build}, not that of this run`}).
        {zoo.clean_cases > 0 &&
          ` Of ${plural(zoo.clean_cases, "case", "cases")} on kernels without a defect ${count(zoo.clean_red)} failed.`}
      </p>
      {zoo.survivors.length > 0 && (
        <p>
          Not found: {zoo.survivors.join(", ")}
          {zoo.mutants - zoo.killed > zoo.survivors.length ? " and more" : ""}.
        </p>
      )}
    </>
  );
}
