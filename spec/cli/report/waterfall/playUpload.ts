import type { UploadBuildEvent, UploadWaitEvent } from 'coldfetch/node';
import { HttpError } from '../../../../src/request/errors/HttpError.js';
import { RequestSummary } from '../../../../src/request/RequestSummary.js';
import { concat, concatMap, defer, EMPTY, from, ignoreElements, mergeMap, type Observable, tap } from 'rxjs';
import { virtualTime } from '../../../../src/simulate/virtualTime.js';
import { elapsed, wait, wallClock } from '../../../../src/time.js';
import { uploadTracer } from '../../../../src/cli/report/waterfall/uploadTracer.js';
import type { UploadTrace } from '../../../../src/cli/report/waterfall/UploadTrace.js';
import { hashed, summary } from '../support.js';

/** A server that takes so many requests in a window of so many ms. */
const QUOTA = { requests: 500, windowMs: 20_000 } as const;
const HOST = 'uploads.example.com';
const BUILD = { id: '128', url: 'https://app.example.com/builds/128' } as const;

/** The trace of an upload of so many files, the same each time: some are there already, some are sent again, a few fail. */
export function playUpload(
  files: number,
  nameOf = (index: number): string => `pages/screen-${String(index).padStart(5, '0')}.png`,
): UploadTrace {
  const names = Array.from({ length: files }, (_, index) => nameOf(index));
  let trace: UploadTrace | undefined;
  virtualTime(() => {
    const tracer = uploadTracer();
    const next = (event: UploadBuildEvent): void => tracer.next(event);
    const window = { start: 0, used: 0, closedUntil: 0 };
    let arrived = 0;
    let bytesSent = 0;
    let refused = 0;
    let kept = 0;
    let requests = 3;
    let failures = 0;

    const held = (
      path: string,
      given: Pick<UploadWaitEvent, 'kind' | 'source' | 'delay' | 'attempt'> & { status?: number },
    ): Observable<never> => {
      next({ type: 'wait', step: 'upload', path, host: HOST, until: wallClock() + given.delay, arrived, files, ...given });
      return wait(given.delay).pipe(ignoreElements());
    };
    const attempt = (path: string, index: number, number: number): Observable<never> =>
      defer(() => {
        const closed = window.closedUntil - elapsed();
        const gate$ =
          closed > 0 ? held(path, { kind: 'gate', source: 'retryAfter', delay: closed + (index % 10) * 40, attempt: number }) : EMPTY;
        const total = 20_000 + ((index * 7919) % 90_000);
        const send$ = defer(() => {
          requests++;
          next({ type: 'progress', path, attempt: number, loaded: 0, total });
          return wait(60 + ((index * 131) % 340));
        });
        return concat(gate$, send$.pipe(concatMap(() => answer(path, index, number, total))));
      });
    const answer = (path: string, index: number, number: number, bytes: number): Observable<never> => {
      const now = elapsed();
      if (now >= window.start + QUOTA.windowMs) Object.assign(window, { start: now, used: 0 });
      if (++window.used > QUOTA.requests) {
        refused++;
        window.closedUntil = Math.max(window.closedUntil, window.start + QUOTA.windowMs);
        const waiting$ = held(path, {
          kind: 'throttled',
          source: 'retryAfter',
          status: 429,
          delay: window.closedUntil - now,
          attempt: number,
        });
        return concat(waiting$, attempt(path, index, number + 1));
      }
      if (index % 61 === 9 && number < 2)
        return concat(
          held(path, { kind: 'transient', source: 'backoff', status: 503, delay: 1000, attempt: number }),
          attempt(path, index, number + 1),
        );
      if (index % 997 === 30) {
        failures++;
        const error = new HttpError(new Response(null, { status: 403 }), new RequestSummary('POST', `https://${HOST}/`, new Headers()));
        next({
          type: 'failed',
          path,
          bytes,
          reason: `POST https://${HOST}/: 403 Forbidden: AccessDenied`,
          remedy: 'check the clock',
          error,
          attempts: number,
        });
        return EMPTY;
      }
      bytesSent += bytes;
      next({ type: 'done', path, bytes, key: '', how: 'sent', attempts: number, status: 204, arrived: ++arrived, files });
      return EMPTY;
    };

    const read$ = from(names).pipe(
      concatMap((path, index) =>
        wait(0.8).pipe(
          tap(() => next({ ...hashed(path), bytes: 20_000 + ((index * 7919) % 90_000), took: 0.7, hashed: index + 1, files })),
        ),
      ),
    );
    const ask$ = wait(420).pipe(
      tap(() => next({ type: 'created', build: BUILD, reason: 'new', missing: files, missingBytes: 1, part: 1, parts: 1 })),
    );
    const send$ = from(names).pipe(
      mergeMap((path, index) => {
        if (index % 23 !== 7) return attempt(path, index, 1);
        kept++;
        next({ type: 'done', path, bytes: 20_000, key: '', how: 'kept', attempts: 0, arrived: ++arrived, files });
        return EMPTY;
      }, 10),
    );
    const complete$ = wait(260).pipe(
      tap(() => {
        const outcome = { files, arrived, failed: failures, completed: failures === 0, build: BUILD };
        next({ type: 'completed', build: BUILD, requests: 1 });
        const numbers = {
          bytes: bytesSent + kept * 20_000,
          sentBytes: bytesSent,
          requests,
          throttled: refused,
          elapsed: elapsed(),
          waited: 0.4 * elapsed(),
        };
        next(summary({ ...outcome, ...numbers, kept }));
        tracer.close();
        trace = tracer.read();
      }),
    );
    concat(read$, ask$, send$, complete$).subscribe();
  });
  if (!trace) throw new Error('The upload has not come to its end');
  return trace;
}
