import { describe, expect, it } from 'vitest';
import { explain } from './support.js';

/** The sentences, unwrapped. */
async function sentences(argv: readonly string[]): Promise<string[]> {
  const { stdout } = await explain(['--json', ...argv]);
  return (JSON.parse(stdout) as { steps: { text: string }[] }).steps.map(({ text }) => text);
}

describe('an explanation says why', () => {
  it.each([
    ['a cap', ['--policy', 'upload', '429{retry-after:300} 200'], 'waits 60 s: Retry-After asked for 5 min, capped at 60 s'],
    [
      'a spread',
      ['--policy', 'interactive', '429{retry-after:2} 200'],
      'waits 2.1 s: Retry-After asked for 2 s, plus 0.1 s of spread; own backoff would have been 0.25 s; 12.9 s of the deadline left',
    ],
    [
      'an own backoff that is longer',
      ['--policy', 'interactive', '--random', '0.9', '429{retry-after:0} 200'],
      'waits 0.45 s: Retry-After asked for 0 s, own backoff of 0.45 s is longer; 14.6 s of the deadline left',
    ],
    [
      "GitHub's field",
      ['--policy', 'api', '429{x-ratelimit-remaining:0,x-ratelimit-reset:45} 200'],
      'waits 45 s: x-ratelimit-reset asked for it; own backoff would have been 0.5 s; 75 s of the deadline left',
    ],
    [
      'a field that cannot be read',
      ['--policy', 'upload', '429{retry-after:1.5} 200'],
      'waits 1 s: own backoff ("Retry-After: 1.5" is no delay to this policy), retry 1 of 5 for throttled',
    ],
    [
      'a field that is not heeded',
      ['--policy', 'upload', '503{retry-after:9} 200'],
      'waits 1 s: own backoff (this policy heeds no Retry-After on a 503), retry 1 of 3 for transient',
    ],
    [
      'a field that the policy does not read',
      ['429{ratelimit:"\\"a\\";r=0;t=9"} 200'],
      'waits 0.5 s: own backoff ("ratelimit: "a";r=0;t=9" is no delay to this policy), retry 1 of 5 for throttled',
    ],
    [
      'a long field that cannot be read',
      [`429{retry-after:${'x'.repeat(200)}} 200`],
      `waits 0.5 s: own backoff ("Retry-After: ${'x'.repeat(40)}\u2026" is no delay to this policy), retry 1 of 5 for throttled`,
    ],
    [
      'a retry without a count',
      ['--policy', 'patient', '429 200'],
      'waits 0.5 s: own backoff, retry 1 for throttled; 30 min of the deadline left',
    ],
  ])('waiting: %s', async (_, argv, sentence) => {
    expect(await sentences(argv)).toEqual([sentence]);
  });

  it('a second zero is not believed', async () => {
    const [, second] = await sentences(['--policy', 'upload', '429{retry-after:0}*2 200']);
    expect(second).toBe('waits 2 s: own backoff (a second zero in a row is not believed), retry 2 of 5 for throttled');
  });

  it.each([
    ['the count is used up', ['503*4'], 'gives up: the 3 retries for transient are used up'],
    ['no rule takes it', ['404'], 'gives up: no rule of this policy takes a 404'],
    [
      'it cannot be sent again',
      ['--method', 'post', '503'],
      'gives up: after a 503 this policy sends a POST again only with an idempotency-key',
    ],
    [
      'it may have arrived',
      ['--method', 'post', 'network'],
      'gives up: after a network error this policy sends a POST again only with an idempotency-key',
    ],
    [
      'the deadline leaves too little',
      ['--policy', 'interactive', '429{retry-after:16}'],
      'gives up: a wait of 16 s does not fit in the 15 s that the deadline leaves',
    ],
    [
      'the wait would take all that the deadline leaves',
      ['--policy', 'batch', '429{retry-after:30}'],
      'gives up: a wait of 30 s would last until the deadline',
    ],
    [
      'the deadline passes',
      ['--policy', 'batch', '--latency', '10s', '429{retry-after:15} 200ms:503 hang'],
      'gives up: the deadline of 30 s passed while the request was in flight',
    ],
  ])('giving up: %s', async (_, argv, sentence) => {
    expect((await sentences(argv)).at(-1)).toBe(sentence);
  });
});
