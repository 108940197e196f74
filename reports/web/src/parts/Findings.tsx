// What checks found: the places in the source around it, of both sides where there are two.
import type { Depiction, Excerpt, Finding, Party } from "../model";

function Source({ excerpt }: { excerpt: Excerpt }) {
  if (excerpt.text.length === 0) {
    return (
      <p class="soft">
        <code>{excerpt.place}</code>: {excerpt.why}
      </p>
    );
  }
  return (
    <figure class="source">
      <figcaption>
        <code>{excerpt.place}</code>
      </figcaption>
      <pre tabIndex={0} aria-label={`Source around ${excerpt.place}`}>
        {excerpt.text.map((line, i) => {
          const number = excerpt.first + i;
          const text = `${number === excerpt.line ? "▶" : " "} ${String(number).padStart(4)}  ${line}\n`;
          return number === excerpt.line ? <mark key={number}>{text}</mark> : text;
        })}
      </pre>
    </figure>
  );
}

function Side({ name, party, excerpts }: { name: string; party: Party; excerpts: Excerpt[] }) {
  const who = [
    party.workgroup >= 0 ? `workgroup ${party.workgroup}` : "",
    party.wave >= 0 ? `wave ${party.wave}` : "",
    party.lane >= 0 ? `lane ${party.lane}` : "",
  ].filter(Boolean);
  const [first, ...callers] = party.excerpts.map((i) => excerpts[i]!);
  return (
    <div class="side">
      <h4>
        {name}
        {who.length > 0 && `: ${who.join(", ")}`}
      </h4>
      {party.instruction && (
        <p>
          <code>{party.instruction}</code> at <code>{party.pc}</code>
        </p>
      )}
      {party.source && <p class="soft">{party.source}</p>}
      {first && <Source excerpt={first} />}
      {callers.length > 0 && (
        <details>
          <summary>Where it is called from</summary>
          {callers.map((c) => (
            <Source key={c.place} excerpt={c} />
          ))}
        </details>
      )}
      {!first && <p class="soft">No source: {party.why}.</p>}
    </div>
  );
}

function One({ finding, excerpts }: { finding: Finding; excerpts: Excerpt[] }) {
  return (
    <section class="finding">
      <h3>
        {finding.kind.replaceAll("_", " ")}
        {finding.buffer && ` in ${finding.buffer}`}
      </h3>
      <p>{finding.detail}</p>
      {finding.kernel && (
        <p class="soft">
          Kernel <code>{finding.kernel}</code>
          {finding.offset >= 0 && `, byte ${finding.offset} of ${finding.buffer || "memory"}, ${finding.bytes} wide`}
        </p>
      )}
      {finding.born && <p>Undefined since: {finding.born}</p>}
      {(finding.at.pc !== "0x0" || finding.other) && (
        <div class="sides">
          <Side name={finding.other ? "One side" : "By"} party={finding.at} excerpts={excerpts} />
          {finding.other && <Side name="The other, earlier" party={finding.other} excerpts={excerpts} />}
        </div>
      )}
    </section>
  );
}

export function Findings({ depiction }: { depiction: Depiction }) {
  return (
    <>
      {depiction.findings.map((f, i) => (
        <One key={i} finding={f} excerpts={depiction.excerpts} />
      ))}
      {depiction.excerpts.some((e) => e.text.length > 0) && (
        <p class="soft">Source as the files are now; a module that was built from changed copies of them may differ by some lines.</p>
      )}
      {depiction.findings_left_out > 0 && (
        <p class="soft">{depiction.findings_left_out} more findings of this line are left out; it prints them when it runs.</p>
      )}
    </>
  );
}
