import { InvalidArgumentError } from 'commander';
import { durationOf } from './durationOf.js';

/** An option's time in ms, for commander. @throws InvalidArgumentError for what is no time */
export function timeOption(text: string): number {
  const ms = durationOf(text);
  if (ms === undefined) throw new InvalidArgumentError('Write a time as in 200ms, 1.5s or 5m.');
  return ms;
}
