import { UsageError } from '../../request/errors/UsageError.js';
import { formatMarbleTime, parseMarbleTime } from '../diagrams/marbleTime.js';
import { describeValue } from '../values/describeValue.js';
import type { Equals } from '../values/equality.js';
import type { Compare, Comparison } from './compareMoments.js';

/**
 * Compares the waits among events, written as `retry-after 3s`, with the expected ones: strings, or asymmetric matchers of strings.
 *
 * @param events events received by the time of the comparison
 */
export function compareWaits(events: () => readonly unknown[], expected: readonly unknown[]): Compare {
  // Types guarantee it; a spec in JavaScript has none.
  if (!Array.isArray(expected)) throw new UsageError(`toWait got ${describeValue(expected)}; give an array: toWait(['retry-after 3s'])`);
  const wanted = expected.map((wait: unknown) => (typeof wait === 'string' ? normalise(wait) : wait));
  return (equals) => {
    const received = events();
    if (received.length > 0 && !received.some(isEvent)) {
      throw new UsageError(
        "toWait needs events, and what came is none: observe: 'events' has a client emit them, notify hears those of retryAfter",
      );
    }
    return compareLines(received.filter(isWait).map(describeWait), wanted, equals);
  };
}

function compareLines(received: readonly string[], wanted: readonly unknown[], equals: Equals): Comparison {
  const index = Array.from({ length: Math.max(received.length, wanted.length) }).findIndex((_, at) => !equals(received[at], wanted[at]));
  const draw = (difference?: string): string =>
    [
      `${difference === undefined ? 'unexpected' : 'expected '} ${list(wanted)}`,
      ...(difference === undefined ? [] : [`received  ${list(received)}`, `differs   ${difference}`]),
    ].join('\n');
  if (index < 0) return { difference: undefined, draw };
  const reason = explain(received[index], wanted[index], index + 1);
  return { difference: { frame: 0, reason }, draw: () => draw(reason) };
}

interface Wait {
  readonly source: string;
  readonly delay: number;
}

function isEvent(value: unknown): value is { readonly type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function isWait(event: unknown): event is Wait {
  return isEvent(event) && event.type === 'wait' && 'source' in event && 'delay' in event && typeof event.delay === 'number';
}

/** A wait as specs write it: its source in words joined by dashes, and its length. */
function describeWait({ source, delay }: Wait): string {
  return `${dashed(source)} ${formatMarbleTime(delay)}`;
}

// Spellings of a wait are equal: '1500ms' and '1.5s' are '1s 500ms', and 'retryAfter' is the source as the event has it.
function normalise(wait: string): string {
  const [source = '', ...duration] = wait.trim().split(/\s+/);
  if (duration.length === 0) throw new UsageError(`toWait: '${wait}' is not a wait; write its source and how long it is: 'retry-after 3s'`);
  return `${dashed(source)} ${formatMarbleTime(parseMarbleTime(duration.join(' ')))}`;
}

function dashed(source: string): string {
  return source.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function list(waits: readonly unknown[]): string {
  return waits.length === 0 ? '(no wait)' : waits.map((wait) => (typeof wait === 'string' ? wait : describeValue(wait))).join(', ');
}

function explain(received: string | undefined, expected: unknown, count: number): string {
  const wanted = typeof expected === 'string' ? expected : describeValue(expected);
  if (received === undefined) return `wait ${count}, ${wanted}, did not come`;
  return expected === undefined
    ? `wait ${count}, ${received}, was not expected`
    : `wait ${count} is ${received} where ${wanted} was expected`;
}
