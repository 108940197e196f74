// A labelled select, which the keyboard works as any other.
interface Props {
  label: string;
  value: string;
  options: [value: string, text: string][];
  choose: (value: string) => void;
}

export function Choice({ label, value, options, choose }: Props) {
  return (
    <label class="choice">
      {label}{" "}
      <select value={value} onChange={(e) => choose(e.currentTarget.value)}>
        {options.map(([v, text]) => (
          <option key={v} value={v}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
