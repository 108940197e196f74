// A table of two dimensions: how many cases each cell has, what became of them, which cells a legal
// call could have hit and none did. Every state is a word or a number besides its colour.
import { useState } from "preact/hooks";
import { count } from "../number";
import { type Matrix as Data, ran, titleOf } from "../space";

interface Props {
  data: Data;
  rows: string; // names of dimensions
  columns: string;
}

// A name may have any length: of a long one its first lines.
const named = (value: string) => (value.length > 80 ? <div class="long">{value}</div> : value || "(none)");

const most = 40; // rows shown at first

export function Matrix({ data, rows, columns }: Props) {
  const [all, setAll] = useState(false);
  const shown = all ? data.rows : data.rows.slice(0, most);
  const largest = Math.max(1, ...[...data.at.values()].map(ran));
  const cell = (row: string, column: string) => {
    const counts = data.at.get(`${row}\n${column}`) ?? { right: 0, refused: 0, red: 0, skipped: 0 };
    const standing = data.standing(row, column);
    const judged = ran(counts);
    const gap = standing === "legal" && judged === 0;
    const shade = judged ? 6 + (24 * Math.log1p(judged)) / Math.log1p(largest) : 0;
    const kind = gap ? "gap" : standing === "outside" ? "outside" : counts.red ? "red" : "";
    return (
      <td
        key={column}
        class={`n ${kind}`}
        style={kind === "" && shade ? `background: color-mix(in srgb, var(--link) ${shade.toFixed(0)}%, transparent)` : undefined}
      >
        {judged > 0 && <div>{count(judged)}</div>}
        {gap && <div class="never">never</div>}
        {standing === "outside" && judged === 0 && counts.refused === 0 && <div class="soft">–</div>}
        {counts.red > 0 && <div class="bad">▲ {count(counts.red)} red</div>}
        {counts.refused > 0 && <div class="soft">{count(counts.refused)} refused</div>}
        {counts.skipped > 0 && <div class="soft">{count(counts.skipped)} skipped</div>}
      </td>
    );
  };
  const caption = `Cases that ran, ${titleOf(rows)} by ${titleOf(columns)}`;
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
        <table class="matrix">
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{titleOf(rows)}</th>
              {data.columns.map((c) => (
                <th key={c} scope="col" class="n">
                  {named(c)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((r) => (
              <tr key={r}>
                <th scope="row">{named(r)}</th>
                {data.columns.map((c) => cell(r, c))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < data.rows.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {count(data.rows.length)} rows
        </button>
      )}
      <ul class="legend soft">
        <li>
          <span class="swatch gap" /> never: the contract allows it, no case ran there
        </li>
        <li>
          <span class="swatch outside" /> –: no legal call is there; a call is to be refused
        </li>
        <li>
          <span class="swatch red" /> ▲: red cases
        </li>
      </ul>
    </>
  );
}
