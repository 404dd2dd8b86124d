import type { UploadWaitEvent } from 'coldfetch/node';
import { describe, expect, it } from 'vitest';
import { describeWait, waitNotices } from '../../../src/cli/report/waitNotices.js';

const wait = (event: Partial<UploadWaitEvent>): UploadWaitEvent => ({
  ...{ type: 'wait', step: 'upload', host: '127.0.0.1', until: 4_000, delay: 4_000, kind: 'throttled', source: 'retryAfter' },
  ...{ attempt: 1, arrived: 12, files: 36 },
  ...event,
});

describe('describeWait', () => {
  it.each([
    [{ status: 429 }, 4_000, 'rate-limited by 127.0.0.1: next try in 4 s, 12 of 36 uploaded'],
    [{ kind: 'gate' }, 3_001, 'rate-limited by 127.0.0.1: next try in 4 s, 12 of 36 uploaded'],
    [{ kind: 'gate' }, 217_000, 'rate-limited by 127.0.0.1: next try in 3 min 37 s, 12 of 36 uploaded'],
    [{ status: 503 }, 500, '127.0.0.1 answered 503: next try in 1 s, 12 of 36 uploaded'],
    [
      { reason: 'POST http://127.0.0.1/: socket hang up' },
      15_000,
      'POST http://127.0.0.1/: socket hang up: next try in 15 s, 12 of 36 uploaded',
    ],
    [{}, 1_000, 'no answer from 127.0.0.1: next try in 1 s, 12 of 36 uploaded'],
  ])('says why, how long and how far it is: %j', (event, left, text) => {
    expect(describeWait(wait(event), left, 12)).toBe(text);
  });
});

describe('waitNotices', () => {
  it('joins waits that end together', () => {
    let now = 0;
    const notices = waitNotices(() => now);
    expect([wait({ until: 4_000 }), wait({ until: 4_600 }), wait({ until: 3_900 })].map(notices.note)).toEqual([true, false, false]);
    now = 600;
    expect(notices.text(13)).toContain('next try in 4 s, 13 of 36 uploaded');
  });

  it('hears of one that ends clearly later, and of one that begins when all are over', () => {
    let now = 0;
    const notices = waitNotices(() => now);
    expect([wait({ until: 4_000 }), wait({ until: 60_000 })].map(notices.note)).toEqual([true, true]);
    now = 60_000;
    expect(notices.text(13)).toBeUndefined();
    expect(notices.note(wait({ until: 60_500 }))).toBe(true);
  });
});
