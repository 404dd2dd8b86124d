import { type } from 'arktype';
import { inspect } from 'node:util';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { BodyError, httpCache } from 'coldfetch';
import { reply } from 'coldfetch/testing';
import { errorOf } from '../support/errorOf.js';
import { outcome } from '../read/support/outcome.js';
import { client } from './createClient.support.js';

const ada = reply(200, { json: { name: 'Ada', tags: ['a'] } });
const nobody = reply(200, { json: { name: 5, tags: ['a', 's3cret-value'] } });

const schemas = {
  zod: z.object({ name: z.string(), tags: z.array(z.string().max(3)) }),
  valibot: v.object({ name: v.string(), tags: v.array(v.pipe(v.string(), v.maxLength(3))) }),
  arktype: type({ name: 'string', tags: 'string <= 3 []' }),
};

describe('a schema', () => {
  it.each(Object.entries(schemas))('of %s passes a body that matches', (_, schema) => {
    expect(outcome(client({}, [ada]).http.get('x', { schema })).values).toEqual([{ name: 'Ada', tags: ['a'] }]);
  });

  it.each(Object.entries(schemas))('of %s fails any other with its issues, sent once', async (_, schema) => {
    const { http, fetch } = client({}, [nobody, ada]);
    const error = await errorOf(http.get('x?key=s3cret', { schema }));
    expect(error).toBeInstanceOf(BodyError);
    const { message, issues, request } = error as BodyError;
    expect(message).toBe('GET https://api.test/v2/x: the body does not match its schema: 2 issues, the first at name; see its issues');
    expect(issues).toHaveLength(2);
    expect(request?.method).toBe('GET');
    expect(inspect(error)).not.toContain('s3cret');
    expect(fetch.requests).toHaveLength(1);
  });

  it('gives what it makes of the body, in whichever way it is observed', () => {
    const schema = z.object({ n: z.string().transform(Number) });
    const answers = [reply(200, { json: { n: '5' } }), reply(200, { json: { n: '5' } })];
    const { http } = client({}, answers);
    expect(outcome(http.get('x', { schema, observe: 'response' })).values).toMatchObject([{ status: 200, body: { n: 5 } }]);
    expect(outcome(http.post('x', {}, { schema, observe: 'events' })).values.at(-1)).toMatchObject({ type: 'response', body: { n: 5 } });
  });

  it('may take its time', async () => {
    const schema = z.string().refine((text) => Promise.resolve(text === 'yes'), 'must agree');
    const { http } = client({}, [reply(200, { body: 'yes' }), reply(200, { body: 'no' })]);
    expect(await new Promise((resolve) => http.get('x', { schema, responseType: 'text' }).subscribe(resolve))).toBe('yes');
    expect(await errorOf(http.get('x', { schema, responseType: 'text' }))).toMatchObject({ issues: [{ message: 'must agree' }] });
  });

  it('checks the absent body of a 204, too', async () => {
    const { http } = client({}, [204, 204]);
    expect(outcome(http.get('x', { schema: z.null() })).values).toEqual([null]);
    expect(String(await errorOf(http.get('x', { schema: schemas.zod })))).toContain('1 issue;');
  });

  it('checks what comes from a cache', async () => {
    const { http, fetch } = client({ cache: httpCache({ ttl: 60_000 }) }, [ada]);
    http.get('x').subscribe();
    expect(await errorOf(http.get('x', { schema: z.string() }))).toBeInstanceOf(BodyError);
    expect(fetch.requests).toHaveLength(1);
  });

  it('that is none is refused', async () => {
    const error = await errorOf(client().http.get('x', { schema: { name: 'string' } as never }));
    expect(String(error)).toContain('schema is [object Object]; give a schema by the Standard Schema');
  });
});
