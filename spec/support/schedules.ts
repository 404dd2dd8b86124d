import type { PolicyName } from 'coldfetch';
import table from '../vectors/schedules.json' with { type: 'json' };

/** Reaction of the server to one request of a schedule. */
export interface ScheduleStep {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly network?: true;
  readonly hang?: true;
}

/** A row of the table: a script of answers, and what a policy makes of it. Times are ms. */
export interface Schedule {
  readonly name: string;
  readonly policy: PolicyName;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Number that `policy.random` returns. */
  readonly random: number;
  /** Moment at which the caller's signal aborts; -1: before the start. */
  readonly abortAt?: number;
  readonly script: readonly ScheduleStep[];
  readonly expect: {
    readonly hits: readonly number[];
    readonly end: number;
    readonly status?: number;
    readonly error?: number;
    readonly reason?: string;
    readonly aborted?: true;
  };
}

/** The table `spec/vectors/schedules.json`. */
export const schedules = table.cases as readonly Schedule[];

/** True if a row's server announces that its quota is used up: a client with a pacer then opens at a moment of its own, within one slot. */
export function announces({ script }: Pick<Schedule, 'script'>): boolean {
  return script.some(({ headers = {} }) => headers['x-ratelimit-remaining'] === '0');
}
