import { STATUS_CODES } from 'node:http';
import type { Outcome } from './playScenario.js';
import type { Played } from './playScenarios.js';
import { type Scenario, STATUSES, type Step, STEPS, type StepName } from './scenarios.js';

const FAULTS: Readonly<Record<string, string>> = {
  untrusted: 'TLS, an unknown authority',
  withoutTls: 'TLS, where the server speaks none',
  closed: 'connection refused',
};

/** Tables of what a user sees, one for each step, in Markdown: the faults that have the same outcome are one row. */
export function faultTables(played: readonly Played[]): string {
  return (Object.keys(STEPS) as StepName[])
    .map((name) =>
      tableOf(
        name,
        played.filter(({ scenario }) => scenario.step === name),
      ),
    )
    .join('\n\n');
}

function tableOf(name: StepName, played: readonly Played[]): string {
  const faults = new Map<string, Scenario[]>();
  for (const { scenario, outcome } of played) {
    const row = outcomeCells(scenario, outcome);
    faults.set(row, [...(faults.get(row) ?? []), scenario]);
  }
  const { name: title }: Step = STEPS[name];
  const rows = [...faults].map(([row, scenarios]) => `| ${faultNames(scenarios)} | ${row} |`);
  return [`## ${title}`, '', '| fault | error output | exit code | builds |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** Cells of a row behind the names of its faults: what the user sees, the exit code, the builds. */
export function outcomeCells({ fault }: Scenario, { code, said, builds }: Outcome): string {
  const status = typeof fault === 'number' ? `${fault} ${STATUS_CODES[fault]}` : undefined;
  const text = status === undefined ? said : said.replaceAll(status, 'STATUS');
  const lines = text.split('\n').filter((line) => line !== '');
  const cell = lines.map((line) => `\`${line.replaceAll('|', '\\|')}\``).join('<br>');
  const made = builds.map(({ finalized }) => (finalized ? 'complete' : 'open'));
  return [cell === '' ? 'nothing' : cell, code, made.length === 0 ? 'none' : made.map((state) => `one, ${state}`).join(' and ')].join(
    ' | ',
  );
}

function faultNames(scenarios: readonly Scenario[]): string {
  const lasting = scenarios.filter(({ isOnce }) => !isOnce).map(({ fault }) => fault);
  const once = scenarios.filter(({ isOnce }) => isOnce).map(({ fault }) => `${fault} once`);
  const names = lasting.filter((fault) => typeof fault === 'string').map((fault) => FAULTS[fault] ?? fault);
  return [...names, ...ranges(lasting.filter((fault) => typeof fault === 'number')), ...once].join(', ');
}

/** Statuses in order, with three or more that follow each other as a range. */
function ranges(statuses: readonly number[]): readonly string[] {
  const runs: number[][] = [];
  for (const status of statuses) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last !== undefined && STATUSES.indexOf(status) === STATUSES.indexOf(last) + 1) run.push(status);
    else runs.push([status]);
  }
  return runs.flatMap((run) => (run.length > 2 ? [`${run[0]} to ${run.at(-1)}`] : run.map(String)));
}
