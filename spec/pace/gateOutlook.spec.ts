import { describe, expect, it } from 'vitest';
import { gateOutlook, type GateWindow } from '../../src/pace/gateOutlook.js';

const url = 'https://api.test/files?key=secret';
const window = (more: Partial<GateWindow> = {}): GateWindow => ({
  quota: 10,
  window: 60_000,
  remaining: 0,
  ends: 5000,
  clients: 1,
  ...more,
});

describe('gateOutlook', () => {
  it('is no wait where everything is open and enough is left', () => {
    expect(gateOutlook({}, 2, 1000, 0, [window({ remaining: 3 })])).toEqual({
      source: 'gate',
      delay: 0,
      windowsLeft: 0,
      refusal: undefined,
    });
  });

  it('waits for the gate where no quota is known', () => {
    const unknown = { delay: 3000, windowsLeft: undefined, refusal: undefined };
    expect(gateOutlook({}, 2, 1000, 4000, [window({ quota: undefined })])).toMatchObject(unknown);
    // That nothing is ever allowed is for a 429 to say.
    expect(gateOutlook({ deadline: 9000 }, 2, 1000, 4000, [window({ quota: 0 })])).toMatchObject(unknown);
  });

  it('counts the windows that all clients need together, to the latest of several', () => {
    const shared = window({ clients: 3, remaining: 4 });
    // 10 x 3 - 4 = 26 requests: in the third window from now, two after the present one ends.
    expect(gateOutlook({}, 9, 1000, 0, [window({ remaining: 100 }), shared])).toMatchObject({ delay: 4000 + 2 * 60_000, windowsLeft: 3 });
  });

  it('refuses what the deadline does not allow, with the arithmetic and without secrets', () => {
    const { refusal } = gateOutlook({ url, deadline: 9000 }, 10, 1000, 0, [window({ clients: 1.04 })]);
    expect(String(refusal)).toBe(
      'DeadlineError: The deadline cannot be kept at https://api.test: 11 requests x 1 client - 0 left, at 10 per 60 s, ' +
        'take 2 more windows; the turn comes in 64 s, and 8 s are left',
    );
  });

  it('refuses what a gate alone makes too late', () => {
    const { refusal } = gateOutlook({ deadline: 9000 }, 0, 1000, 240_000, []);
    expect(String(refusal)).toBe('DeadlineError: The deadline cannot be kept: the turn comes in 239 s, and 8 s are left');
  });

  it('does not refuse what goes at once, though its deadline is over', () => {
    expect(gateOutlook({ deadline: 500 }, 0, 1000, 0, []).refusal).toBeUndefined();
  });
});
