import { describe, expect, it } from 'vitest';
import { announces, type Schedule, schedules } from '../../support/schedules.js';
import { explain } from './support.js';

/** A row's answers as the command takes them. */
function scriptOf({ script }: Schedule): string {
  return script
    .map(({ status, headers = {}, network, hang }) => {
      const fields = Object.entries(headers).map(([name, value]) => `${name}:${JSON.stringify(value)}`);
      return hang ? 'hang' : network ? 'network' : `${String(status)}${fields.length > 0 ? `{${fields.join(',')}}` : ''}`;
    })
    .join(' ');
}

function argumentsOf(row: Schedule): string[] {
  const { policy, method, headers = {}, random, abortAt } = row;
  return [
    ...['--policy', policy, '--method', method, '--random', String(random)],
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ...(abortAt === undefined ? [] : ['--abort-at', abortAt < 0 ? 'before' : `${abortAt}ms`]),
    '--json',
    scriptOf(row),
  ];
}

/** The longest slot of a window in the table, in ms. */
const SLOT = 1000;

describe.each(['default', 'none'])('explain --pace %s', (pace) => {
  it.each(schedules)('foresees the schedule of $policy: $name', async (row) => {
    const { code, stdout } = await explain(['--pace', pace, ...argumentsOf(row)]);
    const { hits, end, status, error, reason, aborted } = row.expect;
    const outcome = aborted ? 'aborted' : status === undefined ? 'gave-up' : 'answered';
    const played = JSON.parse(stdout) as { hits: number[]; end: number };
    expect(played).toMatchObject({ outcome, ...(status && { status }), ...(error && { error }), ...(reason && { reason }) });
    const spread = pace === 'default' && announces(row) ? SLOT : 0;
    expect(played.hits).toHaveLength(hits.length);
    [...hits, end].forEach((moment, i) => {
      const at = [...played.hits, played.end][i];
      expect(at).toBeGreaterThanOrEqual(moment);
      expect(at).toBeLessThanOrEqual(moment + spread);
    });
    expect(code).toBe(outcome === 'answered' ? 0 : 1);
  });
});
