import { describe, expect, it } from 'vitest';
import { RecentMap } from '../../src/pace/RecentMap.js';

describe('RecentMap', () => {
  it('keeps the entries used last, and says which it drops', () => {
    const dropped: string[] = [];
    const map = new RecentMap<string>(2, (value) => dropped.push(value));
    for (const key of ['a', 'b', 'a', 'a', 'c', 'd', 'c', 'e']) map.use(key, key);
    expect(dropped).toEqual(['b', 'a', 'd']);
    expect([...map.values()]).toEqual(['c', 'e']);
  });

  it('does not count looking as use', () => {
    const map = new RecentMap<number>(2);
    map.use('a', 1);
    map.use('b', 2);
    expect(map.get('a')).toBe(1);
    map.use('c', 3);
    expect(map.get('a')).toBeUndefined();
  });

  it('forgets what is deleted, and takes it anew', () => {
    const map = new RecentMap<number>(2);
    map.use('a', 1);
    map.delete('a');
    expect(map.get('a')).toBeUndefined();
    map.use('b', 2);
    map.use('a', 3);
    expect([...map.values()]).toEqual([2, 3]);
  });
});
