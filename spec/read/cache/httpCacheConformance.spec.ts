import { describe, expect, it } from 'vitest';
import { httpCache } from '../../../src/read/cache/httpCache.js';
import { NetworkError } from '../../../src/request/errors/NetworkError.js';
import { ask, get, origin, type Reply, virtually } from '../support/origin.js';

/**
 * Cases of the public HTTP cache tests (https://cache-tests.fyi), by their ids, in our own words: what is stored, what is asked for next, and
 * whether the cache may answer that by itself. Left out are those about what never reaches a client of fetch: interim answers, hop-by-hop
 * fields, CDN-Cache-Control and Surrogate-Control, ranges (which pass by), and answers that are errors here (404, 410, ...).
 */
interface Case {
  readonly id: string;
  /** Rank of a test: demanded by RFC 9111, good practice, or only asked about by the list. */
  readonly level: 'must' | 'good' | 'ask';
  /** The stored answer; numbers are dates in seconds from now. */
  readonly stored: Readonly<Record<string, string | number>>;
  readonly status?: number;
  readonly first?: Readonly<Record<string, string>>;
  /** Milliseconds until the next request. */
  readonly pause?: number;
  readonly second?: Readonly<Record<string, string>>;
  /** Answer of the origin to the next request, if it is asked; it knows its validators. */
  readonly reply?: Reply;
  readonly shared?: boolean;
  /** Answer to the next request: by the cache, by the origin, or by the cache after the origin was asked by `ETag` or `Last-Modified`. */
  readonly expected: 'cached' | 'fetched' | 'etag' | 'last-modified' | 'gateway-timeout';
  /** Fields of the answer to the next request. */
  readonly gives?: Readonly<Record<string, string | null>>;
  /** Reason for another behaviour here. */
  readonly exception?: string;
}

const HOUR = 3600;
const control = (value: string): { 'cache-control': string } => ({ 'cache-control': value });
const fresh = control('max-age=3600');

const freshness = (level: Case['level'], expected: Case['expected'], values: Readonly<Record<string, string>>): Case[] =>
  Object.entries(values).map(([id, value]) => ({ id: `freshness-${id}`, level, stored: control(value), pause: 3_000, expected }));
const expires = (level: Case['level'], expected: Case['expected'], values: Readonly<Record<string, string | number>>): Case[] =>
  Object.entries(values).map(([id, value]) => ({
    id: `freshness-expires-${id}`,
    level,
    stored: { expires: value, date: 0 },
    pause: 1_000,
    expected,
  }));
const heuristic = (expected: Case['expected'], statuses: readonly number[]): Case[] =>
  statuses.map((status) => ({
    id: `heuristic-${status}`,
    level: expected === 'cached' ? 'good' : 'must',
    status,
    stored: { 'last-modified': -24 * HOUR, date: 0 },
    expected,
  }));
const asks = (
  expected: Case['expected'],
  cases: Readonly<Record<string, [stored: Case['stored'], directive: string, pause?: number]>>,
): Case[] =>
  Object.entries(cases).map(([id, [stored, directive, pause = 0]]) => ({
    id,
    level: 'ask',
    stored,
    second: control(directive),
    pause,
    expected,
  }));
const vary = (
  level: Case['level'],
  expected: Case['expected'],
  cases: Readonly<Record<string, [string, Case['first'], Case['second']]>>,
): Case[] =>
  Object.entries(cases).map(([id, [fields, first = {}, second = {}]]) => ({
    id,
    level,
    stored: { ...fresh, vary: fields },
    first,
    second,
    expected,
  }));
const renewed = (name: string, before: string, after: string): Case[] =>
  (
    [
      ['etag', '"1"', 'etag'],
      ['last-modified', -HOUR, 'last-modified'],
    ] as const
  ).map(([validator, value, expected]) => ({
    id: `304-${validator}-update-${name}`,
    level: 'must',
    stored: { ...control('max-age=1'), [validator]: value, [name]: before },
    pause: 3_000,
    reply: { status: 304, headers: { [name]: after } },
    expected,
    gives: { [name]: after },
  }));

