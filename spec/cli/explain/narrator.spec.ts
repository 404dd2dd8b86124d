import { describe, expect, it } from 'vitest';
import { explain } from './support.js';

/** The sentences that explain a script, unwrapped. */
async function sentences(script: string, policy = 'standard', ...options: readonly string[]): Promise<string[]> {
  const { stdout } = await explain(['--json', '--policy', policy, ...options, script]);
  return (JSON.parse(stdout) as { steps: { text: string }[] }).steps.map(({ text }) => text);
}

/** Subject of a sentence, the sentence, and its input: a script, a policy, options. */
type Row = [what: string, sentence: string, script: string, policy?: string, ...options: string[]];

describe('an explanation of a wait', () => {
  it.each<Row>([
    [
      'a cap',
      '60 s at the gate of its route (throttled, retry 1 of 5): Retry-After asked for 5 min, capped at 60 s',
      '429{retry-after:300} 200',
      'upload',
    ],
    [
      'a spread',
      '2.1 s at the gate of its route (retryable, retry 1 of 4): Retry-After asked for 2 s, plus 0.1 s of spread; own backoff would have been 0.25 s; 12.9 s of the deadline left',
      '429{retry-after:2} 200',
      'interactive',
    ],
    [
      'an own backoff that is longer',
      '0.45 s at the gate of its route (retryable, retry 1 of 4): Retry-After asked for 0 s, own backoff of 0.45 s is longer; 14.6 s of the deadline left',
      '429{retry-after:0} 200',
      'interactive',
      '--random=0.9',
    ],
    [
      "GitHub's field, alone",
      '45 s on a timer (retryable, retry 1 of 3): x-ratelimit-reset asked for it; own backoff would have been 0.5 s; 75 s of the deadline left',
      '429{x-ratelimit-remaining:0,x-ratelimit-reset:45} 200',
      'api',
      '--pace=none',
    ],
    [
      "GitHub's field, at the pacer",
      "45.4 s at the gate of the announced quota (retryable, retry 1 of 3): nothing is left, and x-ratelimit-reset says for 45 s, plus 0.38 s of the opening's spread; own backoff would have been 0.5 s; 74.6 s of the deadline left",
      '429{x-ratelimit-remaining:0,x-ratelimit-reset:45} 200',
      'api',
    ],
    [
      'a quota that is used up for longer than the cap',
      '90 s at the gate of the announced quota (throttled, retry 1 of 5): nothing is left, and RateLimit says for 90 s, which no cap shortens (60 s); own backoff would have been 0 s',
      '429{ratelimit:"\\"a\\";r=0;t=90"} 200',
      'standard',
      '--random=0',
    ],
    [
      'a server that asks for less than its quota announces',
      '7 s at the gate of the announced quota (throttled, retry 1 of 5): nothing is left, and Retry-After says for 7 s; own backoff would have been 0 s',
      '429{retry-after:7,ratelimit:"\\"a\\";r=0;t=9"} 200',
      'standard',
      '--random=0',
    ],
    [
      'a quota that is announced, and not used up',
      '4 s at the gate of the announced quota (throttled, retry 1 of 5): Retry-After asked for it; own backoff would have been 0.5 s',
      '429{retry-after:4,ratelimit:"\\"a\\";r=5;t=9"} 200',
    ],
    [
      'a field that cannot be read',
      '1 s at the gate of its route (throttled, retry 1 of 5): own backoff ("Retry-After: 1.5" is not a delay to this policy)',
      '429{retry-after:1.5} 200',
      'upload',
    ],
    [
      'a field that is not heeded',
      '1 s on a timer (transient, retry 1 of 3): own backoff (this policy heeds no Retry-After on a 503)',
      '503{retry-after:9} 200',
      'upload',
    ],
    [
      'a field that the policy does not read',
      '0.5 s on a timer (throttled, retry 1 of 5): own backoff ("ratelimit: "a";r=0;t=9" is not a delay to this policy)',
      '429{ratelimit:"\\"a\\";r=0;t=9"} 200',
      'standard',
      '--pace=none',
    ],
    [
      'a long field that cannot be read',
      `0.5 s at the gate of its route (throttled, retry 1 of 5): own backoff ("Retry-After: ${'x'.repeat(40)}\u2026" is not a delay to this policy)`,
      `429{retry-after:${'x'.repeat(200)}} 200`,
    ],
    [
      'a retry without a count',
      '0.5 s at the gate of its route (throttled, retry 1): own backoff; 30 min of the deadline left',
      '429 200',
      'patient',
    ],
  ])('tells of %s', async (_, sentence, ...played) => {
    expect(await sentences(...played)).toEqual([`waits ${sentence}`]);
  });

  it('tells that a refusal is not counted where others used up an announced quota', async () => {
    const [, second] = await sentences('429{ratelimit:"\\"a\\";r=0;t=9"}*2 200', 'standard', '--random=0');
    expect(second).toMatch(
      /^waits 9 s at the gate of the announced quota \(throttled, not counted: others were quicker\): nothing is left/,
    );
  });

  it('tells that a wait goes on at the pacer', async () => {
    expect(await sentences('503{ratelimit:"\\"a\\";r=0;t=9"} 200', 'batch')).toEqual([
      'waits 0.45 s on a timer (retryable, retry 1 of 3): own backoff ("ratelimit: "a";r=0;t=9" is not a delay to this policy); 29.6 s of the deadline left',
      'waits 8.8 s more at the pacer: the answers announce that nothing is left until then; 20.8 s of the deadline left',
    ]);
  });

  it('tells that a second zero is ignored', async () => {
    const [, second] = await sentences('429{retry-after:0}*2 200', 'upload');
    expect(second).toBe('waits 2 s at the gate of its route (throttled, retry 2 of 5): own backoff (a second zero in a row is ignored)');
  });
});

describe('an explanation of giving up', () => {
  it.each<Row>([
    ['the count is used up', 'the 3 retries for transient are used up', '503*4'],
    ['no rule takes it', 'no rule of this policy takes a 404', '404'],
    [
      'it cannot be sent again',
      'after a 503 this policy sends a POST again only with an idempotency-key',
      '503',
      'standard',
      '--method=post',
    ],
    [
      'it may have arrived',
      'after a network error this policy sends a POST again only with an idempotency-key',
      'network',
      'standard',
      '--method=post',
    ],
    [
      'the deadline leaves too little',
      'a wait of 16 s does not fit in the 15 s that the deadline leaves',
      '429{retry-after:16}',
      'interactive',
    ],
    ['the wait would take all of the deadline', 'a wait of 30 s would last until the deadline', '429{retry-after:30}', 'batch'],
    [
      'an announced quota does not fit in the deadline',
      'a wait of 15.2 s does not fit in the 15 s that the deadline leaves',
      '429{ratelimit:"\\"a\\";r=0;t=14.8"}',
      'interactive',
    ],
    [
      'no client waits for so long',
      'a wait of 1 h is longer than the 30 min for which the client lets requests wait at its pacer',
      '429{retry-after:3600}',
      'api',
      '--deadline=none',
    ],
    [
      'the deadline passes',
      'the deadline of 30 s passed while the request was in flight',
      '429{retry-after:15} 200ms:503 hang',
      'batch',
      '--latency=10s',
    ],
  ])('tells that %s', async (_, sentence, ...played) => {
    expect((await sentences(...played)).at(-1)).toBe(`gives up: ${sentence}`);
  });
});
