import { describe, expect, it } from 'vitest';
import { explain } from './support.js';

/** Worked out by hand from the table of policies: the options, the script, when requests are sent, and how it ends after how many ms. */
type Row = readonly [options: string, script: string, hits: readonly number[], ending: string, end: number];

const DAY_0 = 'Thu, 01 Jan 1970 00:00';

const ROWS: readonly Row[] = [
  // upload: own backoff 1, 2, 4, 8, 16 s; whole seconds on a 429 only, at most 60.
  ['--policy upload', '429{retry-after:60} 200', [0, 60_000], '200', 60_000],
  ['--policy upload', '429{retry-after:61} 200', [0, 60_000], '200', 60_000],
  ['--policy upload', '429{retry-after:"3, 3"} 200', [0, 1000], '200', 1000],
  ['--policy upload', '429{retry-after:3,retry-after:3} 200', [0, 1000], '200', 1000],
  ['--policy upload', '429{retry-after:} 200', [0, 1000], '200', 1000],
  ['--policy upload', '429*6', [0, 1000, 3000, 7000, 15_000, 31_000], 'exhausted', 31_000],
  ['--policy upload', '501 505 599 200', [0, 1000, 3000, 7000], '200', 7000],
  ['--policy upload', '408', [0], 'terminal', 0],
  ['--policy upload', 'hang*4', [0, 31_000, 63_000, 97_000], 'exhausted', 127_000],
  ['--policy upload', '429{retry-after:0} 503 429{retry-after:0} 200', [0, 0, 1000, 3000], '200', 3000],
  ['--policy upload', '429{retry-after:0} 429{retry-after:5} 429{retry-after:0} 200', [0, 0, 5000, 5000], '200', 5000],
  ['--policy upload --latency 100ms', '429{retry-after:2} 503 200', [0, 2100, 3200], '200', 3300],
  // standard: half of 1 s x 2^n; seconds or a date on every status it retries, at most 60 s.
  ['', '429{retry-after:"3, 7"} 200', [0, 7000], '200', 7000],
  ['', '503{retry-after:90} 200', [0, 60_000], '200', 60_000],
  ['', `429{retry-after:"${DAY_0}:05 GMT"} 429{retry-after:"${DAY_0}:05 GMT"} 200`, [0, 5000, 5000], '200', 5000],
  ['', `429{retry-after:"${DAY_0}:30 GMT",date:"${DAY_0}:10 GMT"} 200`, [0, 20_000], '200', 20_000],
  ['--random 0', '429*6', [0, 0, 0, 0, 0, 0], 'exhausted', 0],
  ['', '425 408 network 504', [0, 500, 1500, 3500], 'exhausted', 3500],
  ['', 'stall 200', [0, 30_500], '200', 30_500],
  ['--method PATCH', '429 503', [0, 500], 'not-replayable', 500],
  ['--method PATCH --header idempotency-key:1', '429 503 200', [0, 500, 1000], '200', 1000],
  // api: three retries together, as asked, 120 s.
  ['--policy api', '429{retry-after:119} 200', [0, 119_000], '200', 119_000],
  ['--policy api', '429{retry-after:120}', [0], 'deadline', 0],
  ['--policy api', '429 503 network 429', [0, 500, 1500, 3500], 'exhausted', 3500],
  ['--policy api', '429{x-ratelimit-remaining:1,x-ratelimit-reset:45} 200', [0, 500], '200', 500],
  ['--policy api', '429{retry-after:7,x-ratelimit-remaining:0,x-ratelimit-reset:45} 200', [0, 7000], '200', 7000],
  ['--policy api', '425', [0], 'terminal', 0],
  ['--policy api', 'hang*', [0, 30_500, 61_500, 93_500], 'deadline', 120_000],
  // interactive: the larger of hint and own jitter (base 0.5 s), a tenth of the hint as spread, 10 s without progress, 15 s in all.
  ['--policy interactive', '429{retry-after:10} 200', [0, 10_500], '200', 10_500],
  ['--policy interactive --random 0.9', '503{retry-after:0} 200', [0, 450], '200', 450],
  ['--policy interactive', 'hang 200', [0, 10_250], '200', 10_250],
  ['--policy interactive', 'hang hang', [0, 10_250], 'deadline', 15_000],
  ['--policy interactive --deadline 2s', '503*', [0, 250, 750, 1750], 'deadline', 1750],
  // batch: 300 ms x 2^n and up to 300 ms, as asked, 15 s without progress, 30 s in all.
  ['--policy batch', '429{retry-after:29} 200', [0, 29_000], '200', 29_000],
  ['--policy batch', '429{retry-after:30}', [0], 'deadline', 0],
  ['--policy batch --random 0', 'network 425 500 200', [0, 300, 900, 2100], '200', 2100],
  // patient: 429s without a count, spread of at most 3 s; the seventh own backoff, 30 s, is longer than the hint of 20.
  [
    '--policy patient --method POST',
    '429{retry-after:20}*7 200',
    [0, 21_000, 42_000, 63_000, 84_000, 105_000, 126_000, 157_000],
    '200',
    157_000,
  ],
  ['--policy patient', '429{retry-after:100} 200', [0, 101_500], '200', 101_500],
  ['--policy patient', '503 429 503 429 503 429 503', [0, 500, 1000, 2000, 3000, 5000, 7000], 'exhausted', 7000],
  ['--policy patient', '429{retry-after:1800}', [0], 'deadline', 0],
  ['--policy patient --abort-at 10m', '429{retry-after:1799}', [0], 'aborted', 600_000],
];

