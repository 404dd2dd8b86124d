import { assert, type IProperty, type Parameters } from 'fast-check';

/** Start of the draws: the same in every run; `SEED=7 npm test` looks elsewhere. */
const SEED = Number(process.env.SEED ?? 1);

/** Fails with the smallest counterexample that it finds. */
export function forAll<T>(property: IProperty<T>, options: Parameters<T> = {}): void {
  assert(property, { seed: SEED, ...options });
}
