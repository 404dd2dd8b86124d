import { describe, expect, it } from 'vitest';
import { circlesIn } from './support/circles.js';
import { filesIn, readSource } from './support/sources.js';

type Graph = Map<string, Set<string>>;

const files = filesIn('src');

/** Imports among the files of `folder`, types included; each folder in it is one node. */
function importsIn(folder: string): Graph {
  const nodeOf = (file: string): string => file.slice(folder.length + 1).split('/')[0] ?? '';
  const graph: Graph = new Map();
  for (const file of files.filter((path) => path.startsWith(`${folder}/`))) {
    const targets = graph.get(nodeOf(file)) ?? new Set();
    graph.set(nodeOf(file), targets);
    for (const { target } of readSource(file).imports) {
      if (target.startsWith(`${folder}/`) && nodeOf(target) !== nodeOf(file)) targets.add(nodeOf(target));
    }
  }
  return graph;
}

/** Folders from `src` downwards. */
const folders = new Set(files.flatMap((file) => foldersOf(file)));

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

describe('no circle of imports', () => {
  it('is among files, types included', () => {
    const graph: Graph = new Map(files.map((file) => [file, new Set(readSource(file).imports.map(({ target }) => target))]));
    expect(circlesIn(graph)).toEqual([]);
  });

  it.each([...folders])('is among the files and folders of %s', (folder) => {
    expect(circlesIn(importsIn(folder))).toEqual([]);
  });
});

describe('circlesIn', () => {
  it('finds each circle once', () => {
    const graph = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c', 'd'])],
      ['c', new Set(['a'])],
      ['d', new Set(['e'])],
      ['e', new Set(['d'])],
      ['f', new Set(['a', 'd'])],
    ]);
    expect(circlesIn(graph)).toEqual([
      ['d', 'e'],
      ['a', 'b', 'c'],
    ]);
  });

  it('finds none in a tree', () => {
    expect(
      circlesIn(
        new Map([
          ['a', new Set(['b', 'c'])],
          ['b', new Set(['c'])],
        ]),
      ),
    ).toEqual([]);
  });
});