const CASES: readonly Case[] = [
  { id: 'freshness-none', level: 'good', stored: {}, pause: 3_000, expected: 'fetched' },
  ...freshness('good', 'cached', {
    'max-age': 'max-age=3600',
    'max-age-max': 'max-age=2147483648',
    'max-age-max-plus': 'max-age=99999999999',
    'max-age-leading-zero': 'max-age=003600',
    'max-age-extension': 'foobar, max-age=3600',
    'max-age-case-insensitive': 'MaX-aGe=3600',
    'max-age-quoted': 'max-age="3600"',
    'max-age-two-fresh-stale': 'max-age=1800, max-age=1',
  }),
  ...freshness('must', 'fetched', {
    'max-age-0': 'max-age=0',
    'max-age-stale': 'max-age=2',
    'max-age-negative': 'max-age=-3600',
    'max-age-single-quoted': "max-age='3600'",
    'max-age-ignore-quoted': 'extension="max-age=3600", max-age=1',
    'max-age-ignore-quoted-rev': 'max-age=1, extension="max-age=3600"',
    'max-age-two-stale-fresh': 'max-age=1, max-age=1800',
    'max-age-space-before-equals': 'max-age =3600',
    'max-age-space-after-equals': 'max-age= 3600',
    'max-age-a100': 'max-age=a3600',
    'max-age-100a': 'max-age=3600a',
    'max-age-decimal': 'max-age=3600.5',
    'max-age-s-maxage-private': 's-maxage=3600, max-age=1',
  }),
  { id: 'freshness-max-age-age', level: 'must', stored: { ...control('max-age=10'), age: '15' }, expected: 'fetched' },
  { id: 'freshness-max-age-expires', level: 'good', stored: { ...fresh, expires: -HOUR }, expected: 'cached' },
  { id: 'freshness-max-age-expires-invalid', level: 'good', stored: { ...fresh, expires: '0' }, expected: 'cached' },
  { id: 'freshness-max-age-0-expires', level: 'must', stored: { ...control('max-age=0'), expires: HOUR }, expected: 'fetched' },
  {
    id: 'freshness-max-age-date',
    level: 'ask',
    stored: { ...control('max-age=3600'), date: -2 * HOUR },
    expected: 'fetched',
    exception: 'The apparent age is left out: a client whose clock is ahead would cache nothing. An Age field counts.',
  },
  { id: 'freshness-s-maxage-shared', level: 'good', shared: true, stored: control('s-maxage=3600'), pause: 3_000, expected: 'cached' },
  {
    id: 'freshness-max-age-s-maxage-shared-longer',
    level: 'must',
    shared: true,
    stored: control('max-age=3600, s-maxage=1'),
    pause: 3_000,
    expected: 'fetched',
  },
  {
    id: 'freshness-max-age-s-maxage-shared-shorter',
    level: 'good',
    shared: true,
    stored: control('max-age=1, s-maxage=3600'),
    pause: 3_000,
    expected: 'cached',
  },

  ...expires('good', 'cached', { future: HOUR, 'rfc850-four': 'Thu Aug 18 02:01:18 2050' }),
  ...expires('must', 'fetched', {
    past: -HOUR,
    present: 0,
    invalid: '0',
    'invalid-utc': 'Thu, 18 Aug 2050 02:01:18 UTC',
    'invalid-2-digit-year': 'Thu, 18 Aug 50 02:01:18 GMT',
    'invalid-no-comma': 'Thu 18 Aug 2050 02:01:18 GMT',
    'invalid-multiple-spaces': 'Thu, 18  Aug  2050 02:01:18 GMT',
    'invalid-date-dashes': 'Thu, 18-Aug-2050 02:01:18 GMT',
    'invalid-time-periods': 'Thu, 18 Aug 2050 02.01.18 GMT',
    'invalid-1-digit-hour': 'Thu, 18 Aug 2050 2:01:18 GMT',
  }),
  {
    ...({
      id: 'freshness-expires-wrong-case',
      level: 'good',
      stored: { expires: 'THU, 18 AUG 2050 02:01:18 gMT', date: 0 },
      expected: 'cached',
    } as const),
    exception: 'RFC 9110 section 5.6.7 makes dates case-sensitive; one that is not a date has expired.',
  },
  { id: 'freshness-expires-old-date', level: 'must', stored: { expires: 300, date: 400 }, expected: 'fetched' },
  { id: 'freshness-expires-invalid-date', level: 'good', stored: { expires: 10, date: 'foo' }, expected: 'cached' },
  { id: 'freshness-expires-age-slow-date', level: 'must', stored: { date: -10, expires: 10, age: '25' }, expected: 'fetched' },
  { id: 'freshness-expires-age-fast-date', level: 'must', stored: { date: 10, expires: 20, age: '15' }, expected: 'fetched' },

  ...['abc', '-7200', '7200.0'].map((age): Case => ({
    id: `age-parse-${age}`,
    level: 'ask',
    stored: { ...fresh, age },
    expected: 'cached',
  })),
  { id: 'age-parse-suffix', level: 'ask', stored: { ...fresh, age: '0, 7200' }, expected: 'cached' },
  { id: 'age-parse-dup-old', level: 'ask', stored: { ...fresh, age: '7200, 7200' }, expected: 'fetched' },

  ...heuristic('cached', [200, 203, 204]),
  ...heuristic('fetched', [201, 202, 299]),
  {
    ...({ id: 'status-299-fresh', level: 'good', status: 299, stored: fresh, expected: 'cached' } as const),
    exception: 'This cache keeps only statuses that it understands, as section 3 permits.',
  },

  { id: 'cc-resp-private-shared', level: 'must', shared: true, stored: control('private, max-age=3600'), expected: 'fetched' },
  { id: 'cc-resp-private-private', level: 'good', stored: control('private, max-age=3600'), expected: 'cached' },
  { id: 'cc-resp-no-store', level: 'must', stored: control('no-store'), expected: 'fetched' },
  { id: 'cc-resp-no-store-case-insensitive', level: 'must', stored: control('No-StOrE, max-age=3600'), expected: 'fetched' },
  { id: 'cc-resp-no-store-fresh', level: 'must', stored: { ...control('max-age=3600, no-store'), expires: HOUR }, expected: 'fetched' },
  { id: 'cc-resp-no-cache', level: 'must', stored: { ...control('max-age=3600, no-cache'), expires: HOUR }, expected: 'fetched' },
  { id: 'cc-resp-no-cache-case-insensitive', level: 'must', stored: control('max-age=3600, No-CaChE'), expected: 'fetched' },
  { id: 'cc-resp-no-cache-revalidate', level: 'good', stored: { ...control('no-cache'), etag: '"1"' }, expected: 'etag' },
  {
    id: 'cc-resp-no-cache-revalidate-fresh',
    level: 'good',
    stored: { ...control('max-age=3600, no-cache'), etag: '"1"' },
    expected: 'etag',
  },
  {
    ...({
      id: 'headers-omit-headers-listed-in-Cache-Control-no-cache',
      level: 'ask',
      stored: control('no-cache="a, b", max-age=3600'),
      expected: 'cached',
    } as const),
    exception: 'no-cache with field names is taken for no-cache, as section 5.2.2.4 permits.',
  },
  {
    id: 'cc-resp-must-revalidate-fresh',
    level: 'good',
    stored: { ...control('max-age=3600, must-revalidate'), etag: '"1"' },
    expected: 'cached',
  },
  {
    id: 'cc-resp-must-revalidate-stale',
    level: 'must',
    stored: { ...control('max-age=2, must-revalidate'), etag: '"1"' },
    pause: 3_000,
    expected: 'etag',
  },
  { id: 'cc-resp-immutable-fresh', level: 'good', stored: { ...control('max-age=3600, immutable'), etag: '"1"' }, expected: 'cached' },
  {
    id: 'cc-resp-immutable-stale',
    level: 'must',
    stored: { ...control('max-age=2, immutable'), etag: '"1"' },
    pause: 3_000,
    expected: 'etag',
  },
  { id: 'pragma-response-no-cache', level: 'ask', stored: { pragma: 'no-cache', expires: HOUR }, expected: 'fetched' },

  ...asks('fetched', {
    'ccreq-ma0': [fresh, 'max-age=0', 1_000],
    'ccreq-ma1': [fresh, 'max-age=1', 3_000],
    'ccreq-magreaterage': [{ ...fresh, age: '1800' }, 'max-age=600'],
    'ccreq-min-fresh': [control('max-age=1500'), 'min-fresh=2000'],
    'ccreq-min-fresh-age': [{ ...control('max-age=1500'), age: '1000' }, 'min-fresh=1000'],
    'ccreq-no-cache': [fresh, 'no-cache'],
    'ccreq-no-store': [fresh, 'no-store'],
    'ccreq-max-stale-too-stale': [control('max-age=1'), 'max-stale=1', 3_000],
    'ccreq-max-stale-must-revalidate': [control('max-age=1, must-revalidate'), 'max-stale=1000', 3_000],
  }),
  ...asks('cached', {
    'ccreq-max-stale': [control('max-age=1'), 'max-stale=1000', 3_000],
    'ccreq-max-stale-any': [control('max-age=1'), 'max-stale', 3_000],
    'ccreq-max-stale-age': [{ ...control('max-age=1500'), age: '2000' }, 'max-stale=1000'],
    'ccreq-oic-fresh': [fresh, 'only-if-cached'],
  }),
  ...asks('etag', { 'ccreq-no-cache-etag': [{ ...fresh, etag: '"1"' }, 'no-cache'] }),
  ...asks('last-modified', { 'ccreq-no-cache-lm': [{ ...fresh, 'last-modified': -HOUR }, 'no-cache'] }),
  ...asks('gateway-timeout', {
    'ccreq-oic': [control('no-store'), 'only-if-cached'],
    'ccreq-oic-stale': [control('max-age=1'), 'only-if-cached', 3_000],
  }),
  { id: 'pragma-request-no-cache', level: 'ask', stored: fresh, second: { pragma: 'no-cache' }, expected: 'fetched' },

  ...vary('good', 'cached', {
    'vary-match': ['Foo', { foo: '1' }, { foo: '1' }],
    'vary-cache-key': ['Foo', { foo: '1', other: '2' }, { foo: '1', other: '3' }],
    'vary-2-match': ['Foo, Bar', { foo: '1', bar: 'abc' }, { foo: '1', bar: 'abc' }],
    'vary-3-match': ['Foo, Bar, Baz', { foo: '1', bar: 'abc', baz: '789' }, { foo: '1', bar: 'abc', baz: '789' }],
    'vary-3-omit': ['Foo, Bar, Baz', { foo: '1', baz: '789' }, { foo: '1', baz: '789' }],
    'vary-normalise-space': ['Foo', { foo: '1,2' }, { foo: ' 1, 2 ' }],
    'vary-syntax-empty': [', Foo,, ', { foo: '1' }, { foo: '1' }],
  }),
  ...vary('must', 'fetched', {
    'vary-no-match': ['Foo', { foo: '1' }, { foo: '2' }],
    'vary-omit': ['Foo', { foo: '1' }, {}],
    'vary-omit-stored': ['Foo', {}, { foo: '1' }],
    'vary-2-no-match': ['Foo, Bar', { foo: '1', bar: 'abc' }, { foo: '2', bar: 'abc' }],
    'vary-2-match-omit': ['Foo, Bar', { foo: '1' }, { bar: '1' }],
    'vary-3-no-match': ['Foo, Bar, Baz', { foo: '1', bar: 'abc', baz: '789' }, { foo: '2', bar: 'abc', baz: '789' }],
    'vary-3-order': ['Foo, Bar, Baz', { foo: '1', bar: 'abc4', baz: '789' }, { foo: '1', bar: 'abc', baz: '789' }],
    'vary-star': ['*', { baz: '789' }, { baz: '789' }],
    'vary-syntax-star-foo': ['*, Foo', { foo: '1' }, { foo: '1' }],
    'vary-syntax-case': ['FOO', { foo: '1' }, { foo: '2' }],
  }),
  {
    ...({ id: 'vary-normalise-lang-order', level: 'good', stored: { ...fresh, vary: 'Accept-Language' }, expected: 'cached' } as const),
    first: { 'accept-language': 'en, de' },
    second: { 'accept-language': 'de, en' },
    exception: 'Without knowing a field’s meaning its order cannot be given up.',
  },
  {
    id: 'conditional-etag-vary-headers-mismatch',
    level: 'ask',
    stored: { ...fresh, etag: '"1"', vary: 'Abc' },
    first: { abc: '123' },
    second: { abc: '456' },
    expected: 'fetched',
  },

  {
    id: 'conditional-etag-strong-generate',
    level: 'good',
    stored: { ...control('max-age=1'), etag: '"1"' },
    pause: 3_000,
    expected: 'etag',
  },
  {
    id: 'conditional-etag-weak-generate-weak',
    level: 'good',
    stored: { ...control('max-age=1'), etag: 'W/"1"' },
    pause: 3_000,
    expected: 'etag',
  },
  {
    id: 'conditional-lm-stale',
    level: 'good',
    stored: { ...control('max-age=1'), 'last-modified': -HOUR },
    pause: 3_000,
    expected: 'last-modified',
  },
  { id: 'conditional-etag-forward', level: 'ask', stored: fresh, second: { 'if-none-match': '"9"' }, expected: 'fetched' },
  {
    ...({
      id: 'conditional-etag-strong-respond',
      level: 'good',
      stored: { ...fresh, etag: '"1"' },
      second: { 'if-none-match': '"1"' },
      expected: 'cached',
    } as const),
    exception: 'Who sends a validator keeps a copy and wants the origin’s word: such requests pass by.',
  },

  {
    id: '304-lm-use-stored-Test-Header',
    level: 'must',
    stored: { ...control('max-age=1'), 'last-modified': -HOUR, 'test-header': 'stored' },
    pause: 3_000,
    reply: { status: 304 },
    expected: 'last-modified',
    gives: { 'test-header': 'stored' },
  },
  ...renewed('test-header', 'a', 'b'),
  ...renewed('content-type', 'text/plain', 'text/plain;charset=utf-8'),
  ...renewed('content-location', '/foo', '/bar'),
  ...renewed('cache-control', 'max-age=1', 'max-age=3600'),
  ...renewed('set-cookie', 'a=b', 'a=c'),
  {
    id: '304-etag-keeps-content-encoding',
    level: 'must',
    stored: { ...control('max-age=1'), etag: '"1"', 'content-length': '4' },
    pause: 3_000,
    reply: { status: 304, headers: { 'content-length': '0', etag: '"1"' } },
    expected: 'etag',
    gives: { 'content-length': '4' },
  },

  ...['must-revalidate', 'no-cache'].map((directive): Case => staleAfterClose(directive, false)),
  ...['proxy-revalidate', 's-maxage=2'].map((directive): Case => staleAfterClose(directive, true)),
  {
    id: 'stale-sie-close',
    level: 'ask',
    stored: control('max-age=2, stale-if-error=60'),
    pause: 3_000,
    reply: { error: closed() },
    expected: 'cached',
  },
  {
    id: 'stale-sie-503',
    level: 'ask',
    stored: control('max-age=2, stale-if-error=60'),
    pause: 3_000,
    reply: { status: 503 },
    expected: 'cached',
  },
  {
    ...({
      id: 'stale-close',
      level: 'ask',
      stored: control('max-age=2'),
      pause: 3_000,
      reply: { error: closed() },
      expected: 'cached',
    } as const),
    exception: 'Stale answers are used where somebody asked for it: the answer, the request, or staleIfError.',
  },
  {
    id: 'stale-while-revalidate',
    level: 'good',
    stored: control('max-age=1, stale-while-revalidate=3600'),
    pause: 3_000,
    expected: 'cached',
  },
  {
    id: 'stale-while-revalidate-window',
    level: 'must',
    stored: control('max-age=1, stale-while-revalidate=1'),
    pause: 3_000,
    expected: 'fetched',
  },

  { id: 'other-age-gen', level: 'must', stored: { expires: HOUR, date: 0 }, pause: 3_000, expected: 'cached', gives: { age: '3' } },
  {
    id: 'other-age-update-max-age',
    level: 'must',
    stored: { ...fresh, age: '30' },
    pause: 3_000,
    expected: 'cached',
    gives: { age: '33' },
  },
  {
    id: 'other-date-update',
    level: 'must',
    stored: { ...fresh, date: 'Thu, 01 Jan 1970 00:00:00 GMT' },
    pause: 3_000,
    expected: 'cached',
    gives: { date: 'Thu, 01 Jan 1970 00:00:00 GMT' },
  },
  { id: 'other-set-cookie', level: 'good', stored: { ...fresh, 'set-cookie': 'a=b' }, expected: 'cached' },
  {
    ...({ id: 'other-cookie', level: 'good', stored: fresh, second: { cookie: 'a=b' }, expected: 'cached' } as const),
    exception: 'People are kept apart by their cookies, whatever the server says of Vary.',
  },
  {
    id: 'other-authorization',
    level: 'must',
    shared: true,
    stored: { expires: HOUR, date: 0 },
    first: { authorization: 'FOO' },
    expected: 'fetched',
  },
  ...['max-age=3600, public', 'max-age=3600, must-revalidate', 's-maxage=3600'].map((value): Case => ({
    id: `other-authorization: ${value}`,
    level: 'good',
    shared: true,
    stored: control(value),
    first: { authorization: 'FOO' },
    expected: 'cached',
  })),
];

