import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { isTimeoutError } from 'coldfetch';
import { errorOf } from '../support/errorOf.js';
import { loopback } from '../support/loopback.js';
import { transports } from '../support/transports.js';

/** Keeps the process from its sockets and timers. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe.each(transports)('by %s: a process that is busy for longer than the timeout', (_, { coldFetch }) => {
  const selector = (response: Response): Promise<string> => response.text();

  it('hears first of the bytes that have come meanwhile', async () => {
    const { url } = await loopback((_, response) => {
      response.write('a');
      setTimeout(() => {
        response.end('b');
        block(400);
      }, 50);
    });
    expect(await lastValueFrom(coldFetch(url, { timeout: 150, selector }))).toBe('ab');
  });

  it('still times out when none have come', async () => {
    const { url } = await loopback((_, response) => {
      response.write('a');
      setTimeout(() => block(400), 50);
    });
    expect(isTimeoutError(await errorOf(coldFetch(url, { timeout: 150, selector })))).toBe(true);
  });
});
