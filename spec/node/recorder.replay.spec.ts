import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { from, lastValueFrom, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { recorder } from '../../src/node/recorder.js';
import { isBodyError } from '../../src/request/errors/BodyError.js';
import { isUsageError } from '../../src/request/errors/UsageError.js';
import type { FetchLike } from '../../src/request/FetchLike.js';
import { coldFetch } from '../../src/transport/coldFetch.js';
import { answering, offline, recordingFolder, rejectionOf, USERS } from './recorder.support.js';

describe('recorder', () => {
  const raw = recordingFolder();

  describe('replay', () => {
    it('is strict: what was not recorded is an error that names the nearest recording', async () => {
      for (const url of ['https://api.example/v1/orders?page=2', USERS, 'https://other.example/v1/users?page=2']) {
        await (await recorder(raw.path, { fetch: answering('x') })(url)).text();
      }
      const error = await rejectionOf(
        recorder(raw.path, { mode: 'replay', fetch: offline })('https://api.example/v1/users?page=3&token=secret'),
      );
      expect(isUsageError(error)).toBe(true);
      expect((error as Error).message).toBe(
        `GET https://api.example/v1/users?page=3&token=REDACTED was not recorded in ${raw.path}; the nearest is GET ${USERS}. Record it, or use mode: 'fill'`,
      );
    });

    it('says when there is no recording at all', async () => {
      expect(await rejectionOf(recorder(raw.path, { mode: 'replay' })(USERS))).toMatchObject({
        message: expect.stringContaining('there are no recordings'),
      });
    });

    it('restores URL and redirects', async () => {
      const response = Object.defineProperties(new Response('x'), {
        url: { value: 'https://api.example/moved' },
        redirected: { value: true },
      });
      const recorded = await recorder(raw.path, { fetch: () => of(response) })(USERS);
      await recorded.text();
      const replayed = await recorder(raw.path, { mode: 'replay' })(USERS);
      for (const { url, redirected } of [recorded, replayed])
        expect({ url, redirected }).toEqual({ url: 'https://api.example/moved', redirected: true });
    });

    it('restores a URL with its secrets', async () => {
      const url = 'https://api.example/?key=secret';
      await (await recorder(raw.path, { fetch: () => of(Object.defineProperty(new Response('x'), 'url', { value: url })) })(url)).text();
      expect((await recorder(raw.path, { mode: 'replay' })(url)).url).toBe(url);
    });

    it("is stopped by a signal, with the signal's reason", async () => {
      await (await recorder(raw.path, { fetch: answering('x') })(USERS)).text();
      const reason = new Error('stopped');
      expect(await rejectionOf(recorder(raw.path, { mode: 'replay' })(USERS, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    });

    it('says that a body is lost', async () => {
      await (await recorder(raw.path, { fetch: answering('x') })(USERS)).text();
      unlinkSync(join(raw.path, raw.files()[0] ?? ''));
      const replayed = await recorder(raw.path, { mode: 'replay' })(USERS);
      expect(isBodyError(await rejectionOf(replayed.text()))).toBe(true);
    });

    it('serves as the fetch of coldFetch', async () => {
      await (await recorder(raw.path, { fetch: answering('[1,2]') })(USERS)).text();
      const fetch = recorder(raw.path, { mode: 'replay' });
      expect(await lastValueFrom(coldFetch(USERS, { fetch, selector: (response) => response.json() }))).toEqual([1, 2]);
      expect(await rejectionOf(lastValueFrom(coldFetch('https://api.example/none', { fetch })))).toSatisfy(isUsageError);
    });
  });

  describe("answers: 'all'", () => {
    const answers = 'all';
    /** Answers in turn; an Error fails. */
    const inTurn = (...turns: readonly (string | Error)[]): FetchLike => {
      const left = [...turns];
      return () => {
        const next = left.shift() ?? 'no more';
        return typeof next === 'string' ? of(new Response(next, { status: next === 'busy' ? 503 : 200 })) : throwError(() => next);
      };
    };
    const readAll = async (fetch: FetchLike, times: number): Promise<string[]> => {
      const read: string[] = [];
      for (let i = 0; i < times; i++) read.push(await (await lastValueFrom(from(fetch(USERS, {})))).text());
      return read;
    };

    it('replays each in its turn, failures too, and no more', async () => {
      const three = ['busy', 'pending', 'done'];
      await readAll(recorder(raw.path, { answers, fetch: inTurn(...three) }), 3);
      const replay = recorder(raw.path, { answers, mode: 'replay' });
      expect(await readAll(replay, 3)).toEqual(three);
      expect(await rejectionOf(replay(USERS))).toMatchObject({
        message: `GET ${USERS} was recorded 3 times in ${raw.path}, and is asked for once more. Record it again, or use mode: 'fill'`,
      });
      expect(await readAll(recorder(raw.path, { answers, mode: 'replay' }), 1)).toEqual(['busy']);
    });

    it('has no place for a request that failed', async () => {
      const fetch = recorder(raw.path, { answers, fetch: inTurn(new Error('lost'), 'fine') });
      expect(await rejectionOf(fetch(USERS))).toMatchObject({ message: 'lost' });
      await (await fetch(USERS)).text();
      expect(await readAll(recorder(raw.path, { answers, mode: 'replay' }), 1)).toEqual(['fine']);
    });

    it('leaves nothing of a longer recording', async () => {
      await readAll(recorder(raw.path, { answers, fetch: inTurn('1', '2', '3', '4') }), 4);
      await readAll(recorder(raw.path, { answers, fetch: inTurn('a', 'b') }), 2);
      const replay = recorder(raw.path, { answers, mode: 'replay' });
      expect(await readAll(replay, 2)).toEqual(['a', 'b']);
      expect(await rejectionOf(replay(USERS))).toSatisfy(isUsageError);
    });

    it('fills what is missing', async () => {
      await readAll(recorder(raw.path, { answers, fetch: inTurn('1') }), 1);
      expect(await readAll(recorder(raw.path, { answers, mode: 'fill', fetch: inTurn('2') }), 2)).toEqual(['1', '2']);
      expect(await readAll(recorder(raw.path, { answers, mode: 'replay' }), 2)).toEqual(['1', '2']);
    });

    it('gives requests at once an answer each', async () => {
      await readAll(recorder(raw.path, { answers, fetch: inTurn('1', '2') }), 2);
      const replay = recorder(raw.path, { answers, mode: 'replay' });
      const both = await Promise.all([replay(USERS), replay(USERS)]);
      expect(await Promise.all(both.map((response) => response.text()))).toEqual(['1', '2']);
    });
  });

  it('fills what is missing', async () => {
    let requests = 0;
    const fetch = recorder(raw.path, { mode: 'fill', fetch: () => of(new Response(`answer ${++requests}`)) });
    expect(await (await fetch(USERS)).text()).toBe('answer 1');
    expect(await (await fetch(USERS)).text()).toBe('answer 1');
    expect(requests).toBe(1);
  });

  it('finds the nearest recording in no long time, however long URLs are', async () => {
    const long = 'https://api.example/rows?ids=' + '7,'.repeat(50_000);
    for (let i = 0; i < 3; i++) await (await recorder(raw.path, { fetch: answering('x') })(`${long}${i}`)).text();
    expect(await rejectionOf(recorder(raw.path, { mode: 'replay' })(`${long}9`))).toSatisfy(isUsageError);
  });
});
