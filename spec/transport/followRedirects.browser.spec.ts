import { describe, expect, it } from 'vitest';
import { RequestSummary } from '../../src/request/RequestSummary.js';
import { followsRedirects, markRedirected, nextHop, redirectMode } from '../../src/transport/followRedirects.browser.js';
import type { OutgoingBody } from '../../src/transport/outgoingBody.js';

const hop = { url: 'https://api.example.com/', method: 'POST', headers: new Headers({ 'x-key': 'a' }), body: true, count: 0 };
const file: OutgoingBody = { body: 'a', total: 1, counted: true, streamed: true, external: true };

describe('followRedirects in a browser', () => {
  it('leaves redirects to fetch, which hides them', () => {
    const answer = new Response(null, { status: 302, headers: { location: '/b' } });
    expect(followsRedirects('follow', hop, true)).toBe(false);
    expect(nextHop(answer, hop, new RequestSummary('POST', hop.url, hop.headers))).toBeUndefined();
    expect(markRedirected(answer)).toBe(answer);
  });

  it('has a redirect that is refused answered, which a failure would not tell', () => {
    expect(redirectMode('error', false, undefined)).toBe('manual');
    expect(redirectMode(undefined, false, file)).toBe('manual');
    expect(redirectMode('follow', false, undefined)).toBe('follow');
    expect(redirectMode(undefined, false, undefined)).toBeUndefined();
  });
});
