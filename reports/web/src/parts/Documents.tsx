// What is said of documents that commands filed: what was left out, which one is shown, where it is
// of another build; and, where there is none, the command that files one.
import type { Filed } from "../model";
import { Copy } from "./Copy";

export function Notes({ notes }: { notes: string[] }) {
  return (
    <>
      {notes.map((n) => (
        <p key={n} class="warn" role="note">
          {n}
        </p>
      ))}
    </>
  );
}

export function Source({ of, what }: { of: Filed; what: string }) {
  return (
    <>
      <p class="soft">
        {what}: {of.name}, {of.at} UTC.
      </p>
      {of.notice && (
        <p class="warn" role="note">
          {of.notice}
        </p>
      )}
    </>
  );
}

export function NoneFiled({ what, command }: { what: string; command: string }) {
  return (
    <>
      <p>{what} This command files it in the store:</p>
      <Copy text={command} />
    </>
  );
}

interface Choice<T extends Filed> {
  of: T[];
  shown: number;
  page: string; // "#page/1" shows the second
  what: string;
}

export function Choose<T extends Filed>({ of, shown, page, what }: Choice<T>) {
  if (of.length < 2) return null;
  return (
    <label class="filter">
      {what}{" "}
      <select
        onChange={(e) => {
          location.hash = `${page}/${e.currentTarget.selectedIndex}`;
        }}
      >
        {of.map((d, i) => (
          <option key={d.name} selected={i === shown}>
            {d.name}
          </option>
        ))}
      </select>
    </label>
  );
}
