import { firstValueFrom, from, lastValueFrom, mergeMap, type Observable, of, take, throwError, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { jsonLines, type JsonLinesOptions } from '../../src/read/jsonLines.js';
import { isStreamError } from '../../src/read/StreamError.js';
import { isBodyError } from '../../src/request/errors/BodyError.js';
import { NetworkError } from '../../src/request/errors/NetworkError.js';
import { isUsageError } from '../../src/request/errors/UsageError.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const lost = new NetworkError('GET https://api.example/: terminated', 'UND_ERR_SOCKET');

function outcome<T>(source: Observable<T>): { values: T[]; error: unknown } {
  const values: T[] = [];
  let error: unknown;
  source.subscribe({ next: (value) => values.push(value), error: (reason: unknown) => (error = reason) });
  return { values, error };
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
    expect((error as Error).message).toBe('Line 2 is not JSON: "{\\"n\\":"');
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
