import { describe, expect, it } from 'vitest';
import { projectOf } from './support/projects.js';
import { filesIn, readSource } from './support/sources.js';

/** Modules by which a spec leaves virtual time: sockets, processes, browsers. */
const REAL =
  /^(node:(child_process|cluster|dgram|https?|http2|net|tls|worker_threads)|playwright-core|redis|ioredis|coldfetch\/server|src\/server\/(startServer|index)\.ts)$/;

/** Path by which a spec, or a helper that it imports, leaves virtual time. */
function wayOut(file: string, seen = new Set<string>()): string | undefined {
  seen.add(file);
  const { imports, calls } = readSource(file);
  const timer = ['setTimeout', 'setInterval'].find((name) => calls.has(name));
  if (timer !== undefined) return `${file} -> ${timer}`;
  for (const { target, isType } of imports) {
    if (isType || seen.has(target)) continue;
    if (REAL.test(target)) return `${file} -> ${target}`;
    const further = target.startsWith('spec/') && target.endsWith('.ts') ? wayOut(target, seen) : undefined;
    if (further !== undefined) return `${file} -> ${further}`;
  }
  return undefined;
}

describe('a spec of the project unit', () => {
  it('needs no socket, no process, no browser and no real timer', { timeout: 60_000 }, () => {
    const specs = filesIn('spec').filter((file) => file.endsWith('.spec.ts') && projectOf(file) === 'unit');
    const ways = specs.map((file) => wayOut(file)).filter((way) => way !== undefined);
    expect(ways, 'A spec that leaves virtual time is named *.sockets.spec.ts').toEqual([]);
  });
});
