import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { asFetch, coldFetch, createClient, UsageError } from 'coldfetch';
import { reply } from 'coldfetch/testing';
import { errorOf } from '../support/errorOf.js';

const URL = 'https://api.test/users';

describe('header fields that fetch refuses', () => {
  it.each<[string, string]>([
    ['x-key', 'a\u0001s3cret'],
    ['x-key', 's3cret\u007f'],
    ['last-event-id', 's3cret\u001b[31m'],
    ['transfer-encoding', 'chunked'],
    ['keep-alive', 'timeout=5'],
    ['upgrade', 'h2c'],
    ['expect', '100-continue'],
    ['connection', 'foo'],
    ['connection', 'keep-alive, x-hop'],
    ['content-length', 'many'],
    ['content-length', '99999999999999999999'],
    ['content-length', '-1'],
    ['content-length', '1, 1'],
    ['content-length', ''],
  ])('are bad usage before anything is sent, by every way in: %s: %j', async (name, value) => {
    let sent = 0;
    const fetch = () => (sent++, of(reply(200)));
    const init = { method: 'POST', body: 'a', headers: { [name]: value } };
    const errors = [
      await errorOf(coldFetch(URL, { ...init, fetch })),
      await errorOf(createClient({ fetch }).post(URL, 'a', { headers: init.headers })),
      await asFetch({ fetch })(URL, init).catch((error: unknown) => error),
    ];
    for (const error of errors) {
      expect(String(error)).toContain(`POST ${URL}: ${name}`);
      expect(String(error)).not.toContain('s3cret');
    }
    expect(errors[0]).toBeInstanceOf(UsageError);
    expect(sent).toBe(0);
  });

  it.each([
    ['x-key', 'a\tb \u00fc'],
    ['content-length', '1'],
    ['connection', 'close'],
    ['te', 'trailers'],
  ])('are not those that it takes: %s: %j', (name, value) => {
    const statuses: number[] = [];
    coldFetch(URL, { method: 'POST', body: 'a', headers: { [name]: value }, fetch: () => of(reply(200)) }).subscribe(({ status }) =>
      statuses.push(status),
    );
    expect(statuses).toEqual([200]);
  });
});
