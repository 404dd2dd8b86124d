import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RequestSummary, withoutSecrets } from '../../src/request/RequestSummary.js';

describe('RequestSummary', () => {
  const summary = new RequestSummary(
    'GET',
    'https://me:pass@api.test/users?token=secret#secret',
    new Headers({ authorization: 'Bearer secret' }),
  );

  it('has the URL and the header fields as they were sent, for who asks', () => {
    expect([summary.url, summary.headers.get('authorization')]).toEqual([
      'https://me:pass@api.test/users?token=secret#secret',
      'Bearer secret',
    ]);
  });

  it.each<[string, string]>([
    ['a message', summary.toString()],
    ['JSON', JSON.stringify({ summary })],
    ['the console', inspect({ summary }, { depth: 9 })],
  ])('shows no secret in %s', (_, shown) => {
    expect(shown).toContain('https://api.test/users');
    expect(shown).not.toMatch(/secret|pass|me:/);
  });

  it('names the header fields without their values', () => {
    expect(summary.toJSON()).toEqual({ method: 'GET', url: 'https://api.test/users', headers: ['authorization'] });
  });
});

describe('withoutSecrets', () => {
  it.each([
    ['https://api.test/a/b?c=d#e', 'https://api.test/a/b'],
    ['https://me:pass@api.test:8443/a', 'https://api.test:8443/a'],
    ['/users?token=secret', '/users'],
    ['me:pass@api.test/users', 'api.test/users'],
    ['//me:pass@api.test/users', 'api.test/users'],
    ['localhost:3000/users?token=secret', 'localhost:3000/users'],
    ['app://host/a?b', 'app://host/a'],
    ['data:text/plain,secret', 'data:'],
    ['file:///tmp/a?b', 'file:///tmp/a'],
    ['http://[::1]:80/a', 'http://[::1]/a'],
    ['not a url\n?secret', 'not a url\n'],
    ['', ''],
  ])('cuts %j to %j', (url, shown) => {
    expect(withoutSecrets(url)).toBe(shown);
  });
});
