import { EMPTY, NEVER, Observable, of, throwError, timer } from 'rxjs';
import { GaveUp, type Parts, rightParts } from './smallPipeline.js';

/** A mutant, and what the kit says of it. */
export interface Mutant {
  readonly name: string;
  readonly parts: () => Partial<Parts>;
  readonly complaint: string;
}

/** Pipelines that are wrong in one part each, with the reviewed text of what the kit says of them. */
export const mutants: readonly Mutant[] = [
  {
    name: 'waits a millisecond too short',
    parts: () => ({ pause: (delay) => timer(delay - 1) }),
    complaint: `
waits as long as the server asks

expect$(received).toBeMarbles(expected)

expected  5ms w 3s 4ms     (u|)
received  5ms w 3s 3ms (u|)
differs                ^ ["ada"] came at 3s 9ms, 1ms too early

w  { type: "wait", source: "retryAfter", delay: 3000 }
u  ["ada"]

expect$(received).toHaveRequests(expected)

expected  a 3s 4ms  b
received  a 3s 3ms b
differs            ^ { method: "GET", path: "/users?page=2", headers: { "x-attempt": "1" }, cancelledAt: undefined } came at 3s 4ms, 1ms too early

a  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "0" }, cancelledAt: 5 }
b  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "1" }, cancelledAt: undefined }
`,
  },
  {
    name: 'does not wait',
    parts: () => ({ pause: () => of(0) }),
    complaint: `
waits as long as the server asks

expect$(received).toBeMarbles(expected)

expected  5ms w 3s 4ms  (u|)
received  5ms w 4ms (u|)
differs             ^ ["ada"] came at 10ms, 3s too early

w  { type: "wait", source: "retryAfter", delay: 3000 }
u  ["ada"]

expect$(received).toHaveRequests(expected)

expected  a 3s 4ms b
received  a 4ms b
differs         ^ { method: "GET", path: "/users?page=2", headers: { "x-attempt": "1" }, cancelledAt: undefined } came at 5ms, 3s too early

a  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "0" }, cancelledAt: 5 }
b  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "1" }, cancelledAt: undefined }
`,
  },
  {
    name: 'takes seconds for milliseconds',
    parts: () => ({ waitFor: (response) => ({ source: 'retryAfter', delay: Number(response.headers.get('retry-after')) }) }),
    complaint: `
waits as long as the server asks

expect$(received).toBeMarbles(expected)

expected  5ms w 3s 4ms  (u|)
received  5ms A 7ms (u|)
differs       ^ delay is 3 where 3000 was expected

w  { type: "wait", source: "retryAfter", delay: 3000 }
u  ["ada"]
A  { type: "wait", source: "retryAfter", delay: 3 }

expect$(received).toHaveRequests(expected)

expected  a 3s 4ms b
received  a 7ms b
differs         ^ { method: "GET", path: "/users?page=2", headers: { "x-attempt": "1" }, cancelledAt: undefined } came at 8ms, 2s 997ms too early

a  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "0" }, cancelledAt: 5 }
b  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "1" }, cancelledAt: undefined }
`,
  },
  {
    name: 'names the wrong source of a wait',
    parts: () => ({ waitFor: (response, retries) => ({ ...rightParts.waitFor(response, retries), source: 'backoff' }) }),
    complaint: `
waits as long as the server asks

expect$(received).toBeMarbles(expected)

expected  5ms w 3s 4ms (u|)
received  5ms A 3s 4ms (u|)
differs       ^ source is "backoff" where "retryAfter" was expected

w  { type: "wait", source: "retryAfter", delay: 3000 }
u  ["ada"]
A  { type: "wait", source: "backoff", delay: 3000 }
`,
  },
  {
    name: 'counts attempts from one',
    parts: () => ({ attemptHeader: (retries) => String(retries + 1) }),
    complaint: `
waits as long as the server asks

expect$(received).toHaveRequests(expected)

expected  a 3s 4ms b
received  A 3s 4ms B
differs   ^ headers.x-attempt is "1" where "0" was expected

a  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "0" }, cancelledAt: 5 }
b  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "1" }, cancelledAt: undefined }
A  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "1" }, cancelledAt: 5 }
B  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "2" }, cancelledAt: undefined }
`,
  },
  {
    name: 'sends another method',
    parts: () => ({ method: 'POST' }),
    complaint: `
waits as long as the server asks

expect$(received).toHaveRequests(expected)

expected  a 3s 4ms b
received  A 3s 4ms B
differs   ^ method is "POST" where "GET" was expected

a  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "0" }, cancelledAt: 5 }
b  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "1" }, cancelledAt: undefined }
A  { method: "POST", path: "/users?page=2", headers: { "x-attempt": "0" }, cancelledAt: 5 }
B  { method: "POST", path: "/users?page=2", headers: { "x-attempt": "1" }, cancelledAt: undefined }
`,
  },
  {
    name: 'leaves the body of a failed attempt open',
    parts: () => ({ discard: () => undefined }),
    complaint: `
waits as long as the server asks

expect$(received).toHaveRequests(expected)

expected  a 3s 4ms b
received  A 3s 4ms b
differs   ^ cancelledAt is undefined where 5 was expected

a  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "0" }, cancelledAt: 5 }
b  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "1" }, cancelledAt: undefined }
A  { method: "GET", path: "/users?page=2", headers: { "x-attempt": "0" }, cancelledAt: undefined }
`,
  },
  {
    name: 'does not parse the answer',
    parts: () => ({ read: (response) => response.text() }),
    complaint: `
waits as long as the server asks

expect$(received).toBeMarbles(expected)

expected  5ms w 3s 4ms (u|)
received  5ms w 3s 4ms (A|)
differs                ^ "[\\"ada\\"]" where ["ada"] was expected

w  { type: "wait", source: "retryAfter", delay: 3000 }
u  ["ada"]
A  "[\\"ada\\"]"
`,
  },
  {
    name: 'waits equally long each time',
    parts: () => ({ waitFor: (response) => rightParts.waitFor(response, 0) }),
    complaint: `
doubles its own waits, and gives up after two

expect$(received).toWait(expected)

expected  backoff 1s, backoff 2s
received  backoff 1s, backoff 1s
differs   wait 2 is backoff 1s where backoff 2s was expected
`,
  },
  {
    name: 'retries once too often',
    parts: () => ({ retries: 3 }),
    complaint: `
doubles its own waits, and gives up after two

expect$(received).toWait(expected)

expected  backoff 1s, backoff 2s
received  backoff 1s, backoff 2s, backoff 4s
differs   wait 3, backoff 4s, was not expected

expect$(received).toFailWith(expected)

expected  { message: "gave up on a 503", cause: { status: 503 } }
received  no error: it completed at 7s
`,
  },
  {
    name: 'retries once too little',
    parts: () => ({ retries: 1 }),
    complaint: `
keeps two subscribers apart

expect$(received).toBeMarbles(expected)

expected  w 2s 999ms w 2s 999ms (a|)
received  w 2s 999ms #
differs              ^ "wait" was expected, but the error GaveUp: gave up on a 429 { status: 429 } <- Response 429 { "content-type": "text/plain;charset=UTF-8", "retry-after":... came

w  "wait"
a  "answer"
#  GaveUp: gave up on a 429 { status: 429 } <- Response 429 { "content-type": "text/plain;charset=UTF-8", "retry-after":... (received)

expect$(received).toBeMarbles(expected)

expected  -w 2s 999ms w 2s 999ms (a|)
received  -w 2s 999ms #
differs               ^ "wait" was expected, but the error GaveUp: gave up on a 429 { status: 429 } <- Response 429 { "content-type": "text/plain;charset=UTF-8", "retry-after":... came

w  "wait"
a  "answer"
#  GaveUp: gave up on a 429 { status: 429 } <- Response 429 { "content-type": "text/plain;charset=UTF-8", "retry-after":... (received)
`,
  },
  {
    name: 'forgets the cause of its error',
    parts: () => ({ giveUp: (response) => throwError(() => new GaveUp(response.status)) }),
    complaint: `
doubles its own waits, and gives up after two

expect$(received).toFailWith(expected)

expected  { message: "gave up on a 503", cause: { status: 503 } }
received  GaveUp: gave up on a 503 { status: 503 }, at 3s
differs   cause is undefined where { status: 503 } was expected
`,
  },
  {
    name: 'completes instead of failing',
    parts: () => ({ giveUp: () => EMPTY }),
    complaint: `
doubles its own waits, and gives up after two

expect$(received).toFailWith(expected)

expected  { message: "gave up on a 503", cause: { status: 503 } }
received  no error: it completed at 3s
`,
  },
  {
    name: 'retries what cannot be mended',
    parts: () => ({ isTransient: () => true }),
    complaint: `
does not repeat what cannot be mended

expect$(received).toBeMarbles(expected)

expected  #
received  A 999ms (B|)
differs   ^ the error class GaveUp was expected, but { type: "wait", source: "backoff", delay: 1000 } came

A  { type: "wait", source: "backoff", delay: 1000 }
B  ["ada"]
#  class GaveUp (expected)

expect$(received).toHaveRequests(expected)

expected  a
received  a 999ms a
differs           ^ "GET /users?page=2", but nothing more was expected

a  any request
`,
  },
  {
    name: 'shares its counter between subscribers',
    parts: () => {
      const counter = { retries: 0 };
      return { counter: () => counter };
    },
    complaint: `
keeps two subscribers apart

expect$(received).toBeMarbles(expected)

expected  w 2s 999ms w 2s 999ms (a|)
received  w 2s 999ms #
differs              ^ "wait" was expected, but the error GaveUp: gave up on a 429 { status: 429 } <- Response 429 { "content-type": "text/plain;charset=UTF-8", "retry-after":... came

w  "wait"
a  "answer"
#  GaveUp: gave up on a 429 { status: 429 } <- Response 429 { "content-type": "text/plain;charset=UTF-8", "retry-after":... (received)

expect$(received).toBeMarbles(expected)

expected  -w 2s 999ms w 2s 999ms (a|)
received  -w 2s 999ms #
differs               ^ "wait" was expected, but the error GaveUp: gave up on a 429 { status: 429 } <- Response 429 { "content-type": "text/plain;charset=UTF-8", "retry-after":... came

w  "wait"
a  "answer"
#  GaveUp: gave up on a 429 { status: 429 } <- Response 429 { "content-type": "text/plain;charset=UTF-8", "retry-after":... (received)
`,
  },
  {
    name: 'does not end its wait',
    parts: () => ({
      goOn: (pause$, attempt$) =>
        new Observable((subscriber) => {
          pause$.subscribe({ complete: () => attempt$.subscribe(subscriber) });
        }),
    }),
    complaint: `
ends its wait when it is unsubscribed

expect$(received).toHaveRequests(expected)

expected  a
received  a 2s 999ms a
differs              ^ "GET /users?page=2", but nothing more was expected

a  "GET /users?page=2"
`,
  },
  {
    name: 'leaves a request open',
    parts: () => ({ signal: () => null }),
    complaint: `
gives a request up when it is unsubscribed

expect$(received).toHaveRequests(expected)

expected  a
received  A
differs   ^ abortedAt is 30000 where 1000 was expected

a  { abortedAt: 1000 }
A  { abortedAt: 30000 }
`,
  },
  {
    name: 'does not stop',
    parts: () => ({ stop: () => NEVER }),
    complaint: `
completes when it is stopped

expect$(received).toBeMarbles(expected)

expected  1s |
received  30s #
differs      ^ completion was expected at 1s, but the error TimeoutError: Timeout has occurred { info: { meta: null, lastValue: null, seen: 0 } } came at 30s

#  TimeoutError: Timeout has occurred { info: { meta: null, lastValue: null, seen: 0 } } (received)

expect$(received).toHaveSubscriptions(expected)

expected  ^ 999ms !
received  (nothing)
differs   ^ subscription 1 was expected at 0ms, but did not come
`,
  },
  {
    name: 'has no timeout',
    parts: () => ({ timeout: 60_001 }),
    complaint: `
fails when no answer comes for 30 s

expect$(received).toBeMarbles(expected)

expected  30s #
received  (nothing)
differs       ^ the error class TimeoutErrorImpl was expected, but nothing more came

#  class TimeoutErrorImpl (expected)
`,
  },
];
