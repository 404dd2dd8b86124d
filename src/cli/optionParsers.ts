import { InvalidArgumentError } from 'commander';
import { UsageError } from '../request/errors/UsageError.js';
import { parseDuration } from '../request/duration.js';

/** Header field in the form of an option. */
export type HeaderField = [name: string, value: string];

/**
 * Header field written as `name: value`, for an option that may be given several times.
 *
 * @throws UsageError that does not show the text: it may be a token (commander's own error would)
 */
export function headerField(text: string, before: readonly HeaderField[] = []): readonly HeaderField[] {
  const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError("--header: write it as 'name: value'");
  return [...before, [name, value]];
}

/** Parser of a text that must not be blank. The parser throws InvalidArgumentError for a blank one. */
export function filled(kind: string): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new InvalidArgumentError(`Give ${kind}.`);
    return text;
  };
}

/** Parser of a whole number. The parser throws InvalidArgumentError for any other text. */
export function wholeNumber(most = Infinity, least = 1): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^(0|[1-9]\d{0,14})$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(
        most < Infinity ? `Give a whole number from ${least} to ${most}.` : `Give a whole number above ${least - 1}.`,
      );
    }
    return value;
  };
}

/** Time in ms, written as `200ms`, `1.5s` or `5m`. @throws InvalidArgumentError for a text that is no time */
export function timeOption(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('Write a time as in 200ms, 1.5s or 5m.');
  return ms;
}

/** Time above 0, written like {@link timeOption}'s. @throws InvalidArgumentError for 0, too */
export function positiveTime(text: string): number {
  const ms = timeOption(text);
  if (ms === 0) throw new InvalidArgumentError('Write a time above 0.');
  return ms;
}
