import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { asFetch, type DelaySource, delaySources, policies, type RetryPolicy, retryReport } from 'coldfetch';
import { EARLY } from '../support/early.js';
import { errorOf } from '../support/errorOf.js';
import { type Loopback, loopback } from '../support/loopback.js';
import { waysIn } from '../support/waysIn.js';

/** A server that refuses the first requests with these fields, then answers 200; with the moments at which requests came. */
async function refusing(refusals: number, fields: Readonly<Record<string, string>>): Promise<Loopback & { readonly at: number[] }> {
  const at: number[] = [];
  const server = await loopback((_request, response) => {
    at.push(performance.now());
    if (at.length > refusals) response.end('{}');
    else response.writeHead(429, fields).end('too many');
  });
  return { ...server, at };
}

/** The policy `standard` with milliseconds for seconds: its cap is 60 ms, its backoff 1 ms. */
function scaled(sources: Readonly<Record<string, DelaySource>>, own: Partial<RetryPolicy> = {}): RetryPolicy {
  const { throttled, transient } = policies.standard.rules;
  return { ...policies.standard, rules: { throttled: { ...throttled, sources, cap: 60, backoff: () => 1 }, transient }, ...own };
}

const retryAfterMs = delaySources.retryAfterMs;
const tenths: DelaySource = (headers) => Number(headers.get('x-wait-tenths')) * 100;

describe.each(waysIn)('over real sockets, %s', (_, send) => {
  it.each([
    ['a delay at its cap', scaled({ retryAfterMs }), { 'retry-after-ms': '30000' }, 60],
    ['a delay of a policy’s own source', scaled({ tenths }), { 'x-wait-tenths': '0.4' }, 40],
    ['a delay in milliseconds', scaled({ retryAfterMs }), { 'retry-after-ms': '50' }, 50],
    ['a second, as asked', policies.upload, { 'retry-after': '1' }, 1000],
  ])('waits for %s', async (_what, policy, fields, wait) => {
    const { url, at } = await refusing(1, fields);
    expect(await lastValueFrom(send({ url: `${url}/users/1`, policy }))).toBe(200);
    const [first = 0, second = 0] = at;
    expect(second - first).toBeGreaterThanOrEqual(wait - EARLY);
    expect(at).toHaveLength(2);
  });

  it('ends where the server asks for more than maxHint', async () => {
    const { url, at } = await refusing(9, { 'retry-after': '60' });
    const error = await errorOf(send({ url, policy: { ...policies.standard, maxHint: 10_000 } }));
    expect([error, retryReport(error)?.reason, at.length]).toMatchObject([{ status: 429 }, 'max-hint', 1]);
  });

  it('ends 429s that never end with the 429 itself, after as many waits as the policy has retries', async () => {
    const { url, at } = await refusing(9, { 'retry-after-ms': '20' });
    const error = await errorOf(send({ url, policy: scaled({ retryAfterMs }) }));
    expect([error, at.length]).toMatchObject([{ name: 'HttpError', status: 429 }, 6]);
    const report = retryReport(error);
    expect(report).toMatchObject({ reason: 'exhausted', attempts: 6, retries: { throttled: 5 } });
    expect(report?.waited).toBeGreaterThanOrEqual(5 * (20 - EARLY));
  });
});

describe('asFetch', () => {
  it('resolves with the 429, readable and with its report, when the retries are used up', async () => {
    const { url, at } = await refusing(9, { 'retry-after-ms': '20' });
    const response = await asFetch({ retry: scaled({ retryAfterMs }) })(url);
    expect([response.status, await response.text(), retryReport(response)?.reason, at.length]).toEqual([429, 'too many', 'exhausted', 6]);
  });
});
