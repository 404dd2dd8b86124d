import { renderSvg } from 'coldfetch/timeline';
import { describe, expect, it } from 'vitest';
import { drawSteps } from '../../../src/timeline/svg/drawRow.js';
import { linearScale } from '../../../src/timeline/svg/linearAxis.js';
import type { TimelineRequest } from '../../../src/timeline/TimelineData.js';

const request = (steps: TimelineRequest['steps'] = []): TimelineRequest => ({
  ...{ label: 'a.png', start: 0, end: 100, attempts: [], waits: [], outcome: { type: 'aborted' }, steps },
});

describe('drawSteps', () => {
  it('draws a bar for each step, and keeps a short one in sight', () => {
    const bars = drawSteps(
      request([
        { name: 'hash', start: 10, end: 40 },
        { name: 'permit', start: 40, end: 40 },
      ]),
      linearScale(0, 100, 200),
      10,
    );
    expect(bars).toEqual([
      '<g><title>hash: from 10 ms, took 30 ms</title><rect class="step hash" x="20" y="7" width="60" height="6" rx="1"/></g>',
      '<g><title>permit: from 40 ms, took 0 s</title><rect class="step permit" x="80" y="7" width="2" height="6" rx="1"/></g>',
    ]);
  });

  it('gives a step of a foreign name a common colour, and lets nothing of the name out of its text', () => {
    const [bar] = drawSteps(request([{ name: '"><x>', start: 0, end: 1 }]), linearScale(0, 1, 9), 10);
    expect(bar).toContain('class="step other"');
    expect(bar).not.toContain('<x>');
  });

  it('is a part of pictures, with a legend, only where there are steps', () => {
    const timeline = (steps?: TimelineRequest['steps']) => ({ began: 0, end: 100, requests: [request(steps)] });
    expect(renderSvg(timeline([{ name: 'hash', start: 10, end: 40 }]))).toMatch(/\.step\.hash\{.*read and hashed/s);
    expect(renderSvg(timeline())).not.toContain('.step.');
  });
});
