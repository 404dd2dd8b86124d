import { describe, expect, it } from 'vitest';
import { acquire, allOf, circuitBreaker, concurrency, limitWith, pacer, perOrigin } from 'coldfetch';
import { marbles } from 'coldfetch/testing';

describe('perOrigin', () => {
  it('makes one limiter for all URLs of an origin', () => {
    const made: string[] = [];
    const limiter = perOrigin((origin) => {
      made.push(origin);
      return concurrency(1);
    });
    for (const url of ['https://a.test/1', 'https://A.test:443/2?key=secret', 'https://b.test/']) limiter.check({ url });
    expect(made).toEqual(['https://a.test', 'https://b.test']);
  });

  it('does not let one origin hold up another', () =>
    marbles(({ cold, expect$ }) => {
      const limiter = perOrigin(() => concurrency(1));
      const get = (url: string) => cold('---a|').pipe(limitWith(limiter, { url }));
      expect$(get('https://a.test/1')).toBeMarbles('---a|');
      expect$(get('https://a.test/2')).toBeMarbles('-------a|');
      expect$(get('https://b.test/1')).toBeMarbles('---a|');
    }));

  it('passes on whether its limiter holds what follows, and how long the wait takes', () => {
    const limiter = perOrigin(() => pacer());
    const url = 'https://a.test/';
    const hold = limiter.take({ url }).settle({ status: 429, headers: new Headers({ 'retry-after': '5' }) });
    expect(hold).toMatchObject({ counted: true, refusal: { delay: 5000 } });
    expect(limiter.estimate?.({ url }, 0)?.delay).toBeGreaterThan(4000);
    expect(limiter.estimate?.({ url: 'https://b.test/' }, 0)?.delay).toBe(0);
    hold?.withdraw();
    expect(limiter.estimate?.({ url }, 0)?.delay).toBe(0);
  });

  it('passes on lanes, and which asks go last', () => {
    const limiter = perOrigin(() => pacer());
    const url = 'https://a.test/files';
    const noProbe = { url, probe: false };
    expect(limiter.lane?.({ url })).toBe(pacer().lane?.({ url }));
    expect(limiter.lane?.({ url })).not.toBe(limiter.lane?.({ url: 'https://a.test/users' }));
    expect(limiter.yields?.(noProbe)).toBe(false);
    limiter.take({ url }).settle({ status: 429 });
    expect([limiter.yields?.(noProbe), limiter.yields?.({ url })]).toEqual([true, false]);
    const plain = perOrigin(() => concurrency(1));
    expect([plain.lane?.({ url }), plain.yields?.(noProbe)]).toEqual(['', false]);
  });

  it('is a gate to those that it is joined with: a 429 that its limiter has taken opens no breaker', () => {
    const breaker = circuitBreaker({ consecutiveFailures: 1 });
    const url = 'https://a.test/';
    allOf(
      breaker,
      perOrigin(() => pacer()),
    )
      .take({ url })
      .settle({ status: 429 });
    expect(breaker.check({ url })).toBe(0);
  });

  it('fails what it is asked for where make gives no limiter, or throws', () => {
    const failures: unknown[] = [];
    const makes = [() => undefined as never, () => ({}) as never, () => pacer({ maxHint: NaN })];
    for (const make of makes)
      acquire(perOrigin(make), { url: 'https://a.test/' }).subscribe({ error: (error: unknown) => failures.push(error) });
    expect(failures.map(String)).toEqual([
      'UsageError: perOrigin: the limiter is undefined; give one, concurrency(4) say',
      'UsageError: perOrigin: the limiter is an object without check, take and changed$; give one, concurrency(4) say',
      'UsageError: pacer: maxHint is NaN; give milliseconds, 0 or more',
    ]);
  });

  it('keeps the 256 origins used last; a permit of a forgotten one can still be given back', () => {
    const limiter = perOrigin(() => concurrency(1));
    const permit = limiter.take({ url: 'https://first.test/' });
    for (let i = 0; i < 256; i++) limiter.take({ url: `https://${i}.test/` });
    expect(limiter.check({ url: 'https://first.test/' })).toBe(0);
    expect(() => permit.release()).not.toThrow();
  });
});
