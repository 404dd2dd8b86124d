import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heap } from '../../../src/pace/queue/Heap.js';
import { forAll } from '../../support/forAll.js';

const ascending = (a: number, b: number): boolean => a < b;

describe('Heap', () => {
  it('gives the first of what is in it, whatever came and went', () => {
    const step = fc.oneof(
      fc.integer().map((push) => ({ push })),
      fc.constant('pop' as const),
      fc.constant('drop odd' as const),
    );
    forAll(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const heap = new Heap(ascending);
        let model: number[] = [];
        for (const each of steps) {
          if (each === 'pop') {
            expect(heap.pop()).toBe(model.shift());
          } else if (each === 'drop odd') {
            heap.keep((item) => item % 2 === 0);
            model = model.filter((item) => item % 2 === 0);
          } else {
            heap.push(each.push);
            model = [...model, each.push].sort((a, b) => a - b);
          }
          expect([heap.peek(), heap.size, heap.sorted()]).toEqual([model[0], model.length, model]);
        }
      }),
    );
  });
});
