import type { ServerResponse } from 'node:http';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { isTimeoutError } from 'coldfetch';
import { errorOf } from '../support/errorOf.js';
import { handClock } from '../support/handClock.js';
import { loopback } from '../support/loopback.js';
import { settled } from '../support/settled.js';
import { transports } from '../support/transports.js';

/** Longest time in which a process that was busy hears of what came meanwhile, in ms. */
const GRACE = 20;

/** A server that sends the beginning of an answer, and the responses that it has begun. */
async function beginning(): Promise<{ readonly url: string; readonly begun: Promise<ServerResponse> }> {
  let begin: (response: ServerResponse) => void;
  const begun = new Promise<ServerResponse>((resolve) => (begin = resolve));
  const { url } = await loopback((_, response) => {
    response.write('a');
    begin(response);
  });
  return { url, begun };
}

describe.each(transports)('by %s: a process that is busy for longer than the timeout', (_, { coldFetch }) => {
  const selector = (response: Response): Promise<string> => response.text();

  it('hears first of the bytes that have come meanwhile', async () => {
    const { url, begun } = await beginning();
    const clock = handClock();
    const text = lastValueFrom(coldFetch(url, { timeout: 150, selector }));
    const response = await begun;
    await settled();
    response.end('b');
    clock.block(400);
    await settled();
    clock.move(GRACE);
    expect(await text).toBe('ab');
  });

  it('still times out when none have come', async () => {
    const { url, begun } = await beginning();
    const clock = handClock();
    const error = errorOf(coldFetch(url, { timeout: 150, selector }));
    await begun;
    await settled();
    clock.block(400);
    await settled();
    clock.move(GRACE);
    expect(isTimeoutError(await error)).toBe(true);
  });
});
