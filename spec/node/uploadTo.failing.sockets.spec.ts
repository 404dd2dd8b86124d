import { createHash } from 'node:crypto';
import { isUsageError } from 'coldfetch';
import { type PreparedUpload, screenshots, type UploadFile, type UploadOptions, type UploadTarget, uploadTo } from 'coldfetch/node';
import { EMPTY, finalize, NEVER, of, Subject, throwError } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { all } from '../support/all.js';
import { errorOf } from '../support/errorOf.js';
import { folderOf } from '../support/folderOf.js';
import { longTimers } from '../support/longTimers.js';
import { buildApi, only, upload } from './support.js';

const RESPONSE = { type: 'response', attempt: 1, status: 200, headers: new Headers(), url: '', body: null } as const;

/** A target at which files whose names begin with `bad` fail; `sent` notes the others, `completed` the names that it is told at the end. */
function picky(
  send: UploadTarget<undefined>['send'] = ({ name }) => (name.startsWith('bad') ? throwError(() => new Error('no')) : of(RESPONSE)),
) {
  const sent: string[] = [];
  const completed: string[] = [];
  const target: UploadTarget<undefined> = {
    addressing: 'name',
    prepare: ({ images }) =>
      of<PreparedUpload<undefined>>({
        type: 'prepared',
        build: { id: 'b', url: '' },
        permits: new Map(images.map(({ name }) => [name, undefined])),
      }),
    send: (file: UploadFile, permit: undefined) => {
      sent.push(file.name);
      return send(file, permit);
    },
    complete: ({ files }) => {
      completed.push(...files.map(({ name }) => name));
      return of(RESPONSE);
    },
  };
  return { target, sent, completed };
}

async function run({ target }: ReturnType<typeof picky>, names: readonly string[], options: UploadOptions) {
  const folder = await folderOf(Object.fromEntries(names.map((name) => [name, name])));
  return all(uploadTo(target, screenshots(folder), { concurrency: 1, ...options }));
}

describe('uploadTo, where files fail', () => {
  it('sends the others, and completes nothing', async () => {
    const to = picky();
    const events = await run(to, ['a.png', 'bad.png', 'c.png'], {});
    expect([to.sent, to.completed]).toEqual([['a.png', 'bad.png', 'c.png'], []]);
    expect(only(events, 'summary')).toMatchObject([{ completed: false, arrived: 2, failed: 1 }]);
    expect(only(events, 'summary')[0]).not.toHaveProperty('stopped');
  });

  it.each([
    [1, ['a.png', 'bad1.png'], 1],
    [2, ['a.png', 'bad1.png', 'bad2.png'], 2],
  ])('stops at %d failures where they are the most', async (maxFailures, sent, failed) => {
    const to = picky();
    const events = await run(to, ['a.png', 'bad1.png', 'bad2.png', 'c.png'], { maxFailures, allowMissing: true });
    expect([to.sent, to.completed]).toEqual([sent, []]);
    expect(only(events, 'failed')).toHaveLength(failed);
    expect(events.at(-1)).toMatchObject({ type: 'summary', completed: false, stopped: 'max-failures', failed });
  });

  it('stops the requests that are under way', async () => {
    let stopped = 0;
    const hanging$ = NEVER.pipe(finalize(() => stopped++));
    const to = picky(({ name }) => (name === 'z.png' ? throwError(() => new Error('no')) : hanging$));
    await run(to, ['a.png', 'b.png', 'z.png'], { maxFailures: 1, concurrency: 3 });
    expect(stopped).toBe(2);
  });

  it('completes without them where they may be missing', async () => {
    const to = picky();
    const events = await run(to, ['a.png', 'bad.png', 'c.png'], { allowMissing: true });
    expect(to.completed).toEqual(['a.png', 'c.png']);
    expect(events.at(-1)).toMatchObject({ completed: true, arrived: 2, failed: 1 });
  });

  it('does not complete an upload of which nothing arrived', async () => {
    const to = picky();
    const events = await run(to, ['bad.png'], { allowMissing: true });
    expect([to.completed, events.at(-1)]).toMatchObject([[], { completed: false, failed: 1 }]);
  });

  it('stops when the deadline passes, and says so in the summary', async () => {
    let sending = 0;
    let stopped = 0;
    const to = picky(() => {
      if (++sending === 2) setImmediate(() => vi.advanceTimersByTime(3_600_000));
      return NEVER.pipe(finalize(() => stopped++));
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const events = await run(to, ['a.png', 'b.png'], { deadline: 3_600_000, concurrency: 2 });
    expect([stopped, to.completed]).toEqual([2, []]);
    expect(events.at(-1)).toMatchObject({ type: 'summary', completed: false, stopped: 'deadline', arrived: 0, failed: 0 });
  });

  it('stops when abort$ emits, with what is on its way, and says so in the summary', async () => {
    const abort$ = new Subject<void>();
    let stopped = 0;
    const to = picky(({ name }) => {
      if (name === 'a.png') return of(RESPONSE);
      if (name === 'c.png') setImmediate(() => abort$.next());
      return NEVER.pipe(finalize(() => stopped++));
    });
    const events = await run(to, ['a.png', 'b.png', 'c.png', 'd.png'], { abort$, concurrency: 2, allowMissing: true });
    expect([stopped, to.sent, to.completed, abort$.observed]).toEqual([2, ['a.png', 'b.png', 'c.png'], [], false]);
    expect(events.at(-1)).toMatchObject({ type: 'summary', completed: false, stopped: 'aborted', arrived: 1, failed: 0 });
  });

  it('sends nothing where abort$ has emitted already, and is not stopped by its end', async () => {
    const to = picky();
    expect(await run(to, ['a.png'], { abort$: of(1) })).toMatchObject([{ type: 'summary', stopped: 'aborted', files: 0 }]);
    expect([to.sent, (await run(to, ['a.png'], { abort$: EMPTY })).at(-1)]).toMatchObject([['a.png'], { completed: true }]);
  });

  it('leaves no timer of the deadline behind', async () => {
    const to = picky();
    const timers = longTimers();
    await run(to, ['a.png'], { deadline: 3_600_000 });
    expect(timers.size).toBe(0);
  });

  it.each<[UploadOptions, string]>([
    [{ maxFailures: 0 }, 'maxFailures is 0; give a whole number of files, 1 or more'],
    [{ deadline: 0 }, 'deadline is 0; give milliseconds, more than 0'],
    [{ deadline: NaN }, 'deadline is NaN'],
    [{ allowMissing: 'yes' as never }, "allowMissing is 'yes'; give true or false"],
    [{ abort$: 1 as never }, 'abort$ is 1; give an observable'],
    [{ journal: '' }, "journal is ''; give the path of a file"],
  ])('refuses %j', async (options, message) => {
    const error = await errorOf(uploadTo(picky().target, [], options));
    expect(isUsageError(error) && error.message).toContain(message);
  });
});

describe('uploadBuild, where files may be missing', () => {
  it('completes the build with the names that arrived', async () => {
    const bad = createHash('sha256').update('bad').digest('hex');
    const { server, http } = await buildApi({ flaky: { routes: `POST /storage/${bad}`, failures: 9 } });
    const folder = await folderOf({ 'a.png': 'a', 'b.png': 'bad' });
    const events = await upload(http, folder, { allowMissing: true, retry: { rules: {} } });
    expect(server.builds).toMatchObject([{ finalized: true, screenshots: [{ name: 'a.png' }] }]);
    expect(only(events, 'failed')).toMatchObject([{ path: 'b.png', remedy: expect.stringMatching(/^the server failed: upload again/) }]);
  });
});
