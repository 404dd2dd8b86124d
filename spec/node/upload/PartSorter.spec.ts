import { describe, expect, it } from 'vitest';
import { type HashedPart, PartSorter } from '../../../src/node/upload/PartSorter.js';

const placed = (index: number) => ({
  index,
  file: { path: '', name: `${index}`, contentType: 'image/png', key: '', stamp: { bytes: 1, modified: 0 } },
});
const shown = (parts: readonly HashedPart[]): string[] =>
  parts.map(({ index, total, files }) => `${index}/${total}: ${files.map(({ name }) => name).join('')}`);

describe('PartSorter', () => {
  it('hands over a part when its files are there, in their order', () => {
    const sorter = new PartSorter(5, 2);
    sorter.open();
    expect([1, 0, 2, 3, 4].map((index) => shown(sorter.add(placed(index))))).toEqual([[], ['1/3: 01'], [], ['2/3: 23'], ['3/3: 4']]);
  });

  it('hands over parts in their order', () => {
    const sorter = new PartSorter(3, 1);
    sorter.open();
    expect([1, 2, 0].map((index) => shown(sorter.add(placed(index))))).toEqual([[], [], ['1/3: 0', '2/3: 1', '3/3: 2']]);
  });

  it('keeps parts back until it is opened', () => {
    const sorter = new PartSorter(2, 1);
    expect(sorter.add(placed(0))).toEqual([]);
    expect(shown(sorter.open())).toEqual(['1/2: 0']);
    expect(shown(sorter.add(placed(1)))).toEqual(['2/2: 1']);
  });

  it('has one part without a size, and one of no files', () => {
    const sorter = new PartSorter(2);
    sorter.open();
    sorter.add(placed(1));
    expect(shown(sorter.add(placed(0)))).toEqual(['1/1: 01']);
    expect(shown(new PartSorter(0, 5).open())).toEqual(['1/1: ']);
  });
});
