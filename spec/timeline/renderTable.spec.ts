import { describe, expect, it } from 'vitest';
import { UsageError } from 'coldfetch';
import { reply } from 'coldfetch/testing';
import { joinTimelines, renderTable, type TimelineRequest } from 'coldfetch/timeline';
import { play } from './play.js';

const answers = [reply(429, { headers: { 'retry-after': '300' } }), reply(503), 'hang', reply(200)] as const;

describe('renderTable', () => {
  it('has a line for each attempt under a heading for each request', () => {
    expect(renderTable(play(answers, {}, { label: 'GET /users' }))).toBe(
      [
        '     at    took  result   then',
        'GET /users                                                        200 after 93 s',
        '  1  0 s   0 s   429      waits 60 s (Retry-After, capped; throttled)',
        '  2  60 s  0 s   503      waits 1 s (backoff; transient)',
        '  3  61 s  30 s  timeout  waits 2 s (backoff; transient)',
        '  4  93 s  0 s   200',
      ].join('\n'),
    );
  });

  it.each([40, 80, 120])('keeps to %d columns, whatever the texts', (width) => {
    const long = play(answers, {}, { label: 'PUT /a/very/long/path/'.repeat(10) });
    const lines = renderTable(joinTimelines([long, play([reply(404)], {}, { label: 'short' })]), { width }).split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width);
    expect(lines.some((line) => line.includes('…'))).toBe(true);
  });

  it('uses 80 columns when it is not told', () => {
    expect(renderTable(play([reply(200)], {}, { label: 'a'.repeat(200) })).split('\n')[1]).toHaveLength(80);
  });

  it('keeps a label with line breaks in its line', () => {
    expect(renderTable(play([reply(200)], {}, { label: 'two\nlines' })).split('\n')).toHaveLength(3);
  });

  it('shows a wait at a gate as a line of its own', () => {
    const gate = { attempt: 1, start: 0, end: 900, delay: 900, source: 'breaker', kind: 'gate', capped: false };
    const attempt = { number: 1, start: 900, end: 1000, status: 200 };
    const request = {
      label: '',
      start: 0,
      end: 1000,
      attempts: [attempt],
      waits: [gate],
      outcome: { type: 'answered', status: 200 },
    } as const;
    const table = renderTable({ began: 0, end: 1000, requests: [request] });
    expect(table).toMatch(/^ +0 s +0\.9 s +waited at the breaker$/m);
    expect(table).toMatch(/^ +1 .* 200$/m);
  });

  it('tells what is still running from what was cut short', () => {
    const attempt = { number: 1, start: 0, end: 500 };
    const gate = { attempt: 1, start: 0, end: 500, delay: 900, source: 'gate', kind: 'gate', capped: false };
    const row = { label: '', start: 0, end: 500, attempts: [attempt], waits: [] } as const;
    const tableOf = (request: TimelineRequest): string =>
      renderTable({ began: 0, end: 500, requests: [request] })
        .split('\n')
        .slice(2)
        .join('\n');
    expect(tableOf({ ...row, outcome: { type: 'running' } })).toBe('  1  0 s  0.5 s  in flight');
    expect(tableOf({ ...row, outcome: { type: 'aborted' } })).toBe('  1  0 s  0.5 s  cut short');
    expect(tableOf({ ...row, attempts: [{ ...attempt, status: 200 }], outcome: { type: 'running' } })).toBe(
      '  1  0 s  0.5 s  200, in flight',
    );
    expect(tableOf({ ...row, attempts: [{ ...attempt, status: 200 }], outcome: { type: 'aborted' } })).toBe(
      '  1  0 s  0.5 s  200, cut short',
    );
    expect(tableOf({ ...row, attempts: [], waits: [gate], outcome: { type: 'running' } })).toMatch(/waits at the gate$/);
  });

  it('cuts a name between characters', () => {
    const lines = renderTable(play([reply(200)], {}, { label: '\u{1f600}'.repeat(60) }));
    expect(lines).not.toMatch(/\p{Surrogate}/u);
  });

  it('refuses a width that is too small', () => {
    expect(() => renderTable(play([reply(200)]), { width: 20 })).toThrow(UsageError);
  });
});
