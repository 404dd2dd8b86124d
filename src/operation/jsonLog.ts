import type { HttpEvent } from '../request/HttpEvent.js';
import { printableJson } from '../request/printable.js';
import { withoutSecrets } from '../request/withoutSecrets.js';
import { wallClock } from '../time.js';

/** Options of {@link jsonLog}. */
export interface JsonLogOptions {
  /** Events that are logged: `'retry'` (default): waits and giving up; `'all'`: every event but progress; `'progress'`: those too. */
  readonly events?: 'retry' | 'all' | 'progress' | undefined;
  /** Takes each line, which has no line break; `console.error` by default, so that standard output stays the program's own. */
  readonly write?: ((line: string) => void) | undefined;
}

const EVENTS: Readonly<Record<NonNullable<JsonLogOptions['events']>, readonly HttpEvent['type'][]>> = {
  retry: ['wait', 'gave-up'],
  all: ['wait', 'gave-up', 'sent', 'headers', 'response'],
  progress: ['wait', 'gave-up', 'sent', 'headers', 'response', 'upload', 'download'],
};

/** Fields of an event that are written as they are, in this order; URLs and errors are cleaned, header fields and bodies never written. */
const FIELDS = 'attempt kind reason delay source capped windowsLeft position status elapsed loaded total requestId origin'.split(' ');

/**
 * A log of retries as one JSON object a line: time, type, attempt, rule (`kind`), delay, source, whether the delay was capped, status,
 * elapsed ms, request id, origin, and the error's name, code and message. No header field, body or query is written. URLs in messages are
 * cut to origin and path; credentials behind `Bearer` and `Basic` are left out.
 *
 * The log is a function of an event: give it as `notify`, or `tap` a client's events with it.
 *
 * @example
 * createClient({ retry: { ...policies.api, notify: jsonLog() } });
 * // {"time":"2026-01-01T00:00:00.000Z","type":"wait","attempt":1,"kind":"retryable","delay":3000,"source":"retryAfter", ...}
 * http.get('/users', { observe: 'events' }).pipe(tap(jsonLog({ events: 'all', write: (line) => file.write(line + '\n') })));
 */
export function jsonLog({ events = 'retry', write = writeError }: JsonLogOptions = {}): (event: HttpEvent) => void {
  const types = EVENTS[events];
  return (event) => {
    if (!types.includes(event.type)) return;
    const known = event as HttpEvent & Readonly<Record<string, unknown>>;
    const fields = Object.fromEntries(FIELDS.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])));
    const line = {
      time: new Date(wallClock()).toISOString(),
      type: event.type,
      ...fields,
      ...('url' in event && { url: withoutSecrets(event.url) }),
      ...('error' in event && { error: describeError(event.error) }),
    };
    write(printableJson(JSON.stringify(line)));
  };
}

function writeError(line: string): void {
  console.error(line);
}

function describeError(error: unknown): { name?: string; code?: string; message: string } {
  if (typeof error !== 'object' || error === null) return { message: clean(String(error)) };
  const { name, code, message } = error as Record<string, unknown>;
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof code === 'string' && { code }),
    message: typeof message === 'string' ? clean(message) : '',
  };
}

/** Characters of a message that are logged: the message of another library may quote a body. */
const MAX_MESSAGE = 4_000;

/** URLs and credentials may be quoted in messages of other libraries. */
function clean(message: string): string {
  return message
    .slice(0, MAX_MESSAGE)
    .replace(/\S*\/\S*/g, withoutSecrets)
    .replace(/\b(Bearer|Basic)\s+\S+/gi, '$1 (left out)');
}
