// What the arithmetic of the cases rests on.
import type { Arithmetic } from "../../model";
import { Table } from "../../parts/Table";
import { count, plural } from "../../words";
import { levels } from "./words";

export function ArithmeticUsed({ used }: { used: Arithmetic }) {
  return (
    <>
      <p>
        Verdicts come from an emulator. How sure its results are those of a chip is told per instruction; a case counts by
        the weakest that it used.
      </p>
      {used.levels.length > 0 && (
        <ul>
          {used.levels.map((l) => (
            <li key={l.level}>
              {plural(l.cases, "case", "cases")}: {levels[l.level]}
            </li>
          ))}
        </ul>
      )}
      {used.models.map((m) => (
        <p key={m.fp}>
          <code>fp={m.fp}</code>, {plural(m.cases, "case", "cases")}: {m.says || "nothing is known of this model"}.
        </p>
      ))}
      {used.not_kept > 0 && (
        <p class="soft">
          Of {plural(used.not_kept, "green case", "green cases")} the campaign kept no list of instructions: they are not
          counted by instruction.
        </p>
      )}
      {used.instructions.length > 0 && (
        <Table
          caption="Instructions used that IEEE alone does not define"
          rows={used.instructions}
          columns={[
            { name: "instruction", value: (i) => i.instruction, show: (i) => <code>{i.instruction}</code> },
            { name: "fp", value: (i) => i.fp },
            { name: "rests on", value: (i) => levels[i.level] },
            { name: "cases", value: (i) => i.cases, show: (i) => count(i.cases) },
            { name: "what is known", value: (i) => i.says },
          ]}
        />
      )}
    </>
  );
}
