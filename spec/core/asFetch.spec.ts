import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { asFetch } from 'coldfetch/core';

describe('asFetch of coldfetch/core', () => {
  it('resolves with the answer of its client', async () => {
    const response = await asFetch({ fetch: () => of(new Response('[1]')) })('https://api.test/users');
    expect([response.status, await response.json()]).toEqual([200, [1]]);
  });
});
