import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/run.js';
import { folderOf } from '../../support/folderOf.js';
import { worldOf } from '../support.js';

/** A host that no resolver knows: its label is longer than DNS has them, so that none is asked. */
const NOWHERE = `http://${'a'.repeat(64)}.invalid`;

describe('a name that is not resolved', () => {
  it.each([
    ['get', (_folder: string) => ['get', `${NOWHERE}/`]],
    ['put', (folder: string) => ['put', folder, `${NOWHERE}/{name}`]],
    ['upload', (folder: string) => ['upload', folder, '--api', `${NOWHERE}/`, '--token', 'x', '--commit', 'c'.repeat(40), '--branch', 'b']],
  ])('is waited for by a rule of its own, by %s', async (_command, argvFor) => {
    const stop$ = new Subject<'SIGINT'>();
    const { io, stdout } = worldOf({ stop$ });
    io.stdout.on('data', () => stdout().includes('"wait"') && stop$.next('SIGINT'));
    expect(await run([...argvFor(await folderOf({ 'a.png': 'a' })), '--json'], io)).toBe(130);
    const events = stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(events).toContainEqual(expect.objectContaining({ type: 'wait', kind: 'unresolved', delay: 1000 }));
  });
});
