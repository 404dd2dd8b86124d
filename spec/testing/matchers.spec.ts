import { concat, EMPTY, mergeMap, NEVER, of, Subject, throwError, TimeoutError as RxTimeoutError, timeout, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { HttpError, TimeoutError } from 'coldfetch';
import { type MarbleContext, marbles, reply } from 'coldfetch/testing';
import { failureOf } from '../support/failureOf.js';

/** The message that a block fails with, a line each. */
function lines(body: (context: MarbleContext) => void): string[] {
  return failureOf(() => marbles(body)).message.split('\n');
}

class Busy extends Error {
  constructor(
    message: string,
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The error of RxJS's own `timeout`, which says that it should not be constructed. */
function timedOut(): unknown {
  return Reflect.construct(RxTimeoutError, []);
}

describe('toBeMarbles', () => {
  it('aligns what was expected and what was received, and marks the first difference', () => {
    expect(
      lines(({ cold, expect$ }) => {
        expect$(cold('5ms a 2s (b|)', { a: 1, b: { id: 1 } })).toBeMarbles('5ms a 3s (b|)', { a: 1, b: { id: 1 } });
      }),
    ).toEqual([
      'expect$(received).toBeMarbles(expected)',
      '',
      'expected  5ms a 3s     (b|)',
      'received  5ms a 2s (b|)',
      'differs            ^ { id: 1 } came at 2s 6ms, 1s too early',
      '',
      'a  1',
      'b  { id: 1 }',
    ]);
  });

  it('writes long gaps with units, short ones as dashes', () => {
    expect(
      lines(({ cold, expect$ }) => {
        expect$(cold('--a---b----c 10m d 2999ms (e|)')).toBeMarbles('--a---b----c 10m d 3s (e|)');
      }),
    ).toEqual([
      'expect$(received).toBeMarbles(expected)',
      '',
      'expected  --a---b 4ms c 10m d 3s           (e|)',
      'received  --a---b 4ms c 10m d 2s 999ms (e|)',
      'differs                                ^ "e" came at 10m 3s 12ms, 1ms too early',
    ]);
  });

  it('says which part of a value differs', () => {
    const user = { name: 'ada', roles: [{ id: 1 }, { id: 2 }] };
    expect(
      lines(({ expect$ }) => {
        expect$(of(user)).toBeMarbles('(a|)', { a: { name: 'ada', roles: [{ id: 1 }, { id: 3 }] } });
      }),
    ).toEqual([
      'expect$(received).toBeMarbles(expected)',
      '',
      'expected  (a|)',
      'received  (A|)',
      'differs   ^ roles.1.id is 2 where 3 was expected',
      '',
      'a  { name: "ada", roles: [{ id: 1 }, { id: 3 }] }',
      'A  { name: "ada", roles: [{ id: 1 }, { id: 2 }] }',
    ]);
  });

  it('survives groups with errors, null values, and ten-minute gaps', () => {
    expect(
      lines(({ cold, expect$ }) => {
        const source = cold('a 10m (bc#)', { a: null, b: undefined, c: 0 }, new Busy('busy', 503));
        expect$(source).toBeMarbles('a 10m (bc#)', { a: null, b: undefined, c: 0 }, new Busy('busy', 429));
      }),
    ).toEqual([
      'expect$(received).toBeMarbles(expected)',
      '',
      'expected  a 10m (bc#)',
      'received  a 10m (bc#)',
      'differs         ^ status is 503 where 429 was expected',
      '',
      'a  null',
      'b  undefined',
      'c  0',
      '#  Busy: busy { status: 429 } (expected)',
      '#  Busy: busy { status: 503 } (received)',
    ]);
  });

  it('draws moments that no diagram can show', () => {
    expect(
      lines(({ expect$ }) => {
        expect$(concat(of(1, 2), timer(2))).toBeMarbles('(abc|)', { a: 1, b: 2, c: 3 });
      }).slice(2, 5),
    ).toEqual(['expected  (abc|)', 'received  (ab) @2ms (A|)', 'differs   ^ 3 was expected at 0ms, but 0 came at 2ms']);
  });

  it.each<[string, (context: MarbleContext) => void, string]>([
    ['more came', ({ expect$ }) => expect$(of('a')).toBeMarbles(''), '^ "a", but nothing more was expected'],
    ['less came', ({ expect$ }) => expect$(NEVER).toBeMarbles('3s a'), '^ "a" was expected, but nothing more came'],
    ['it did not end', ({ expect$ }) => expect$(NEVER).toBeMarbles('|'), '^ completion was expected, but nothing more came'],
    ['it completed', ({ expect$ }) => expect$(EMPTY).toBeMarbles('a'), '^ "a" was expected, but completion came'],
    ['it failed', ({ cold, expect$ }) => expect$(cold('#')).toBeMarbles('|'), '^ completion was expected, but the error "error" came'],
    ['it came late', ({ cold, expect$ }) => expect$(cold('2m |')).toBeMarbles('1m |'), '^ completion came at 2m, 1m too late'],
  ])('says that %s', (_, body, reason) => {
    expect(lines(body).find((line) => line.startsWith('differs'))).toContain(reason);
  });

  it('says that nothing was expected, or received', () => {
    expect(lines(({ expect$ }) => expect$(of('a')).toBeMarbles(''))).toContain('expected  (nothing)');
    expect(lines(({ expect$ }) => expect$(NEVER).toBeMarbles('a'))).toContain('received  (nothing)');
  });

  it('takes asymmetric matchers, inside of values too', () =>
    marbles(({ cold, expect$ }) => {
      const source = cold('a b #', { a: { id: 1, name: 'ada' }, b: ['x', 'y'] }, new Busy('busy: 3', 429));
      expect$(source).toBeMarbles(
        'a b #',
        { a: { id: expect.any(Number), name: expect.stringContaining('a') }, b: expect.arrayContaining(['y']) },
        expect.objectContaining({ status: 429 }),
      );
    }));

  it('names an asymmetric matcher in its legend', () => {
    expect(lines(({ expect$ }) => expect$(of({ id: 1 })).toBeMarbles('(a|)', { a: expect.objectContaining({ id: 2 }) }))).toContain(
      'a  ObjectContaining<{ id: 2 }>',
    );
  });

  it('has an opposite', () => {
    marbles(({ expect$ }) => expect$(of('a')).not.toBeMarbles('(b|)'));
    expect(lines(({ expect$ }) => expect$(of(1)).not.toBeMarbles('(a|)', { a: 1 }))).toEqual([
      'expect$(received).not.toBeMarbles(expected)',
      '',
      'unexpected  (a|)',
      '',
      'a  1',
    ]);
  });

  it('compares responses by status, header fields and body', () => {
    const response = reply(200, { json: [], headers: { 'x-n': '1' } });
    const compare = (expected: Response) => () => marbles(({ expect$ }) => expect$(of(response)).toBeMarbles('(a|)', { a: expected }));
    compare(reply(200, { json: [], headers: { 'x-n': '1' } }))();
    expect(compare(reply(201, { json: [], headers: { 'x-n': '1' } }))).toThrow('status is 200 where 201 was expected');
    expect(compare(reply(200, { json: [], headers: { 'x-n': '2' } }))).toThrow('headers.x-n is "1" where "2" was expected');
    expect(compare(reply(200, { json: {}, headers: { 'x-n': '1' } }))).toThrow('body is "[]" where "{}" was expected');
    marbles(({ expect$ }) =>
      expect$(of(new Response(null, { status: 204 }))).toBeMarbles('(a|)', { a: new Response(null, { status: 204 }) }),
    );
  });
});

describe('an error in marbles', () => {
  const failing = (error: unknown, expected: unknown) => () =>
    marbles(({ expect$ }) => expect$(throwError(() => error)).toBeMarbles('#', undefined, expected));

  it.each<[string, unknown, unknown]>([
    ['its class', new Busy('busy', 429), Busy],
    ['a base class', new TypeError('no'), Error],
    ['some of its fields', new Busy('busy', 429), { status: 429 }],
    ['the class of its cause', new Busy('busy', 429, { cause: new TypeError('lost') }), { status: 429, cause: TypeError }],
    [
      'the fields of its cause',
      new Busy('busy', 429, { cause: Object.assign(new Error('lost'), { code: 'E' }) }),
      { cause: { code: 'E' } },
    ],
    ['an equal error', new Busy('busy', 429), new Busy('busy', 429)],
    ['an equal error of RxJS, whose stack is its own', timedOut(), timedOut()],
    ['a value that is no error', 'no', 'no'],
    ['null', null, null],
  ])('is expected by %s', (_, error, expected) => {
    expect(failing(error, expected)).not.toThrow();
  });

  it.each<[string, unknown, unknown, string]>([
    ['class', new Busy('busy', 429), new TypeError('busy'), 'class is class Busy where class TypeError was expected'],
    ['message', new Error('a'), new Error('b'), 'message is "a" where "b" was expected'],
    ['fields', new Busy('busy', 429), new Busy('busy', 503), 'status is 429 where 503 was expected'],
    ['cause', new Error('a', { cause: 1 }), new Error('a', { cause: 2 }), 'cause is 1 where 2 was expected'],
    ['cause that it should not have', new Error('a', { cause: 1 }), new Error('a'), 'cause is 1 where undefined was expected'],
    ['expected class', new Error('a'), TypeError, 'Error: a where class TypeError was expected'],
    ['expected field', new Busy('busy', 429), { status: 503 }, 'status is 429 where 503 was expected'],
    ['expected field that is missing', new Error('a'), { status: undefined, code: 'E' }, 'code is undefined where "E" was expected'],
    [
      'cause deep inside',
      new Error('a', { cause: new Error('b', { cause: 1 }) }),
      { cause: { cause: 2 } },
      'cause.cause is 1 where 2 was expected',
    ],
    ['kind', 'error', new Error('error'), '"error" where Error: error was expected'],
    ['name of another library', timedOut(), TimeoutError, 'TimeoutError: Timeout has occurred'],
  ])('is not equal to one of another %s', (_, error, expected, reason) => {
    expect(failing(error, expected)).toThrow(reason);
  });

  it('does not crash on errors that are their own cause', () => {
    const circular = (): Error => {
      const error = new Error('a');
      error.cause = error;
      return error;
    };
    expect(failing(circular(), circular())).not.toThrow();
  });
});

describe('toFailWith', () => {
  it('expects an error, whenever it comes', () =>
    marbles(({ cold, server, http, expect$ }) => {
      server.on('GET /', '5ms a', { a: 404 });
      expect$(http.get('/')).toFailWith(HttpError);
      expect$(cold('a 3s #', undefined, new Busy('busy', 429))).toFailWith({ status: 429 });
      expect$(NEVER.pipe(timeout(10))).toFailWith(RxTimeoutError);
      expect$(EMPTY).not.toFailWith(Error);
    }));

  it('says what came instead', () => {
    expect(lines(({ cold, expect$ }) => expect$(cold('3s #', undefined, new Busy('busy', 503))).toFailWith({ status: 429 }))).toEqual([
      'expect$(received).toFailWith(expected)',
      '',
      'expected  { status: 429 }',
      'received  Busy: busy { status: 503 }, at 3s',
      'differs   status is 503 where 429 was expected',
    ]);
    expect(lines(({ expect$ }) => expect$(EMPTY).toFailWith(TypeError)).slice(2)).toEqual([
      'expected  class TypeError',
      'received  no error: it completed at 0ms',
    ]);
    expect(lines(({ expect$ }) => expect$(NEVER).toFailWith(TypeError)).at(-1)).toBe('received  no error: it did not end');
    expect(lines(({ cold, expect$ }) => expect$(cold('3s #')).not.toFailWith('error')).slice(2)).toEqual(['unexpected  "error", at 3s']);
  });
});

describe('toHaveSubscriptions', () => {
  it('draws each subscription, and names the one that differs', () => {
    expect(
      lines(({ cold, expect$ }) => {
        const source = cold('5ms #');
        source.subscribe({ error: () => undefined });
        timer(2000)
          .pipe(mergeMap(() => source))
          .subscribe({ error: () => undefined });
        expect$(source).toHaveSubscriptions(['^ 4ms !', '3s ^ 4ms !']);
      }),
    ).toEqual([
      'expect$(received).toHaveSubscriptions(expected)',
      '',
      'expected  ^ 4ms !',
      'received  ^ 4ms !',
      'expected  3s            ^ 4ms !',
      'received  2s     ^ 4ms !',
      'differs          ^ subscription 2 began at 2s, 1s too early',
    ]);
  });

  it.each<[string, string | string[], string]>([
    ['missing', ['^ 4ms !', '3s ^'], 'subscription 2 was expected at 3s, but did not come'],
    ['left over', [], 'subscription 1 was not expected'],
    ['too long', '^--!', 'subscription 1 ended at 5ms, 2ms too late'],
    ['too short', '^', 'subscription 1 ended at 5ms, but was expected to last'],
  ])('names one that is %s', (_, expected, reason) => {
    expect(
      lines(({ cold, expect$ }) => {
        const source = cold('5ms |');
        source.subscribe();
        expect$(source).toHaveSubscriptions(expected);
      }).at(-1),
    ).toContain(reason);
  });

  it('names one that was not ended', () => {
    expect(
      lines(({ cold, expect$ }) => {
        const source = cold('a');
        source.subscribe();
        expect$(source).toHaveSubscriptions('^ 2s !');
      }),
    ).toEqual([
      'expect$(received).toHaveSubscriptions(expected)',
      '',
      'expected  ^ 2s !',
      'received  ^',
      'differs        ^ subscription 1 did not end',
    ]);
  });

  it('has an opposite', () => {
    expect(
      lines(({ cold, expect$ }) => {
        const source = cold('|');
        source.subscribe();
        expect$(source).not.toHaveSubscriptions('(^!)');
      }).slice(2),
    ).toEqual(['unexpected  (^!)']);
  });
});

describe('toHaveRequests', () => {
  it('draws the requests, and says which part of one differs', () => {
    expect(
      lines(({ server, http, expect$ }) => {
        server.on('GET /users', [503, reply(200, { json: [] })]);
        expect$(http.get('users', { headers: { 'x-n': '1' } })).toBeMarbles('500ms (a|)', { a: [] });
        expect$(server).toHaveRequests('a 499ms b', { a: 'GET /users', b: { path: '/users', headers: { 'x-n': '2', 'x-m': null } } });
      }),
    ).toEqual([
      'expect$(received).toHaveRequests(expected)',
      '',
      'expected  a 499ms b',
      'received  a 499ms A',
      'differs           ^ headers.x-n is "1" where "2" was expected',
      '',
      'a  "GET /users"',
      'b  { path: "/users", headers: { "x-n": "2", "x-m": null } }',
      'A  { path: "/users", headers: { "x-n": "1", "x-m": null } }',
    ]);
  });

  it('takes any request where no values are given', () =>
    marbles(({ server, expect$ }) => {
      server.on('* *', [200, 200]);
      server.fetch('/a').subscribe();
      timer(3000)
        .pipe(mergeMap(() => server.fetch('/b', { method: 'PUT' })))
        .subscribe();
      expect$(server).toHaveRequests('a 2999ms b');
    }));

  it('says that a request came too early, or not at all', () => {
    const asking = (expected: string) =>
      lines(({ server, expect$ }) => {
        server.on('* *', [200]);
        timer(2000)
          .pipe(mergeMap(() => server.fetch('/a')))
          .subscribe();
        expect$(server).toHaveRequests(expected);
      }).find((line) => line.startsWith('differs'));
    expect(asking('3s a')).toBe('differs      ^ "GET /a" came at 2s, 1s too early');
    expect(asking('')).toBe('differs      ^ "GET /a", but nothing more was expected');
    expect(asking('2s a a')).toContain('any request was expected, but nothing more came');
  });

  it('refuses an end, and what keeps no log', () => {
    expect(() => marbles(({ server, expect$ }) => expect$(server).toHaveRequests('a|'))).toThrow("has a '|', but requests have no end");
    expect(() => expect(of(1)).toHaveRequests('a')).toThrow('toHaveRequests needs a server or a scripted fetch');
  });
});

describe('toWait', () => {
  const wait = (source: string, delay: number) => ({ type: 'wait', source, delay });

  it('compares the waits of a stream of events', () =>
    marbles(({ server, http, expect$ }) => {
      server.on('GET /', [reply(429, { headers: { 'retry-after': '3' } }), 503, reply(200, { json: 1 })]);
      expect$(http.get('/', { observe: 'events' })).toWait([expect.stringMatching(/^(retry-after|gate) 3s$/), 'backoff 500ms']);
    }));

  it('compares the waits in a list, at the end of the block', () =>
    marbles(({ expect$ }) => {
      const events: unknown[] = [];
      const event$ = new Subject<unknown>();
      event$.subscribe((event) => events.push(event));
      expect$(events).toWait(['retry-after 3s', 'backoff 1.5s', 'backoff 1s 500ms']);
      timer(10).subscribe(() => {
        for (const event of [wait('retryAfter', 3000), { type: 'sent' }, wait('backoff', 1500), wait('backoff', 1500)]) event$.next(event);
      });
    }));

  it('compares a list that is over at once', () => {
    expect([wait('rateLimit', 60_000)]).toWait(['rate-limit 1m']);
    expect(() => expect([wait('rateLimit', 60_000)]).not.toWait(['rate-limit 60s'])).toThrow('expect(received).not.toWait(expected)');
  });

  it.each([
    [['retry-after 3s', 'backoff 2s'], 'differs   wait 2 is backoff 1s where backoff 2s was expected'],
    [['retry-after 3s'], 'differs   wait 2, backoff 1s, was not expected'],
    [['retry-after 3s', 'backoff 1s', 'backoff 2s'], 'differs   wait 3, backoff 2s, did not come'],
    [[], 'differs   wait 1, retry-after 3s, was not expected'],
  ])('says how %j differs', (expected, reason) => {
    expect(() => expect([wait('retryAfter', 3000), wait('backoff', 1000)]).toWait(expected)).toThrow(reason);
  });

  it('lists what was expected and what came', () => {
    expect(failureOf(() => expect([wait('backoff', 1000)]).toWait([])).message.split('\n')).toEqual([
      'expect(received).toWait(expected)',
      '',
      'expected  (no wait)',
      'received  backoff 1s',
      'differs   wait 1, backoff 1s, was not expected',
    ]);
  });

  it('refuses a wait without a duration', () => {
    expect(() => expect([]).toWait(['backoff'])).toThrow("'' is no duration");
  });
});
