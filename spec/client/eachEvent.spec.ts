import { concat, interval, lastValueFrom, NEVER, Observable, of, Subject, take, throwError, timer, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createClient, eachEvent, type EachEventOptions, isLimiterError, UsageError } from 'coldfetch';
import { reply } from 'coldfetch/testing';

// Async iteration is made of promises, which do not settle in virtual time.

/** A source that says when it is subscribed and when it is let go of. */
function watched<T>(source$: Observable<T>): { source$: Observable<T>; log: string[] } {
  const log: string[] = [];
  const watched$ = new Observable<T>((subscriber) => {
    log.push('subscribed');
    subscriber.add(() => log.push('ended'));
    subscriber.add(source$.subscribe(subscriber));
  });
  return { source$: watched$, log };
}

async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('eachEvent', () => {
  it('gives what the source gives, and ends with it', async () => {
    expect(await collect(eachEvent(of(1, 2, 3)))).toEqual([1, 2, 3]);
  });

  it('subscribes at the first next()', async () => {
    const { source$, log } = watched(of(1));
    const events = eachEvent(source$);
    expect(log).toEqual([]);
    await events.next();
    expect(log).toEqual(['subscribed', 'ended']);
  });

  it('throws the error of the source into the loop, after what came before it', async () => {
    const error = new Error('lost');
    const seen: number[] = [];
    const loop = async (): Promise<void> => {
      for await (const event of eachEvent(
        concat(
          of(1, 2),
          throwError(() => error),
        ),
      ))
        seen.push(event);
    };
    await expect(loop()).rejects.toBe(error);
    expect(seen).toEqual([1, 2]);
  });

  it('ends the source at once when the loop is left', async () => {
    const { source$, log } = watched(interval(1));
    for await (const event of eachEvent(source$)) if (event === 2) break;
    expect(log).toEqual(['subscribed', 'ended']);
  });

  it('ends the source when the loop throws', async () => {
    const { source$, log } = watched(concat(of(1), NEVER));
    const loop = async (): Promise<void> => {
      for await (const event of eachEvent(source$)) throw new Error(`at ${event}`);
    };
    await expect(loop()).rejects.toThrow('at 1');
    expect(log).toEqual(['subscribed', 'ended']);
  });

  it('settles a pending next() when it is returned from', async () => {
    const { source$, log } = watched(NEVER);
    const events = eachEvent(source$);
    const pending = events.next();
    expect(await events.return?.()).toEqual({ done: true, value: undefined });
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(log).toEqual(['subscribed', 'ended']);
  });

  it('settles a pending next() when something is thrown into it', async () => {
    const { source$, log } = watched(NEVER);
    const events = eachEvent(source$);
    const pending = events.next();
    const error = new Error('mine');
    await expect(events.throw?.(error)).rejects.toBe(error);
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(log).toEqual(['subscribed', 'ended']);
  });

  it('never subscribes when it is returned from before it began', async () => {
    const { source$, log } = watched(NEVER);
    const events = eachEvent(source$);
    await events.return?.();
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(log).toEqual([]);
  });

  it('ends with the reason of a signal, in a pending next()', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const { source$, log } = watched(NEVER);
    const pending = eachEvent(source$, { signal: controller.signal }).next();
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    expect(log).toEqual(['subscribed', 'ended']);
  });

  it('ends with the reason of a signal that had aborted, without subscribing', async () => {
    const { source$, log } = watched(NEVER);
    const reason = new Error('stop');
    await expect(eachEvent(source$, { signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason);
    expect(log).toEqual([]);
  });

  it('throws the reason of an abort at once, not behind what waits for the loop', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const { source$, log } = watched(concat(of(1, 2, 3), NEVER));
    const events = eachEvent(source$, { signal: controller.signal });
    expect(await events.next()).toEqual({ done: false, value: 1 });
    controller.abort(reason);
    await expect(events.next()).rejects.toBe(reason);
    expect(log).toEqual(['subscribed', 'ended']);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('takes no notice of an abort once it has ended', async () => {
    const controller = new AbortController();
    const events = eachEvent(of(1), { signal: controller.signal });
    expect(await collect(events)).toEqual([1]);
    controller.abort();
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it.each([
    ['the source is 5', 5, {}],
    ['the source is undefined', undefined, {}],
    ['every is -1', NEVER, { every: -1 }],
    ['every is NaN', NEVER, { every: NaN }],
    ['every is soon', NEVER, { every: 'soon' }],
    ['buffer is 0', NEVER, { buffer: 0 }],
    ['buffer is NaN', NEVER, { buffer: NaN }],
    ['buffer is null', NEVER, { buffer: null }],
  ])('refuses at the call: %s', (problem, source, options) => {
    const make = (): unknown => eachEvent(source as typeof NEVER, options as EachEventOptions);
    expect(make).toThrow(UsageError);
    expect(make).toThrow(`eachEvent: ${problem}; give`);
  });

  it('drops progress that comes too fast, but never the last of it', async () => {
    const progress = Array.from({ length: 50 }, (_, n) => ({ type: 'upload', loaded: n + 1 }));
    const events = await collect(eachEvent(concat(of(...progress), of({ type: 'response' }))));
    expect(events).toEqual([{ type: 'upload', loaded: 1 }, { type: 'upload', loaded: 50 }, { type: 'response' }]);
  });

  it('lets all progress through if asked to', async () => {
    const progress = Array.from({ length: 5 }, (_, loaded) => ({ type: 'upload', loaded }));
    expect(await collect(eachEvent(of(...progress), { every: 0 }))).toEqual(progress);
  });

  it('bounds what waits for a slow loop', async () => {
    const source$ = new Subject<number>();
    const { source$: kept$, log } = watched(source$);
    const events = eachEvent(kept$, { buffer: 3 });
    const first = events.next();
    for (let n = 0; n < 6; n++) source$.next(n);
    await first;
    const rest = (async () => {
      for (;;) if ((await events.next()).done) return 'done';
    })();
    await expect(rest).rejects.toSatisfy(isLimiterError);
    expect(log).toEqual(['subscribed', 'ended']);
  });

  it('counts only what waits: a loop that keeps up may take any number', async () => {
    expect(await collect(eachEvent(timer(0, 1).pipe(take(20)), { buffer: 2 }))).toHaveLength(20);
  });

  it('iterates over the events of a request', async () => {
    const http = createClient({ fetch: () => of(reply(200, { json: [1] })) });
    const events$ = http.get<number[]>('https://api.test/', { observe: 'events' });
    const types = (await collect(eachEvent(events$))).map(({ type }) => type);
    expect(types).toEqual((await lastValueFrom(events$.pipe(toArray()))).map(({ type }) => type));
    expect(types.at(-1)).toBe('response');
  });
});
