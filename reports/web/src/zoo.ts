// Reading a hunt: the soonest kill by an oracle, and by a generator.
import type { Hunt, Kill, Mutant } from "./model";

export interface Soonest extends Kill {
  generator: string;
}

export function kills(m: Mutant): Soonest[] {
  return m.runs.flatMap((r) => r.kills.map((k) => ({ ...k, generator: r.generator })));
}

// In seconds of its generator, of these; undefined: the oracle never killed it there.
export function soonest(m: Mutant, oracle: string, generators: string[]): Soonest | undefined {
  let best: Soonest | undefined;
  for (const k of kills(m)) {
    if (k.oracle !== oracle || !generators.includes(k.generator)) continue;
    if (!best || k.seconds < best.seconds) best = k;
  }
  return best;
}

// Generators that were not told of the mutant: "own" runs lines that somebody wrote who knew it.
export function unknowing(h: Hunt): string[] {
  return h.generators.filter((g) => g !== "own");
}

export function killedBy(h: Hunt, generators: string[]): number {
  return h.mutants.filter((m) => kills(m).some((k) => generators.includes(k.generator))).length;
}

// Survivors first, then in the order of the hunt.
export function survivorsFirst(h: Hunt): Mutant[] {
  return [...h.mutants.filter((m) => !m.killed), ...h.mutants.filter((m) => m.killed)];
}

// Times of the first kill of each mutant by one generator, ascending.
export function times(h: Hunt, generator: string): number[] {
  const out: number[] = [];
  for (const m of h.mutants) {
    const t = kills(m).filter((k) => k.generator === generator).map((k) => k.seconds);
    if (t.length > 0) out.push(Math.min(...t));
  }
  return out.sort((a, b) => a - b);
}

export function seconds(s: number): string {
  return s < 0.1 ? `${Math.max(1, Math.round(s * 1000))} ms` : `${s.toFixed(s < 10 ? 1 : 0)} s`;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
