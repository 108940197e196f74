// Numbers and times as people write them.

export const count = (n: number): string => n.toLocaleString("en");

export const plural = (n: number, one: string, many: string): string => `${count(n)} ${n === 1 ? one : many}`;

// "4.2 s", "12 min", "3 h 5 min".
export function duration(seconds: number): string {
  if (seconds < 100) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  return `${count(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

// Of a path what tells files apart; "/a/b/c.so" is too long for a table.
export const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

// Between two times as the store writes them; NaN where one is none.
export function between(from: string, to: string): number {
  const at = (t: string) => Date.parse(t.replace(" ", "T") + "Z");
  return (at(to) - at(from)) / 1000;
}

// "0.21 %", of a probability.
export const percent = (p: number): string => `${(100 * p).toLocaleString("en", { maximumSignificantDigits: 2 })} %`;

// "1.2 million": what nobody reads to the last digit.
export const large = (n: number): string =>
  n < 1e6 ? count(n) : n.toLocaleString("en", { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 3 });
