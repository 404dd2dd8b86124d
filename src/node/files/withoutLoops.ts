import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * File names below a folder, without those that loops of symbolic links add: each file of a folder in a loop is listed once, under the name
 * that leads there without links, else under the first. Links that are in no loop keep their names.
 *
 *     a.png  self/a.png  self/b/c.png  b/c.png  d/c.png       a.png  b/c.png  d/c.png        (self leads to ., d to b)
 *
 * @param names below the folder, with `/`
 */
export async function withoutLoops(folder: string, names: readonly string[]): Promise<string[]> {
  const root = await realpath(folder);
  const chains = new Map<string, readonly string[]>([['.', [root]]]);
  for (const dir of new Set(names.map((name) => dirname(name)))) await addChain(chains, folder, dir);
  const looped = new Set([...chains.values()].flatMap(loopIn));
  if (looped.size === 0) return [...names];

  const chosen = new Map<string, string>();
  for (const [dir, chain] of chains) {
    const target = targetOf(chain);
    if (loopIn(chain).length > 0 || !looped.has(target)) continue;
    if (!chosen.has(target) || target === join(root, dir)) chosen.set(target, dir);
  }
  return names.filter((name) => {
    const dir = dirname(name);
    const chain = chains.get(dir) ?? [];
    return loopIn(chain).length === 0 && (chosen.get(targetOf(chain)) ?? dir) === dir;
  });
}

/** Adds the real paths of a folder and of those above it, up to the root. */
async function addChain(chains: Map<string, readonly string[]>, folder: string, dir: string): Promise<readonly string[]> {
  const known = chains.get(dir);
  if (known) return known;
  const above = await addChain(chains, folder, dirname(dir));
  const chain = [...above, await realpath(join(folder, dir))];
  chains.set(dir, chain);
  return chain;
}

/** The folders between two visits of the same folder, that folder included; empty without a loop. */
function loopIn(chain: readonly string[]): readonly string[] {
  const end = chain.findIndex((path, index) => chain.indexOf(path) < index);
  const path = chain[end];
  return path === undefined ? [] : chain.slice(chain.indexOf(path), end);
}

function targetOf(chain: readonly string[]): string {
  return chain.at(-1) ?? '';
}
