import { describe, expect, it } from 'vitest';
import type { PolicyName } from 'coldfetch';
import schedules from '../../vectors/schedules.json' with { type: 'json' };
import { explain } from './support.js';

interface Step {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly network?: true;
  readonly hang?: true;
}

interface Schedule {
  readonly name: string;
  readonly policy: PolicyName;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly random: number;
  readonly abortAt?: number;
  readonly script: readonly Step[];
  readonly expect: {
    readonly hits: readonly number[];
    readonly end: number;
    readonly status?: number;
    readonly error?: number;
    readonly reason?: string;
    readonly aborted?: true;
  };
}

const rows = schedules.cases as readonly Schedule[];

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

describe('explain', () => {
  it.each(rows)('foresees the schedule of $policy: $name', async (row) => {
    const { code, stdout } = await explain(argumentsOf(row));
    const { hits, end, status, error, reason, aborted } = row.expect;
    const outcome = aborted ? 'aborted' : status === undefined ? 'gave-up' : 'answered';
    const ending = { hits, end, outcome, ...(status && { status }), ...(error && { error }), ...(reason && { reason }) };
    expect(JSON.parse(stdout)).toMatchObject(ending);
    expect(code).toBe(outcome === 'answered' ? 0 : 1);
  });
});
