import { setImmediate } from 'node:timers/promises';
import { coldFetch } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import {
  catchError,
  concat,
  firstValueFrom,
  from,
  lastValueFrom,
  map,
  mergeMap,
  type Observable,
  of,
  Subject,
  take,
  tap,
  throwError,
  toArray,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../src/read/ByteSource.js';
import { jsonLines, type JsonLinesOptions, type LinesProgress } from '../../src/read/jsonLines.js';
import { isStreamError } from '../../src/read/StreamError.js';
import { isBodyError } from '../../src/request/errors/BodyError.js';
import { NetworkError } from '../../src/request/errors/NetworkError.js';
import { isUsageError } from '../../src/request/errors/UsageError.js';
import { wait } from '../../src/time.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const lost = new NetworkError('GET https://api.example/: terminated', 'UND_ERR_SOCKET');

function outcome<T>(source: Observable<T>): { values: T[]; error: unknown } {
  const values: T[] = [];
  let error: unknown;
  source.subscribe({ next: (value) => values.push(value), error: (reason: unknown) => (error = reason) });
  return { values, error };
}

/** Runs all timers that `act` leaves, in virtual time. */
function virtually(act: () => void): void {
  new TestScheduler(() => {}).run(act);
}

/** A body that breaks off as undici tells it. */
function brokenBody(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes(text)),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
}

/** A document of everything that is hard to cut: characters of two to four bytes, both line ends, blank lines, escapes, no last line feed. */
const TRICKY = ['\uFEFF{"a":"é"}', '', '{"b":"日本"}\r', '  ', '{"c":"👩‍🚀\\n"}', '[1,2.5e3]', '"\u2028"', 'null', '0', 'true'].join('\n');
const TRICKY_VALUES = [{ a: 'é' }, { b: '日本' }, { c: '👩‍🚀\n' }, [1, 2500], '\u2028', null, 0, true];

