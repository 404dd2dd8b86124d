import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RequestSummary } from '../../src/request/RequestSummary.js';

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
