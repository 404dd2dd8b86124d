import { concat, from, NEVER, type Observable, of, throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import type { ServerSentEvent } from '../../../src/read/streams/eventParser.js';
import {
  type EventStream,
  type EventStreamHeaders,
  serverSentEvents,
  type ServerSentEventsOptions,
} from '../../../src/read/streams/serverSentEvents.js';
import { HttpError } from '../../../src/request/errors/HttpError.js';
import { NetworkError } from '../../../src/request/errors/NetworkError.js';
import { RequestSummary } from '../../../src/request/RequestSummary.js';
import { elapsed } from '../../../src/time.js';

export const lost = new NetworkError('GET https://api.example/: terminated', 'UND_ERR_SOCKET');
export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
export const stream = (...parts: string[]): Observable<Uint8Array> => from(parts.map(encode));
const broken = (...parts: string[]): Observable<Uint8Array> =>
  concat(
    stream(...parts),
    throwError(() => lost),
  );
export const refused = (status: number, headers: Record<string, string> = {}): Observable<never> =>
  throwError(
    () => new HttpError(new Response('no', { status, headers }), new RequestSummary('GET', 'https://api.example/', new Headers())),
  );

/** Notifications of a subscriber, and the moments of its connections. */
export interface Run {
  readonly events: string[];
  readonly connections: { at: number; id: string | undefined }[];
  error: unknown;
  completedAt: number | undefined;
}

/** Plays a server that answers each connection with the next of `answers` (the last one stays open for ever) and runs an hour of virtual time. */
export function play(answers: readonly Observable<EventStream>[], options?: ServerSentEventsOptions): Run {
  const run: Run = { events: [], connections: [], error: undefined, completedAt: undefined };
  new TestScheduler(() => {}).run(() => {
    const start = elapsed();
    const connect = (headers: EventStreamHeaders): Observable<EventStream> => {
      const answer = answers[run.connections.length] ?? of(NEVER);
      run.connections.push({ at: elapsed() - start, id: headers['last-event-id'] });
      return answer;
    };
    serverSentEvents(connect, options).subscribe({
      next: ({ event, data, id }) => run.events.push([event, data, id].join(' ')),
      error: (error: unknown) => (run.error = error),
      complete: () => (run.completedAt = elapsed() - start),
    });
  });
  return run;
}

/** Connects once, with work on each event. */
export function playEach(
  answer: Observable<EventStream>,
  each: (event: ServerSentEvent) => Observable<unknown>,
): { error: unknown; connections: number } {
  const run: { error: unknown; connections: number } = { error: undefined, connections: 0 };
  new TestScheduler(() => {}).run(() => {
    const connect = (): Observable<EventStream> => {
      run.connections++;
      return answer;
    };
    serverSentEvents(connect, { each }).subscribe({ error: (error: unknown) => (run.error = error) });
  });
  return run;
}

export const open = (...parts: string[]): Observable<EventStream> => of(concat(stream(...parts), NEVER));
export const closed = (...parts: string[]): Observable<EventStream> => of(stream(...parts));
export const lostAfter = (...parts: string[]): Observable<EventStream> => of(broken(...parts));