describe('jsonLines', () => {
  it('gives one value for each line', () => {
    expect(outcome(of(bytes('{"n":1}\n{"n":2}\n')).pipe(jsonLines())).values).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('makes values of lines as it is told, and takes what that throws at for a bad line', () => {
    const big = '{"id":9007199254740993}';
    const asIs = jsonLines({ parse: (line) => line });
    expect(outcome(of(bytes(`${big}\n\n${big}\n`)).pipe(asIs)).values).toEqual([big, big]);
    const refusing = jsonLines({ parse: (line) => BigInt(line) });
    expect(outcome(of(bytes('1\n{}\n')).pipe(refusing))).toMatchObject({ values: [1n], error: { message: 'Line 2 is not JSON: "{}"' } });
  });

  it('gives a parser of the caller lines without their line ends', () => {
    expect(outcome(jsonLines({ parse: (line) => line })(of(bytes('a\r\nb\n\r\nc\r')))).values).toEqual(['a', 'b', 'c']);
  });

  it('passes a value on as soon as its line is complete', () => {
    const { values } = outcome(from([bytes('1\n2'), bytes('3\n4')]).pipe(jsonLines()));
    expect(values).toEqual([1, 23, 4]);
  });

  it('gives the same values wherever a tricky document is cut in two', () => {
    const whole = bytes(TRICKY);
    for (let at = 0; at <= whole.length; at++) {
      const { values, error } = outcome(jsonLines()(from([whole.subarray(0, at), whole.subarray(at)])));
      expect({ at, values, error }).toEqual({ at, values: TRICKY_VALUES, error: undefined });
    }
  });

  it('gives the same values when each byte comes alone', () => {
    expect(outcome(jsonLines()(from([...bytes(TRICKY)].map((byte) => Uint8Array.of(byte))))).values).toEqual(TRICKY_VALUES);
  });

  it('gives the same values in chunks of any size, with lines of any length', () => {
    const lengths = [0, 1, 100, 16_382, 16_383, 16_384, 16_385, 40_000, 5, 5, 5, 20_000, 1];
    const values = Array.from({ length: 10 }, () => lengths.map((length) => 'é'.repeat(length / 2) + 'x'.repeat(length % 2))).flat();
    const whole = bytes(values.map((value) => JSON.stringify(value)).join('\n'));
    for (const size of [1000, 16_383, 16_384, 16_385, 65_536, whole.length]) {
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.subarray(i * size, (i + 1) * size));
      for (const maxLineBytes of [40_002, 50_000, Infinity]) {
        const { values: read, error } = outcome(jsonLines({ maxLineBytes })(from(chunks)));
        expect({ size, error, same: String(read) === String(values) }).toEqual({ size, error: undefined, same: true });
      }
      expect(outcome(jsonLines({ maxLineBytes: 40_001 })(from(chunks)))).toMatchObject({
        values: values.slice(0, 7),
        error: { message: expect.stringMatching(/^Line 8 is longer than 40001 bytes/) },
      });
    }
  });

  it('is a selector: it reads a Response', async () => {
    expect(await lastValueFrom(jsonLines()(new Response('1\n2\n3')).pipe(toArray()))).toEqual([1, 2, 3]);
  });

  it('reads a stream, as responseType "stream" gives it', async () => {
    const stream = new Blob(['{"n":1}\n']).stream() as ReadableStream<Uint8Array>;
    expect(await firstValueFrom(of(stream).pipe(mergeMap(jsonLines())))).toEqual({ n: 1 });
  });

  it('completes without a value for an empty body and for none', async () => {
    expect(await lastValueFrom(jsonLines()(new Response('')).pipe(toArray()))).toEqual([]);
    expect(await lastValueFrom(jsonLines()(new Response(null, { status: 204 })).pipe(toArray()))).toEqual([]);
    expect(outcome(jsonLines()(null))).toEqual({ values: [], error: undefined });
  });

  it('names the number and the beginning of a bad line, blank lines counted, after all lines before it', () => {
    const { values, error } = outcome(jsonLines()(of(bytes(`1\n\n{"id": 7, oops}${'.'.repeat(100)}\n4\n`))));
    expect(values).toEqual([1]);
    expect(isBodyError(error)).toBe(true);
    expect((error as Error).message).toMatch(/^Line 3 is not JSON: "\{\\"id\\": 7, oops\}\.+\.\.\."$/);
    expect((error as Error).message.length).toBeLessThan(100);
  });

  it('takes a document that ends within a value for a bad line', () => {
    const { values, error } = outcome(jsonLines()(of(bytes('1\n{"n":'))));
    expect(values).toEqual([1]);
    expect((error as Error).message).toBe('Line 2 is not JSON: "{\\"n\\":"; no line feed ends it, so the stream may have been cut off');
  });

  it('stops at maxBytes of decoded bytes', () => {
    const { values, error } = outcome(jsonLines({ maxBytes: 5 })(from([bytes('1\n'), bytes('2\n'), bytes('3\n')])));
    expect(values).toEqual([1, 2]);
    expect((error as Error).message).toBe('The stream is longer than 5 bytes; raise maxBytes if it is meant to be');
  });

  it.each([1, 3, 4, 100])('stops at a line above maxLineBytes, after the lines before it, in chunks of %i bytes', (size) => {
    const whole = bytes('"ab"\n"abcdefgh"\n1\n');
    const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.subarray(i * size, (i + 1) * size));
    const { values, error } = outcome(jsonLines({ maxLineBytes: 9 })(from(chunks)));
    expect(values).toEqual(['ab']);
    expect((error as Error).message).toMatch(/^Line 2 is longer than 9 bytes/);
  });

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

  it('says that a body was read already', async () => {
    const response = new Response('1\n');
    await response.text();
    expect(isBodyError(outcome(jsonLines()(response)).error)).toBe(true);
  });

  it('says how far it got when the connection is lost after output', () => {
    const source = from([of(bytes('1\n2\n{"n"')), throwError(() => lost)]).pipe(mergeMap((part) => part));
    const { values, error } = outcome(jsonLines()(source));
    expect(values).toEqual([1, 2]);
    expect(isStreamError(error) && error.progress).toEqual({ received: 2, bytes: 4 });
    expect((error as Error).message).toBe('The stream broke off after 2 lines (4 bytes); pass resume to go on from there');
    expect((error as Error).cause).toBe(lost);
  });

  it('passes the failure on as it is when nothing had come yet, so that it may be retried', () => {
    expect(outcome(jsonLines()(throwError(() => lost))).error).toBe(lost);
  });

  it("passes a caller's abort on as it is", () => {
    const reason = new DOMException('stopped', 'AbortError');
    const source = from([of(bytes('1\n')), throwError(() => reason)]).pipe(mergeMap((part) => part));
    expect(outcome(jsonLines()(source)).error).toBe(reason);
  });

  it('goes on by resume, from the line that was begun', () => {
    const document = bytes('1\n{"n":2}\n3\n4\n');
    const asked: unknown[] = [];
    const upTo = (from$: number, to: number): Observable<Uint8Array> =>
      from([of(document.subarray(from$, to)), throwError(() => lost)]).pipe(mergeMap((part) => part));
    const { values, error } = outcome(
      jsonLines({
        resume: (progress) => {
          asked.push(progress);
          return of(progress.bytes < 10 ? upTo(progress.bytes, 13) : of(document.subarray(progress.bytes)));
        },
      })(upTo(0, 6)),
    );
    expect({ values, error }).toEqual({ values: [1, { n: 2 }, 3, 4], error: undefined });
    expect(asked).toEqual([
      { received: 1, bytes: 2 },
      { received: 3, bytes: 12 },
    ]);
  });

  it('names the URL of the answer that broke off, without its query', () => {
    const answer = {
      type: 'response',
      attempt: 1,
      status: 200,
      headers: new Headers(),
      url: 'https://api.example/export?key=hush',
    } as const;
    const body = brokenBody('1\n');
    return expect(lastValueFrom(jsonLines()({ ...answer, body }))).rejects.toThrow(
      'The stream of https://api.example/export broke off after 1 line (2 bytes); pass resume to go on from there',
    );
  });

  describe('resume', () => {
    const broken = (text: string): Observable<Uint8Array> =>
      concat(
        of(bytes(text)),
        throwError(() => lost),
      );

    it('is asked ten thousand times, as long as lines come', () => {
      let n = 1;
      const resume = (): Observable<ByteSource> => of(n++ < 10_000 ? broken(`${n}\n`) : of(bytes('"done"\n')));
      const { values, error } = outcome(jsonLines({ resume })(broken('1\n')));
      expect({ error, count: values.length, last: values.at(-1) }).toEqual({ error: undefined, count: 10_001, last: 'done' });
    });

    it('is given up after it came no further ten times in a row', () => {
      let asked = 0;
      const resume = (): Observable<ByteSource> => {
        asked++;
        return of(asked === 5 ? broken('2\n') : broken('{'));
      };
      const { values, error } = outcome(jsonLines({ resume })(broken('1\n')));
      expect({ values, asked }).toEqual({ values: [1, 2], asked: 15 });
      expect(isStreamError(error) && error.progress).toEqual({ received: 2, bytes: 4 });
      expect((error as Error).message).toBe('The stream broke off after 2 lines (4 bytes); it was resumed 10 times and came no further');
    });

    it('that cannot connect ends it, with how far it got', () => {
      const { error } = outcome(jsonLines({ resume: () => throwError(() => lost) })(broken('1\n')));
      expect(isStreamError(error) && error.progress).toEqual({ received: 1, bytes: 2 });
      expect((error as Error).cause).toBe(lost);
    });

    it('that throws ends it with what it throws', () => {
      const enough = new Error('enough');
      const resume = (): never => {
        throw enough;
      };
      expect(outcome(jsonLines({ resume })(broken('1\n'))).error).toBe(enough);
    });
  });

  describe('timeout', () => {
    it('takes a silent stream for one that broke off', () => {
      marbles(({ cold, expect$ }) => {
        const chunks$ = cold('a 20s b -', { a: bytes('1\n'), b: bytes('2\n{') });
        const resume = ({ bytes: at }: LinesProgress): Observable<ByteSource> => of(of(bytes(`${at}\n`)));
        expect$(jsonLines({ timeout: 30_000, resume })(chunks$)).toBeMarbles('a 20s b 29999ms (c|)', { a: 1, b: 2, c: 4 });
      });
    });

    it('lets go of the stream', async () => {
      let cancelled = false;
      const silent = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
      await expect(lastValueFrom(jsonLines({ timeout: 1 })(silent))).rejects.toThrow('The stream was silent for 1 ms');
      expect(cancelled).toBe(true);
    });
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

  it('counts anew for each subscription', () => {
    const values$ = jsonLines()(of(bytes('x')));
    expect(outcome(values$).error).toMatchObject({ message: expect.stringMatching(/^Line 1 /) });
    expect(outcome(values$).error).toMatchObject({ message: expect.stringMatching(/^Line 1 /) });
  });

  it.each([0, -1, NaN])('refuses a limit of %d', (limit) => {
    const refused = (options: JsonLinesOptions): unknown => {
      try {
        return jsonLines(options);
      } catch (error) {
        return error;
      }
    };
    expect(isUsageError(refused({ maxBytes: limit }))).toBe(true);
    expect(isUsageError(refused({ maxLineBytes: limit }))).toBe(true);
    expect(isUsageError(refused({ timeout: limit }))).toBe(true);
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
