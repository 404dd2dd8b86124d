import { InvalidArgumentError } from 'commander';
import { durationOf } from './durationOf.js';

/** Time of an option in ms, for commander. @throws InvalidArgumentError for a text that is no time */
export function timeOption(text: string): number {
  const ms = durationOf(text);
  if (ms === undefined) throw new InvalidArgumentError('Write a time as in 200ms, 1.5s or 5m.');
  return ms;
}

/** As {@link timeOption}. @throws InvalidArgumentError for 0, too */
export function positiveTime(text: string): number {
  const ms = timeOption(text);
  if (ms === 0) throw new InvalidArgumentError('Write a time above 0.');
  return ms;
}
