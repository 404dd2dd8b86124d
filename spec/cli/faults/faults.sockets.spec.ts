import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { outcomeCells } from './faultTables.js';
import { GUIDE } from './guide.js';
import { type Outcome, TOKEN } from './playScenario.js';
import { type Played, playScenarios } from './playScenarios.js';
import { SCENARIOS, STEPS, titleOf } from './scenarios.js';

/** Statuses with which something of their own is done, and two of the many others. */
const STATUSES = [400, 401, 403, 404, 407, 408, 409, 413, 429, 500, 503];

let played: readonly Played[];

/** Titles of the scenarios whose outcome is as said. */
function those(isSo: (outcome: Outcome, scenario: Played['scenario']) => boolean): string[] {
  return played.filter(({ outcome, scenario }) => isSo(outcome, scenario)).map(({ scenario }) => titleOf(scenario));
}

describe('an upload whose network or server fails', () => {
  // Each proxy ends only when its connections are idle: one that a command has left open would keep it for ever.
  beforeAll(async () => {
    played = await playScenarios(SCENARIOS.filter(({ fault }) => typeof fault !== 'number' || STATUSES.includes(fault)));
  });

  it('makes no second build', () => {
    expect(those(({ builds }) => builds.length > 1)).toEqual([]);
  });

  it('completes a build with all of its files, or not at all', () => {
    expect(
      those(({ builds }) => builds.some(({ finalized, skipped, screenshots }) => finalized && !skipped && screenshots.length !== 2)),
    ).toEqual([]);
  });

  it('exits with 0 only where everything has arrived', () => {
    const isDone = ({ builds, arrived }: Outcome): boolean => arrived.length === 2 || builds.some(({ skipped }) => skipped);
    // To a storage each 200 is a success.
    const isTold = (title: string): boolean => title === 'put: a page of HTML';
    expect(those((outcome) => outcome.code === 0 && !isDone(outcome)).filter((title) => !isTold(title))).toEqual([]);
  });

  it('succeeds after a fault that comes once, wherever a repetition is safe', () => {
    expect(those(({ code }, { step, isOnce }) => isOnce && code !== 0 && step !== 'create' && step !== 'skip')).toEqual([]);
  });

  it('says in a line why it failed, and nothing where it did not', () => {
    expect(those(({ code, said }) => (code === 0) !== (said === ''))).toEqual([]);
    expect(those(({ said }) => /^(?!coldfetch: |failed: |build ID |not all arrived)/m.test(said.trimEnd()) && said !== '')).toEqual([]);
  });

  it('leaves no file open, and shows no token', () => {
    expect(those(({ open }) => open.length > 0)).toEqual([]);
    expect(those(({ said }) => said.includes(TOKEN))).toEqual([]);
  });

  it('says what the guide says', async () => {
    const sections = (await readFile(GUIDE, 'utf8')).replace(/ +/g, ' ').split(/^## /m);
    const isInGuide = ({ scenario, outcome }: Played): boolean =>
      sections.some((text) => text.startsWith(`${STEPS[scenario.step].name}\n`) && text.includes(`| ${outcomeCells(scenario, outcome)} |`));
    const others = played.filter((each) => !isInGuide(each));
    expect(others.map(({ scenario, outcome }) => `${titleOf(scenario)}: ${outcome.said}`)).toEqual([]);
  });
});
