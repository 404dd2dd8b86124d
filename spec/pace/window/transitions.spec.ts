import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nextPhase, type Phase, TRANSITIONS } from '../../../src/pace/window/transitions.js';

const phases: readonly Phase[] = ['unpaced', 'probe', 'share', 'reclaim', 'trickle'];

describe('the phases of a window', () => {
  it('go from the probe to the share, and with the next window to the probe again', () => {
    expect(nextPhase('unpaced', 'used up')).toBe('probe');
    expect(nextPhase('probe', 'ranked')).toBe('share');
    expect(nextPhase('share', 'leftover')).toBe('reclaim');
    expect(nextPhase('reclaim', 'used up')).toBe('probe');
  });

  it('leave out the share where there is nobody to share with', () => {
    for (const phase of phases) expect(nextPhase(phase, 'used up alone')).toBe('trickle');
  });

  it('share only after a probe with a rank', () => {
    const before = phases.flatMap((phase) => Object.values(TRANSITIONS).flatMap((next) => (next[phase] === 'share' ? [phase] : [])));
    expect(before).toEqual(['probe']);
  });

  it('stay as they are where an event does not concern them', () => {
    expect([nextPhase('share', 'late'), nextPhase('trickle', 'ranked')]).toEqual(['share', 'trickle']);
  });

  it('are told by the README as they are', () => {
    const page = readFileSync(new URL('../../../src/pace/window/README.md', import.meta.url), 'utf8');
    const cells = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
    const told = cells.flatMap(([, event = '', ...next]) => (event in TRANSITIONS ? [[event, ...next.slice(0, phases.length)]] : []));
    const held = Object.entries(TRANSITIONS).map(([event, next]) => [event, ...phases.map((phase) => next[phase] ?? '')]);
    expect(told).toEqual(held);
  });
});
