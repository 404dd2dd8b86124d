import { setImmediate } from 'node:timers/promises';
import { coldFetch } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { catchError, concat, from, lastValueFrom, map, type Observable, of, Subject, take, tap, throwError, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/read/streams/ByteSource.js';
import { jsonLines } from '../../../src/read/streams/jsonLines.js';
import { isBodyError } from '../../../src/request/errors/BodyError.js';
import { wait } from '../../../src/time.js';
import { bytes, lost, virtually } from './jsonLines.support.js';
import { outcome } from '../support/outcome.js';

describe('jsonLines', () => {
  it('does not hold a line without end in memory', () => {
    let produced = 0;
    const endless = from(
      (function* () {
        for (;;) {
          produced += 1024;
          yield new Uint8Array(1024).fill(97);
        }
      })(),
    );
    const { error } = outcome(jsonLines({ maxLineBytes: 10_000 })(endless));
    expect(isBodyError(error)).toBe(true);
    expect(produced).toBeLessThan(12_000);
  });

  it('reads a stream no further than the subscriber took', async () => {
    let pulled = 0;
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => controller.enqueue(bytes(`${pulled++}\n`)),
        cancel: () => {
          cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    expect(await lastValueFrom(jsonLines()(stream).pipe(take(3), toArray()))).toEqual([0, 1, 2]);
    expect({ pulled, cancelled }).toEqual({ pulled: 3, cancelled: true });
  });

  it('cancels the stream when it is unsubscribed', () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      cancel: () => {
        cancelled = true;
      },
    });
    jsonLines()(stream).subscribe().unsubscribe();
    expect(cancelled).toBe(true);
  });

  describe('as the selector of a request', () => {
    const URL = 'https://api.example.com/export';

    it('is under the timeout of the request, and says how far it got', () => {
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([reply(200, { chunks: 'a -', values: { a: bytes('1\n') } })]);
        const values$ = coldFetch(URL, { fetch, selector: jsonLines() });
        const stalled = {
          name: 'StreamError',
          message: expect.stringContaining('broke off after 1 line'),
          cause: expect.objectContaining({ name: 'TimeoutError', timeout: 30_000 }),
        };
        expect$(values$.pipe(catchError((error: unknown) => of(error)))).toBeMarbles('a 29999ms (b|)', {
          a: 1,
          b: expect.objectContaining(stalled),
        });
      });
    });

    it('passes silence before any output on as the timeout of the request', () => {
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([reply(200, { chunks: '-' })]);
        const values$ = coldFetch(URL, { fetch, selector: jsonLines() });
        const silent = { name: 'TimeoutError', message: `GET ${URL}: no progress for 30000 ms` };
        expect$(values$.pipe(catchError((error: unknown) => of(error)))).toBeMarbles('30s (a|)', { a: expect.objectContaining(silent) });
      });
    });

    it.each(['-', '#'])('goes on by resume after "%s", for as long as that takes', (ending) => {
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([
          reply(200, { chunks: `a ${ending}`, values: { a: bytes('1\n') } }),
          reply(200, { chunks: '20s b 20s c 20s |', values: { b: bytes('2\n'), c: bytes('3\n') } }),
        ]);
        const resume = (): Observable<ByteSource> => coldFetch(URL, { fetch });
        const at = ending === '-' ? 'a 49999ms' : 'a 20s';
        expect$(coldFetch(URL, { fetch, selector: jsonLines({ resume }) })).toBeMarbles(`${at} b 20s c 20s |`, { a: 1, b: 2, c: 3 });
      });
    });

    it('watches over what it resumed, too', () => {
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([
          reply(200, { chunks: 'a #', values: { a: bytes('1\n') } }),
          reply(200, { chunks: '-' }),
          reply(200, { chunks: 'b |', values: { b: bytes('2\n') } }),
        ]);
        const resume = (): Observable<ByteSource> => coldFetch(URL, { fetch });
        expect$(coldFetch(URL, { fetch, timeout: 5_000, selector: jsonLines({ resume }) })).toBeMarbles('a 5s b |', { a: 1, b: 2 });
      });
    });

    it('has a timeout of its own where it is given one', () => {
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([reply(200, { chunks: 'a 40s b |', values: { a: bytes('1\n'), b: bytes('2\n') } })]);
        expect$(coldFetch(URL, { fetch, selector: jsonLines({ timeout: 60_000 }) })).toBeMarbles('a 40s b |', { a: 1, b: 2 });
      });
    });

    it('takes work on a value for no silence', () => {
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([reply(200, { chunks: 'a b |', values: { a: bytes('1\n'), b: bytes('2\n') } })]);
        const each = (n: number): Observable<number> => wait(60_000).pipe(map(() => n));
        expect$(coldFetch(URL, { fetch, selector: jsonLines({ each }) })).toBeMarbles('60s a 59999ms (b|)', { a: 1, b: 2 });
      });
    });
  });

  describe('each', () => {
    it('works on one value at a time, in order, and gives what comes of it', () => {
      marbles(({ cold, expect$ }) => {
        const chunks$ = cold('a 500ms (b|)', { a: bytes('1\n2\n'), b: bytes('3') });
        const doubled = jsonLines({ each: (n: number) => wait(1000).pipe(map(() => 2 * n)) });
        expect$(doubled(chunks$)).toBeMarbles('1s a 999ms b 999ms (c|)', { a: 2, b: 4, c: 6 });
      });
    });

    it('holds the stream back', async () => {
      let pulled = 0;
      const stream = new ReadableStream<Uint8Array>(
        { pull: (controller) => controller.enqueue(bytes(`${pulled++}\n`)) },
        { highWaterMark: 0 },
      );
      const release$ = new Subject<void>();
      const reading = jsonLines({ each: () => release$.pipe(take(1)) })(stream).subscribe();
      await setImmediate();
      expect(pulled).toBe(1);
      release$.next();
      await setImmediate();
      expect(pulled).toBe(2);
      reading.unsubscribe();
    });

    it('has done its work on what came before a bad line, a break and a line that is too long', () => {
      const worked: unknown[] = [];
      const each = (n: unknown): Observable<unknown> => wait(1000).pipe(tap(() => worked.push(n)));
      const endsOf = (source: Observable<Uint8Array>, options = {}): string => {
        worked.length = 0;
        let message = '';
        virtually(
          () => void jsonLines({ ...options, each })(source).subscribe({ error: (error: unknown) => (message = (error as Error).message) }),
        );
        return `${worked.join()}: ${message}`;
      };
      expect(endsOf(of(bytes('1\n2\nx\n')))).toMatch(/^1,2: Line 3 is not JSON/);
      expect(
        endsOf(
          concat(
            of(bytes('1\n'), bytes('2\n{')),
            throwError(() => lost),
          ),
        ),
      ).toMatch(/^1,2: The stream broke off after 2 lines \(4 bytes\)/);
      expect(endsOf(of(bytes('1\n2\n1234567\n')), { maxLineBytes: 5 })).toMatch(/^1,2: Line 3 is longer/);
    });

    it('that fails is the end, though it looks like the network and there is a resume', () => {
      const failure = new TypeError('fetch failed');
      const options = { each: () => throwError(() => failure), resume: () => of(of(bytes('2\n'))) };
      expect(outcome(jsonLines(options)(of(bytes('1\n')))).error).toBe(failure);
    });
  });

  it('keeps memory flat over a long document', () => {
    const chunk = bytes('{"id":123456,"name":"somebody","tags":["a","b"]}\n'.repeat(1300));
    let lines = 0;
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    jsonLines()(
      from(
        (function* () {
          for (let i = 0; i < 300; i++) yield chunk;
        })(),
      ),
    ).subscribe(() => lines++);
    globalThis.gc?.();
    expect(lines).toBe(390_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  });
});
