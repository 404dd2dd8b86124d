import { firstValueFrom, from, lastValueFrom, mergeMap, of, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { jsonLines, type JsonLinesOptions } from '../../../src/read/streams/jsonLines.js';
import { isBodyError } from '../../../src/request/errors/BodyError.js';
import { isUsageError } from '../../../src/request/errors/UsageError.js';
import { bytes } from './jsonLines.support.js';
import { outcome } from '../support/outcome.js';

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
    expect(outcome(jsonLines()(null))).toEqual({ values: [], error: undefined, completed: true });
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

  it('says that a body was read already', async () => {
    const response = new Response('1\n');
    await response.text();
    expect(isBodyError(outcome(jsonLines()(response)).error)).toBe(true);
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
});
