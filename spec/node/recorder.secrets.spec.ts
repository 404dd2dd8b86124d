import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recorder } from '../../src/node/recorder.js';
import { isSecretName, redactUrl } from '../../src/node/recordings/redact.js';
import { answering, recordingFolder, USERS } from './recorder.support.js';

describe('recorder', () => {
  const raw = recordingFolder();

  describe('writes no secret', () => {
    it('of header fields and of the query, and finds the recording after they have changed', async () => {
      const ask = (mode: 'record' | 'replay', secret: string): Promise<Response> =>
        recorder(raw.path, { mode, fetch: answering('x', { headers: { location: `https://cdn.example/x?X-Amz-Signature=${secret}` } }) })(
          `https://user:${secret}@api.example/rows?page=1&api_key=${secret}&access_token=${secret}#${secret}`,
          {
            headers: {
              authorization: `Bearer ${secret}`,
              cookie: `sid=${secret}`,
              'x-api-key': secret,
              'x-auth-token': secret,
              'x-page': '1',
            },
          },
        );
      await (await ask('record', 'hunter2')).text();
      const written = raw
        .files()
        .map((name) => name + readFileSync(join(raw.path, name), 'utf8'))
        .join('\n');
      expect(written).not.toContain('hunter2');
      expect(written).toContain('page=1&api_key=REDACTED&access_token=REDACTED');
      expect(written).toMatch(/"x-page",\s+"1"/);
      expect(await (await ask('replay', 'another')).text()).toBe('x');
    });

    it('of names that the caller adds', async () => {
      const isSecret = (name: string): boolean => name === 'tenant';
      await (await recorder(raw.path, { fetch: answering('x'), isSecret })('https://api.example/?tenant=acme')).text();
      expect(raw.textOf('.headers.json')).not.toContain('acme');
    });

    it.each([
      'Authorization',
      'Proxy-Authorization',
      'Cookie',
      'Set-Cookie',
      'X-Api-Key',
      'apikey',
      'api_key',
      'key',
      'token',
      'X-Amz-Signature',
      'X-Amz-Credential',
      'sig',
      'refresh_token',
      'client_secret',
      'password',
      'sessionid',
      'authToken',
      'accesstoken',
      'clientSecret',
      'X-Goog-Api-Key',
      'Ocp-Apim-Subscription-Key',
      'rapidapi-key',
    ])('knows %s for a secret', (name) => {
      expect(isSecretName(name)).toBe(true);
    });

    it.each([
      'page',
      'monkey',
      'keyboard',
      'author',
      'authors',
      'signal',
      'tokens_used',
      'design',
      'x-request-id',
      'etag',
      'content-type',
      'passage',
      'sort_key',
      'Idempotency-Key',
      'page_token',
      'pageToken',
      'next_token',
      'continuation-token',
    ])('knows %s for none', (name) => {
      expect(isSecretName(name)).toBe(false);
    });

    it.each([
      ['location', '/next?token=hunter2&page=2', '/next?token=REDACTED&page=2'],
      ['location', 'https://ada:hunter2@cdn.example/x#access_token=hunter2&state=1', 'https://cdn.example/x#access_token=REDACTED&state=1'],
      [
        'link',
        '</a?page=2&api_key=hunter2>; rel="next", </a?api_key=hunter2>; rel="first"',
        '</a?page=2&api_key=REDACTED>; rel="next", </a?api_key=REDACTED>; rel="first"',
      ],
    ])('of a field %s that holds URLs, relative ones too', async (field, value, written) => {
      await (await recorder(raw.path, { fetch: answering('x', { headers: { [field]: value } }) })(USERS)).text();
      expect(JSON.parse(raw.textOf('.headers.json'))).toMatchObject({ response: { headers: expect.arrayContaining([[field, written]]) } });
    });

    it('of user info and fragment', () => {
      expect(redactUrl('https://ada:pw@api.example/a?b=1#token', () => false)).toBe('https://api.example/a?b=1');
    });
  });
});
