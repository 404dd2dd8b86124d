import { describe, expect, it } from 'vitest';
import type { Ask } from '../../../src/pace/Limiter.js';
import { type Entry, Line } from '../../../src/pace/queue/Line.js';

/** A line, and a way to enter it by name. */
function lineOf() {
  const line = new Line('a line');
  const names = new Map<Entry, string>();
  let arrivals = 0;
  return {
    line,
    enter: (name: string, ask: Ask = {}, now = 0, lane = ''): Entry => {
      const entry = line.enter({ ask, granted: () => undefined, refused: () => undefined }, lane, now, arrivals++);
      names.set(entry, name);
      return entry;
    },
    namesOf: (entries: readonly Entry[]) => entries.map((entry) => names.get(entry)),
  };
}

describe('Line', () => {
  it('orders by 429s, then by priority, then by arrival', () => {
    const { line, enter, namesOf } = lineOf();
    enter('rejected twice', { rejections: 2, priority: 'interactive' });
    enter('background', { priority: 'background' });
    enter('first');
    enter('second', { priority: 'normal' });
    enter('interactive', { priority: 'interactive' });
    enter('rejected once', { rejections: 1, priority: 'background' });
    expect(namesOf(line.all())).toEqual(['interactive', 'first', 'second', 'background', 'rejected once', 'rejected twice']);
  });

  it('lets a low priority rise with its age', () => {
    const { line, enter, namesOf } = lineOf();
    enter('old background', { priority: 'background' }, 0);
    enter('normal', {}, 49_999);
    enter('late normal', {}, 50_001);
    enter('interactive', { priority: 'interactive' }, 59_999);
    enter('late interactive', { priority: 'interactive' }, 60_001);
    expect(namesOf(line.all())).toEqual(['normal', 'interactive', 'old background', 'late normal', 'late interactive']);
  });

  it('has a first for every lane, by the same order', () => {
    const { line, enter, namesOf } = lineOf();
    enter('a1', {}, 0, 'a');
    enter('a2', { priority: 'interactive' }, 0, 'a');
    enter('b1', { rejections: 1 }, 0, 'b');
    enter('b2', { rejections: 1 }, 0, 'b');
    expect(namesOf(line.firsts())).toEqual(['a2', 'b1']);
    expect(namesOf(line.all())).toEqual(['a2', 'a1', 'b1', 'b2']);
  });

  it('counts all lanes together', () => {
    const { line, enter } = lineOf();
    enter('a1', {}, 0, 'a');
    const b1 = enter('b1', {}, 0, 'b');
    const b2 = enter('b2', { rejections: 1 }, 0, 'b');
    expect([line.length, line.ahead(b1), line.ahead(b2)]).toEqual([3, 1, 2]);
  });

  it('counts those ahead: fewer 429s, or as many and no lower priority', () => {
    const { line, enter } = lineOf();
    const entries = [
      enter('interactive', { priority: 'interactive' }),
      enter('normal'),
      enter('another'),
      enter('background', { priority: 'background' }),
      enter('rejected', { rejections: 1, priority: 'interactive' }),
    ];
    expect(entries.map((entry) => line.ahead(entry))).toEqual([0, 2, 2, 3, 4]);
  });

  it('forgets who leaves, from the front and from the middle', () => {
    const { line, enter, namesOf } = lineOf();
    const [first, second, third] = [enter('first'), enter('second'), enter('third'), enter('fourth')];
    line.leave(first);
    line.leave(third);
    expect([line.length, namesOf(line.firsts()), namesOf(line.all()), line.ahead(second)]).toEqual([
      2,
      ['second'],
      ['second', 'fourth'],
      1,
    ]);
    line.leave(second);
    expect(namesOf(line.firsts())).toEqual(['fourth']);
  });

  it('has no first where all have left', () => {
    const { line, enter } = lineOf();
    line.leave(enter('only', {}, 0, 'a'));
    expect([line.length, line.firsts(), line.all()]).toEqual([0, [], []]);
  });

  it('keeps nothing of lanes that are empty, however many there were', () => {
    const { line, enter, namesOf } = lineOf();
    enter('stays', {}, 0, 'a lane');
    for (let n = 0; n < 10_000; n++) line.leave(enter('gone', {}, 0, `lane ${n}`));
    enter('comes', {}, 0, 'lane 0');
    expect(namesOf(line.firsts())).toEqual(['stays', 'comes']);
  });

  it('tells when the deadline or maxWait is over, whichever is sooner', () => {
    const { enter } = lineOf();
    const bounds = [{}, { maxWait: 5 }, { deadline: 7 }, { maxWait: 5, deadline: 7 }, { maxWait: 5, deadline: 103 }];
    expect(bounds.map((ask) => enter('', ask, 100)).map(({ until, ends }) => [until, ends])).toEqual([
      [Infinity, Infinity],
      [105, 105],
      [Infinity, 7],
      [105, 7],
      [105, 103],
    ]);
  });
});
