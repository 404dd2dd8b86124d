import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failureOf.js';
import { withTable } from './guideTable.js';
import type { Row, Section } from './Section.js';

const row = (title: string): Row => ({ title, run: () => Promise.resolve({ cells: [], failures: [] }) });
const section: Section = { name: 'runtimes', columns: ['runtime', 'checks'], rows: [row('Node 20'), row('Bun'), row('Deno')] };
const guide = (lines: readonly string[]): string =>
  ['before', '<!-- runtimes -->', ...lines, '<!-- end of runtimes -->', 'after'].join('\n');

describe('withTable', () => {
  it('writes the rows that were tried in the order of their section', () => {
    const tried = new Map([
      ['Deno', ['9']],
      ['Node 20', ['10']],
    ]);
    expect(withTable(guide([]), section, tried)).toBe(
      guide(['', '| runtime | checks |', '| --- | --- |', '| Node 20 | 10 |', '| Deno | 9 |', '']),
    );
  });

  it('keeps rows that were not tried, drops those that are no longer there, and is the same when written again', () => {
    const earlier = guide(['', '| runtime | checks |', '| ------- | ------ |', '| Node 18 | 7      |', '| Bun     | 8      |', '']);
    const once = withTable(earlier, section, new Map([['Node 20', ['10']]]));
    expect(once).toBe(guide(['', '| runtime | checks |', '| --- | --- |', '| Node 20 | 10 |', '| Bun | 8 |', '']));
    expect(withTable(once, section, new Map())).toBe(once);
  });

  it('says where a table has no place', () => {
    expect(failureOf(() => withTable('', section, new Map())).message).toContain('has no <!-- runtimes -->');
  });
});
