import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer } from 'coldfetch/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { coldfetch } from '../cli/support.js';
import { folderOf, SOURCE } from '../node/support.js';

const GUIDE = await readFile(new URL('uploads-in-ci.md', import.meta.url), 'utf8');

/** Words that are code in the section of an event. */
const documented = (type: string): string[] => {
  const [, section = ''] = new RegExp(`^### ${type}\\n(.*?)(?=^### |$(?![\\s\\S]))`, 'ms').exec(GUIDE) ?? [];
  return [...section.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);
};

describe('the guide of uploads in CI', () => {
  it('describes each field of each event in the log', async () => {
    const bad = createHash('sha256').update('bad').digest('hex');
    const server = await startServer({
      flaky: { routes: [`POST /storage/${bad}`, 'PUT /v2/builds/*'], failures: 9, status: 501 },
      // Two files that come together cannot both be in one window, at whatever time they come.
      limit: { requests: 1, windowMs: 1_000, routes: 'all', announced: true },
    });
    onTestFinished(() => server.close());
    const folder = await folderOf({ 'a.png': 'a', 'b.png': 'bad' });
    const argv = ['--api', server.apiUrl, '--token', 'x', '--commit', SOURCE.commit, '--branch', SOURCE.branch];
    await coldfetch(['upload', folder, ...argv, '--log', 'log.jsonl'], { cwd: folder });
    await coldfetch(['upload', await folderOf({ 'a.png': 'a' }), '--embedded', '--log', 'fine.jsonl'], { cwd: folder });
    await coldfetch(['upload', '/nowhere', '--embedded', '--log', 'error.jsonl'], { cwd: folder });
    const logs = await Promise.all(['log', 'fine', 'error'].map((name) => readFile(join(folder, `${name}.jsonl`), 'utf8')));
    const events = logs.flatMap((log) =>
      log
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string }),
    );
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['start', 'hashed', 'created', 'progress', 'wait', 'done', 'failed', 'completed', 'summary', 'end']),
    );
    const missing = events.flatMap(({ type, ...fields }) =>
      Object.keys(fields)
        .filter((field) => field !== 'time' && !documented(type).includes(field))
        .map((field) => `${type}.${field}`),
    );
    expect([...new Set(missing)]).toEqual([]);
  });

  it('names options that exist', async () => {
    const helps = await Promise.all(['upload', 'finalize'].map((command) => coldfetch([command, '--help'])));
    const help = helps.map(({ stdout }) => stdout).join('');
    for (const [option] of GUIDE.matchAll(/--[a-z][a-z-]+/g)) expect(help).toContain(option);
  });
});
