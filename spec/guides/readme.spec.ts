import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Failure, policies, type RetryPolicy, type RetryRule } from 'coldfetch';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The cells of a policy's row in the README's table. */
function rowOf(name: string): string[] {
  const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const seconds = (ms: number): string => `${(ms / 1000).toLocaleString('en')} s`;
const takes = (rule: RetryRule, failure: Partial<Failure>): boolean => rule.matches({ error: undefined, type: 'response', ...failure });

/** Failures that a rule takes, except for a 429. */
function failuresOf(rule: RetryRule): string {
  const statuses = Array.from({ length: 200 }, (_, index) => 400 + index).filter((status) => status !== 429 && takes(rule, { status }));
  const many = statuses.filter((status) => status >= 500);
  const missing = Array.from({ length: 100 }, (_, index) => 500 + index).filter((status) => !many.includes(status));
  const server = missing.length === 0 ? ['5xx'] : missing.length === 1 ? [`5xx but ${missing.join()}`] : many.map(String);
  const others = (['network', 'timeout'] as const).filter((type) => takes(rule, { type }));
  return [...statuses.filter((status) => status < 500).map(String), ...server, ...others].join(', ');
}

/** Growth of a rule's own backoff, seen from its draws. */
function backoffOf({ backoff }: RetryRule): string {
  const draw = (index: number, chance: number): number => Math.round(backoff({ index, previous: undefined, random: () => chance }));
  const jitter = draw(0, 0) > 0 ? draw(0, 1) - draw(0, 0) : 0;
  const base = draw(0, 0) || draw(0, 1);
  expect(draw(1, 1) - jitter).toBe(base * 2);
  const grows = `${seconds(base)} x 2^n, at most ${seconds(draw(50, 1) - jitter)}`;
  return `${draw(0, 0) === 0 ? 'full jitter, ' : ''}${grows}${jitter > 0 ? `, + up to ${seconds(jitter)}` : ''}`;
}

/** Treatment of the server's delay by a rule. */
function hintOf({ hint, cap, spread = 0, sources = {} }: RetryRule): string {
  const date = { get: (field: string) => (field === 'retry-after' ? 'Thu, 01 Jan 1970 00:00:30 GMT' : null) };
  const dates = Object.values(sources).some((read) => read(date, 0) !== undefined);
  const limit = hint === 'capped' ? `at most ${seconds(cap ?? NaN)}` : `as asked${spread > 0 ? ', spread' : ''}`;
  return dates ? limit : `whole seconds, ${limit}`;
}

/** The row that a policy should have. */
function cellsOf({ rules, deadline, timeout }: RetryPolicy): string[] {
  const [first, second] = Object.values(rules);
  if (!first) throw new Error('a policy without rules');
  expect(takes(first, { status: 429 })).toBe(true);
  const transient = second ?? first;
  const times = first.retries === Infinity ? 'no count' : `${first.retries} retries`;
  const hintless = second && Object.keys(second.sources ?? {}).length === 0 ? ', on a 429 only' : '';
  return [
    second ? times : `${times} together`,
    failuresOf(transient) + (second ? `: ${second.retries} retries` : ''),
    hintOf(first) + hintless,
    backoffOf(transient),
    deadline === Infinity ? 'none' : seconds(deadline),
    seconds(timeout),
  ];
}

describe('the README’s table of policies', () => {
  it.each(Object.entries(policies))('says what %s does', (name, policy) => {
    expect(rowOf(name).slice(2)).toEqual(cellsOf(policy));
  });
});

describe('the README', () => {
  it('has at most 300 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(300);
  });

  it('names every guide', () => {
    const guides = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.md'));
    expect(guides.filter((file) => !readme.includes(`(spec/guides/${file})`))).toEqual([]);
  });

  it('describes every room', () => {
    const rooms = readdirSync(new URL('../../src', import.meta.url), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(rooms.map(({ name }) => name).filter((name) => !readme.includes(`| \`${name}/\``))).toEqual([]);
  });
});