/** The same, where the answers announce that a quota is used up: the pacer holds until its reset, and opens at a moment of its first slot. */
const ANNOUNCED: readonly Row[] = [
  ['--policy api --random 0', '429{retry-after:7,x-ratelimit-remaining:0,x-ratelimit-reset:45} 200', [0, 7000], '200', 7000],
  // A fact is shortened by no cap, and need be read by no policy.
  ['--random 0', '429{ratelimit:"\\"w\\";r=0;t=90"} 200', [0, 90_000], '200', 90_000],
  ['--random 0 --policy upload', '429{ratelimit-limit:9,ratelimit-remaining:0,ratelimit-reset:90} 200', [0, 90_000], '200', 90_000],
  ['--random 0', '503{ratelimit:"\\"w\\";r=0;t=9"} 200', [0, 9000], '200', 9000],
  ['--policy interactive', '429{ratelimit:"\\"w\\";r=0;t=15"}', [0], 'deadline', 0],
  ['', '429{ratelimit:"\\"w\\";r=0;t=2000"}', [0], 'max-wait', 0],
  ['--random 0 --policy upload', '429{ratelimit:"\\"w\\";r=0;t=2000"} 200', [0, 2_000_000], '200', 2_000_000],
  // A quota that others use up each time: no retry is counted.
  ['--random 0', '429{ratelimit:"\\"w\\";r=0;t=10"}*9 200', [0, 10, 20, 30, 40, 50, 60, 70, 80, 90].map((s) => s * 1000), '200', 90_000],
];

const paced = ROWS.filter(([, script]) => !script.includes('x-ratelimit-remaining:0'));

describe.each([
  ['--pace none', ROWS],
  ['--pace default', [...paced, ...ANNOUNCED]],
])('explain %s, against schedules worked out by hand', (pace, rows) => {
  it.each(rows)('foresees %s: %s', async (options, script, hits, ending, end) => {
    const { stdout } = await explain([...pace.split(' '), ...options.split(' ').filter(Boolean), '--json', script]);
    const played = JSON.parse(stdout) as { hits: number[]; end: number; outcome: string; status?: number; reason?: string };
    expect(played).toMatchObject({ hits, end });
    expect(String(played.reason ?? played.status ?? played.outcome)).toBe(ending);
  });
});
