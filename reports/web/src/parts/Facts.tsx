// A few figures side by side, each with what it is of.
import type { ComponentChildren } from "preact";

export interface Fact {
  name: string;
  value: ComponentChildren;
  more?: ComponentChildren;
}

export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl class="facts">
      {facts.map((f) => (
        <div key={f.name}>
          <dt>{f.name}</dt>
          <dd>
            <strong>{f.value}</strong>
            {f.more && <span class="soft">{f.more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
