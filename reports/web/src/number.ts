// Numbers as the pages print them.
export const count = (n: number) => n.toLocaleString("en-US");

export const some = (n: number, one: string, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

// Three digits that count.
export function digits(x: number | string): string {
  if (typeof x === "string") return x;
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e-4 && size < 1e6 ? String(Number(x.toPrecision(3))) : x.toExponential(2);
}
