import { concat, NEVER, type Observable, of, timer } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { BodyError, jsonLines, serverSentEvents, UsageError } from 'coldfetch';
import { outcome } from '../support/outcome.js';
import { bytes } from './jsonLines.support.js';

const schema = z.object({ n: z.string().transform(Number) });
const chunks = (...texts: string[]): Observable<Uint8Array> => of(...texts.map(bytes));

describe('jsonLines with a schema', () => {
  it('gives what the schema makes of each line', () => {
    expect(outcome(jsonLines({ schema })(chunks('{"n":"1"}\n{"n"', ':"2"}\n')))).toMatchObject({
      values: [{ n: 1 }, { n: 2 }],
      completed: true,
    });
  });

  it('fails at a line that does not match, behind those before it', () => {
    const { values, error } = outcome(jsonLines({ schema })(chunks('{"n":"1"}\n\n{"n":2}\n{"n":"3"}\n')));
    expect(values).toEqual([{ n: 1 }]);
    expect(error).toBeInstanceOf(BodyError);
    expect(error).toMatchObject({ message: 'Line 3 does not match its schema: 1 issue, the first at n; see its issues' });
    expect((error as BodyError).issues).toHaveLength(1);
  });

  it('checks what parse makes, before each works on it', () => {
    const read = jsonLines({ schema: z.number(), parse: (line) => line.length, each: (n) => timer(0).pipe(() => of(n * 2)) });
    expect(outcome(read(chunks('a\nbcd\n'))).values).toEqual([2, 6]);
  });

  it('waits for a schema that takes its time, line by line', async () => {
    const slow = z.number().refine((n) => Promise.resolve(n < 3), 'too many');
    const values: number[] = [];
    const error = await new Promise<unknown>((resolve) => {
      jsonLines({ schema: slow })(chunks('1\n2\n3\n4\n')).subscribe({ next: (value) => values.push(value), error: resolve });
    });
    expect({ values, message: String(error) }).toMatchObject({ values: [1, 2], message: expect.stringContaining('Line 3 does not match') });
  });
});

describe('serverSentEvents with a schema', () => {
  it('gives events whose data the schema has made', () => {
    const events$ = serverSentEvents(() => of(concat(chunks('id: 1\ndata: {"n":"1"}\n\n'), NEVER)), { schema });
    expect(outcome(events$).values).toEqual([{ event: 'message', id: '1', data: { n: 1 } }]);
  });

  it.each([
    ['do not match', 'data: {"n":1}\n\n', "An event's data does not match its schema: 1 issue, the first at n; see its issues"],
    ['are no JSON', 'data: [DONE\n\n', "An event's data cannot be parsed (5 characters); pass parse if they are not JSON"],
  ])('fails for data that %s, and does not connect again', (_, text, message) => {
    const connect = vi.fn(() => of(chunks(`id: 1\n${text}`)));
    expect(outcome(serverSentEvents(connect, { schema })).error).toMatchObject({ message });
    expect(connect).toHaveBeenCalledTimes(1);
  });

  it('checks what parse makes, before each works on it', () => {
    const parse = (data: string): unknown => (data === '[DONE]' ? null : JSON.parse(data));
    const events$ = serverSentEvents(() => of(chunks('data: 5\n\ndata: [DONE]\n\n')), {
      schema: z.number().nullable(),
      parse,
      each: ({ data }) => [data === null ? 'done' : data.toFixed(1)],
    });
    expect(outcome(events$)).toMatchObject({ values: ['5.0', 'done'], completed: true });
  });
});

it.each([
  ['jsonLines', () => jsonLines({ schema: {} as never })],
  ['serverSentEvents', () => serverSentEvents(() => NEVER, { schema: {} as never })],
])('%s refuses what is no schema', (name, make) => {
  expect(make).toThrow(UsageError);
  expect(make).toThrow(`${name}: schema is [object Object]; give a schema by the Standard Schema`);
});