function closed(): NetworkError {
  return new NetworkError('GET https://api.example/: closed', 'UND_ERR_SOCKET');
}

function staleAfterClose(directive: string, shared: boolean): Case {
  const stored = control(`max-age=2, stale-if-error=60, ${directive}`);
  return { id: `stale-close-${directive}`, level: 'must', shared, stored, pause: 3_000, reply: { error: closed() }, expected: 'fetched' };
}

/** Answer to the next request of a case. */
function play({ stored, status = 200, first = {}, second = {}, pause = 0, reply, shared = false }: Case): {
  answered: string;
  headers: Headers | undefined;
} {
  const answer: { answered: string; headers: Headers | undefined } = { answered: 'never', headers: undefined };
  const start = 1_000_000_000;
  const headers = Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [name, typeof value === 'number' ? new Date(start + value * 1000).toUTCString() : value]),
  );
  virtually((at) => {
    const interceptor = httpCache({ shared });
    const notModified = 'etag' in headers || 'last-modified' in headers ? { status: 304 } : {};
    const api = origin({ status, headers }, reply ?? notModified);
    // A request that may not be answered from the store must not get a 304 either.
    const plain = origin({ status, headers });
    at(start, () => ask(interceptor, api, get('https://api.example/', { headers: first })));
    at(start + pause, () => {
      const asked = api.requests.length;
      const heard = ask(
        interceptor,
        reply === undefined && second['if-none-match'] !== undefined ? plain : api,
        get('https://api.example/', { headers: second }),
      );
      const request = [...api.requests.slice(asked), ...plain.requests][0];
      answer.headers = heard.response?.headers;
      if (heard.error !== undefined && request === undefined) answer.answered = 'gateway-timeout';
      else if (heard.response?.cacheStatus?.includes('hit') === true || heard.response?.cacheStatus?.includes('stale-if-error') === true)
        answer.answered = 'cached';
      else if (heard.response?.cacheStatus?.includes('fwd-status=304') === true)
        answer.answered = request?.headers.has('if-none-match') === true ? 'etag' : 'last-modified';
      else answer.answered = 'fetched';
    });
  });
  return answer;
}

function passes(given: Case): boolean {
  const { answered, headers } = play(given);
  return answered === given.expected && Object.entries(given.gives ?? {}).every(([name, value]) => headers?.get(name) === value);
}

describe('cache, by the public HTTP cache tests', () => {
  it.each(CASES.filter(({ exception }) => exception === undefined))('$level: $id is $expected', (given) => {
    const { answered, headers } = play(given);
    expect(answered).toBe(given.expected);
    for (const [name, value] of Object.entries(given.gives ?? {})) expect(headers?.get(name)).toBe(value);
  });

  it.each(CASES.filter(({ exception }) => exception !== undefined))('$id is not $expected: $exception', (given) => {
    expect(given.level).not.toBe('must');
    expect(passes(given)).toBe(false);
  });

  it('passes all of what is demanded, and most of what is good', () => {
    const count = (level: Case['level']): string => {
      const cases = CASES.filter((given) => given.level === level);
      return `${cases.filter(passes).length} of ${cases.length}`;
    };
    expect({ must: count('must'), good: count('good'), ask: count('ask') }).toEqual({
      must: '71 of 71',
      good: '39 of 44',
      ask: '28 of 31',
    });
  });
});
