import { describe, expect, it } from 'vitest';
import { isBodyError } from 'coldfetch';
import { reply } from 'coldfetch/testing';
import { errorOf } from '../support/errorOf.js';
import { outcome } from '../read/support/outcome.js';
import { client } from './createClient.support.js';

describe('request', () => {
  it('sends any method, in capitals, with what get and post take', () => {
    const { http, fetch, sent } = client({}, [reply(200, { json: { id: 1 } })]);
    const { values } = outcome(http.request('purge', 'users', { params: { all: true }, body: { now: 1 }, observe: 'response' }));
    expect(sent()).toEqual(['PURGE https://api.test/v2/users?all=true']);
    expect(fetch.requests[0]?.body).toBe('{"now":1}');
    expect(values).toMatchObject([{ type: 'response', status: 200, body: { id: 1 } }]);
  });

  it('refuses options that it does not know', async () => {
    const error = await errorOf(client().http.request('GET', 'users', { json: {} } as never));
    expect(String(error)).toContain('json is unknown');
  });
});

describe('responseType', () => {
  it('arrayBuffer gives a buffer of exactly the body', () => {
    const { values } = outcome(client({}, [reply(200, { body: 'abc' })]).http.get('x', { responseType: 'arrayBuffer' }));
    expect(values).toEqual([new TextEncoder().encode('abc').buffer]);
  });

  it('formData parses a form', async () => {
    const body = 'a=1&a=2&b=x+y';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { http } = client({}, [reply(200, { body, headers })]);
    const form = await new Promise<FormData>((resolve) => http.get('x', { responseType: 'formData' }).subscribe(resolve));
    expect([...form]).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b', 'x y'],
    ]);
  });

  it('formData of what is no form is a BodyError that names the type', async () => {
    const { http } = client({}, [reply(200, { json: {} })]);
    const error = await errorOf(http.get('x?key=s3cret', { responseType: 'formData' }));
    expect(isBodyError(error)).toBe(true);
    expect(String(error)).toContain('GET https://api.test/v2/x: the body is not a form but application/json');
  });

  it.each(['arrayBuffer', 'formData'] as const)('%s of an answer without a body is null', (responseType) => {
    expect(outcome(client({}, [204]).http.get('x', { responseType })).values).toEqual([null]);
  });
});
