import { describe, expect, it } from 'vitest';
import { gateEstimate, type GateWindow } from '../../src/pace/gateEstimate.js';

const window = (more: Partial<GateWindow> = {}): GateWindow => ({
  quota: 10,
  window: 60_000,
  remaining: 0,
  ends: 5000,
  clients: 1,
  ...more,
});

describe('gateEstimate', () => {
  it('is no wait where everything is open and enough is left', () => {
    expect(gateEstimate(2, 1000, 0, [window({ remaining: 3 })])).toEqual({
      source: 'gate',
      delay: 0,
      least: 0,
      windowsLeft: 0,
      because: '',
    });
  });

  it('waits for the gate where no quota is known', () => {
    const unknown = { source: 'gate', delay: 3000, least: 3000, windowsLeft: undefined, because: '' };
    expect(gateEstimate(2, 1000, 4000, [])).toEqual(unknown);
    expect(gateEstimate(2, 1000, 4000, [window({ quota: undefined })])).toEqual(unknown);
    expect(gateEstimate(2, 1000, 4000, [window({ window: undefined })])).toEqual(unknown);
    // A 429 has to say that nothing is ever allowed, not a quota of 0.
    expect(gateEstimate(2, 1000, 4000, [window({ quota: 0 })])).toEqual(unknown);
  });

  it('waits for the gate where it opens later than the turn in the windows comes', () => {
    expect(gateEstimate(0, 1000, 200_000, [window()])).toMatchObject({ delay: 199_000, windowsLeft: 1, because: '' });
  });

  it('counts the windows that all clients need together, to the latest of several', () => {
    const shared = window({ clients: 3, remaining: 4 });
    // 10 x 3 - 4 = 26 requests: in the third window from now, two after the present one ends.
    expect(gateEstimate(9, 1000, 0, [window({ remaining: 100 }), shared])).toMatchObject({ delay: 4000 + 2 * 60_000, windowsLeft: 3 });
  });

  it('gives the arithmetic behind the longest wait', () => {
    expect(gateEstimate(10, 1000, 0, [window({ clients: 1.04 }), window({ remaining: 10 })])).toMatchObject({
      least: 64_000,
      because: '11 requests x 1 client - 0 left, at 10 per 60 s, take 2 more windows; ',
    });
    expect(gateEstimate(0, 1000, 0, [window({ clients: 2.52 })])).toMatchObject({
      because: '1 request x 2.5 clients - 0 left, at 10 per 60 s, take 1 more window; ',
    });
  });

  it('takes the present window for enough where requests are left without end', () => {
    expect(gateEstimate(1000, 1000, 0, [window({ remaining: Infinity, clients: 9 })])).toMatchObject({ delay: 0, windowsLeft: 0 });
  });
});
