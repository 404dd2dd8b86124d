import type { ObservableNotification } from 'rxjs';
import { UsageError } from '../../request/errors/UsageError.js';
import { parseMarbles } from './parseMarbles.js';
import { valueOf } from './playMarbles.js';

/** Notification of a source of RxJS's `TestScheduler`, and its moment in ms. */
export interface Message {
  readonly frame: number;
  readonly notification: ObservableNotification<unknown>;
}

/** Stand-in for a `^` while a diagram is read: a moment like that of any other marble. */
const ZERO = '\u2715';

/**
 * Notifications of a cold or a hot observable of `marbles`, read by the kit itself, so that all diagrams mean the same. RxJS takes tabs, line
 * ends, and time at the end of a diagram for values, makes `undefined` of a letter that the values lack and `'error'` of an error that is
 * null, and miscounts spaces, time and groups before a `^`.
 *
 * @param hot whether it may have a `^`, at which time is 0
 */
export function messagesOf(diagram: string, values: unknown, error: unknown, hot: boolean): Message[] {
  const marbles = parseMarbles(hot && typeof diagram === 'string' ? diagram.replace('^', ZERO) : diagram);
  const zero = marbles.find(({ key }) => key === ZERO)?.frame ?? 0;
  const missing = (key: string): UsageError => new UsageError(`'${diagram}' has a '${key}' that its values lack`);
  return marbles
    .filter(({ key }) => key !== ZERO)
    .map(({ frame, key }) => ({ frame: frame - zero, notification: notificationOf(key, values, error, missing) }));
}

function notificationOf(key: string, values: unknown, error: unknown, missing: (key: string) => Error): ObservableNotification<unknown> {
  if (key === '|') return { kind: 'C' };
  if (key === '#') return { kind: 'E', error: error === undefined ? 'error' : error };
  // A value that is no object, null too, names no values, as in RxJS.
  const named = typeof values === 'object' && values !== null ? (values as Readonly<Record<string, unknown>>) : undefined;
  return { kind: 'N', value: valueOf(named, key, missing) };
}
