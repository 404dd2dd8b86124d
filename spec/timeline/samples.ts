import { timer } from 'rxjs';
import { policies } from 'coldfetch';
import { reply } from 'coldfetch/testing';
import { joinTimelines, type Timeline } from 'coldfetch/timeline';
import { play } from './play.js';

export const busy = reply(429, { headers: { 'retry-after': '30' } });
export const ok = reply(200);

const abort$ = timer(1500);
export const rich = joinTimelines([
  play('80ms a 50ms b 20ms c', { a: busy, b: reply(503), c: ok }, { label: 'GET /users', deadline: 60_000 }),
  { ...play(['hang', 'network', reply(404)], {}, { label: 'PUT /a.png' }), began: 700 },
  { ...play([busy], {}, { label: 'stopped', ask: (http) => http.get('https://api.test/', { observe: 'events', abort$ }) }), began: 2000 },
  play('5ms a 5ms b', { a: busy, b: ok }, { label: 'at the gate', pace: {} }),
]);
export const instants = play([busy, busy, ...Array<number>(3).fill(503), ok], {}, { label: 'no time at all' });
export const crowd = joinTimelines(
  Array.from({ length: 30 }, (_, i) => ({
    ...play(`${i * 7 + 5}ms a 20ms b`, { a: busy, b: ok }, { label: `PUT /screenshots/${i}.png` }),
    began: i * 400,
  })),
);
/** One of the most: a request that insists `count` times. */
export function insisting(count: number): Timeline {
  const every = Array.from({ length: count }, (_, i) => i);
  const attempts = every.map((i) => ({ number: i + 1, start: i * 1050, end: i * 1050 + 50, status: 503, failure: 'response' as const }));
  const wait = { delay: 1000, source: 'backoff', kind: 'transient', capped: false };
  const waits = every.slice(1).map((i) => ({ ...wait, attempt: i, start: i * 1050 - 1000, end: i * 1050 }));
  const end = count * 1050 - 1000;
  return { began: 0, end, requests: [{ label: 'GET /', start: 0, end, attempts, waits, outcome: { type: 'failed', error: '' } }] };
}

const half = reply(200, { chunks: 'a 5s b|' });
export const cutInBody = play([half], {}, { label: 'half', ask: (http) => http.get('https://api.test/', { observe: 'events', abort$ }) });
export const running: Timeline = {
  ...cutInBody,
  requests: cutInBody.requests.map((request) => ({ ...request, label: 'half so far', outcome: { type: 'running' } })),
};
export const cached: Timeline = {
  began: 0,
  end: 5,
  requests: [0, 5].map((at) => ({
    label: 'GET /cached',
    start: at,
    end: at,
    attempts: [],
    waits: [],
    outcome: { type: 'answered', status: 200 },
  })),
};

export const samples: Readonly<Record<string, Timeline>> = {
  rich,
  instants,
  crowd,
  exhausted: play(Array<number>(4).fill(503), {}, { label: 'a'.repeat(200) }),
  deadline: play(['hang'], {}, { retry: { ...policies.upload, deadline: 5000 }, label: '<script>alert("&")</script>' }),
  empty: { began: 0, end: 0, requests: [] },
  insisting: insisting(100),
  open: joinTimelines([cutInBody, running]),
  cached,
  scripts: play(
    [busy, ok],
    {},
    { label: '\u65e5\u672c\u8a9e\u306e\u9577\u3044\u540d\u524d \u{1f600}\u{1f600} \u05e9\u05dc\u05d5\u05dd '.repeat(5) },
  ),
  day: play(
    '5ms a 5ms b',
    { a: reply(429, { headers: { 'retry-after': '86400' } }), b: ok },
    { retry: { ...policies.api, deadline: Infinity }, label: 'tomorrow' },
  ),
};
