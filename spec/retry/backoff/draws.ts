import type { Backoff } from '../../../src/retry/backoff/Backoff.js';

/** The first `count` delays of a backoff whose every draw is `random`, each told the one before. */
export function delays(backoff: Backoff, random: number, count: number): readonly number[] {
  const result: number[] = [];
  for (let index = 0; index < count; index++) result.push(backoff({ index, previous: result.at(-1), random: () => random }));
  return result;
}

/** A `random` that counts how often it was asked. */
export function drawn(value: number): { readonly random: () => number; readonly count: () => number } {
  let count = 0;
  return { random: () => (count++, value), count: () => count };
}

/** Options that no backoff takes. */
export const nonsense: { base: number; cap?: number }[] = [
  // Draws that only JavaScript lets through.
  ...([undefined, null, {}] as unknown as { base: number }[]),
  { base: -1 },
  { base: NaN },
  { base: Infinity },
  { base: 1000, cap: 999 },
  { base: 1000, cap: -1 },
  { base: 1000, cap: NaN },
];
