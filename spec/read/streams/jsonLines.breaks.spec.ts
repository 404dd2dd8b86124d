import { marbles } from 'coldfetch/testing';
import { concat, from, lastValueFrom, mergeMap, type Observable, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/read/streams/ByteSource.js';
import { jsonLines, type LinesProgress } from '../../../src/read/streams/jsonLines.js';
import { isStreamError } from '../../../src/read/streams/StreamError.js';
import { brokenBody, bytes, lost } from './jsonLines.support.js';
import { outcome } from '../support/outcome.js';

describe('jsonLines', () => {
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
});
