import { NEVER, Subscription, throwError } from 'rxjs';
import { counted } from '../../request/printable.js';
import { LimiterError } from '../../request/errors/LimiterError.js';
import { elapsed } from '../../time.js';
import type { Estimate, Limiter, Permit } from '../Limiter.js';
import { Admission } from './Admission.js';
import { QueueTimer } from './QueueTimer.js';
import { Heap } from './Heap.js';
import { type Entry, goesBefore, isWaiting, Line } from './Line.js';
import { knownQueue, type LimiterQueue, rememberQueue } from './queues.js';
import { infeasible, expired, place } from './refusal.js';
import { serialized } from './serialized.js';
import type { Waiter } from './Waiter.js';

/** The queue of `limiter`, shared by all who ask it. */
export function queueOf(limiter: Limiter): LimiterQueue {
  return knownQueue(limiter) ?? rememberQueue(limiter, limiterQueue(limiter));
}

/** A limiter with a queue of its own. */
export function queued<L extends Limiter>(limiter: L): L {
  queueOf(limiter);
  return limiter;
}

/**
 * A queue of lines, and of lanes within a line: each lane has an order of its own (fewest 429s, then priority with ageing, then age), and
 * its first waiter waits for the limiter alone. One timer serves all, however many wait.
 */
function limiterQueue(limiter: Limiter): LimiterQueue {
  const lines = new Map<string, Line>();
  const bounds = new Heap<Entry>((a, b) => a.ends < b.ends);
  /** Entries that came since the last dispatch, and have not been told yet that they wait. */
  let newcomers: Entry[] = [];
  let isRaised = false;
  let size = 0;
  let arrivals = 0;
  let listening: Subscription | undefined;
  const { run: dispatch, isRunning } = serialized(() => {
    expire();
    const next = grantAll();
    announce();
    if (size === 0) alarm.stop();
    else alarm.set(Math.min(next, bounds.peek()?.ends ?? Infinity));
    listen();
  });
  const alarm = new QueueTimer(dispatch);

  function enter(waiter: Waiter, maxQueued = Infinity): () => void {
    // An empty queue has nobody to pass over: the permit is granted at once.
    return size === 0 && !isRunning() && grant(waiter, 1) === 0 ? () => undefined : queue(waiter, maxQueued);
  }

  function queue(waiter: Waiter, maxQueued: number): () => void {
    const { ask } = waiter;
    const name = limiter.line?.(ask) ?? '';
    const line = lines.get(name) ?? new Line(name);
    if (line.length >= maxQueued) {
      const full = `The queue${place(ask)} is full, with ${counted(line.length, 'request')} in it`;
      waiter.refused(new LimiterError(`${full}; send fewer at once, or raise maxQueued`, { reason: 'queue-full' }));
      return () => undefined;
    }
    lines.set(name, line);
    const entry = line.enter(waiter, limiter.lane?.(ask) ?? '', elapsed(), arrivals++);
    size++;
    newcomers.push(entry);
    if (entry.ends < Infinity) bounds.push(entry);
    dispatch();
    return () => {
      if (!entry.waiter) return;
      const wasFirst = line.firstOf(entry.lane) === entry;
      leave(entry);
      // The next entry may need less.
      if (wasFirst) dispatch();
    };
  }

  /** Grants until the first of every lane has to wait, the best of all lanes first. @returns milliseconds after which to look again */
  function grantAll(): number {
    let next = Infinity;
    const firsts = new Heap<Entry>((a, b) => (yields(a) === yields(b) ? goesBefore(a, b) : yields(b)));
    for (const line of lines.values()) {
      if (line.length === 0) lines.delete(line.name);
      for (const first of line.firsts()) firsts.push(first);
    }
    for (let first = firsts.pop(); first; first = firsts.pop()) {
      const entry = first;
      const { waiter, line, lane } = entry;
      const delay = waiter ? grant(waiter, line.length, () => leave(entry)) : 0;
      const behind = delay > 0 ? undefined : line.firstOf(lane);
      if (delay > 0) next = Math.min(next, elapsed() + delay);
      if (behind) firsts.push(behind);
    }
    return next;
  }

  function yields({ waiter }: Entry): boolean {
    return waiter !== undefined && limiter.yields?.(waiter.ask) === true;
  }

  /**
   * Grants a permit, or refuses it where the limiter throws.
   *
   * @param decided called before the waiter receives the permit or the error
   * @returns milliseconds that the waiter has to wait, 0 if it need not
   */
  function grant(waiter: Waiter, waiting: number, decided?: () => void): number {
    let permit: Permit;
    try {
      const delay = limiter.check(waiter.ask, waiting);
      if (delay > 0) return delay;
      permit = limiter.take(waiter.ask);
    } catch (error) {
      decided?.();
      waiter.refused(error);
      return 0;
    }
    decided?.();
    waiter.granted(permit);
    return 0;
  }

  /** Refuses the waiters whose time is over. */
  function expire(): void {
    const now = elapsed();
    for (let first = bounds.peek(); first && (!first.waiter || first.ends <= now); first = bounds.peek()) {
      bounds.pop();
      const error = expired(first, now);
      if (error) refuse(first, error);
    }
    if (bounds.size > 2 * size + 64) bounds.keep(isWaiting);
  }

  /** Estimates the waits of the newcomers, or of all where the waits have become longer. */
  function announce(): void {
    const fresh = newcomers.filter(isWaiting);
    newcomers = [];
    if (isRaised) {
      isRaised = false;
      for (const line of [...lines.values()]) line.all().forEach(estimate);
    } else {
      for (const entry of fresh) estimate(entry, entry.line.ahead(entry));
    }
  }

  /** Tells a waiter its expected wait, or refuses it. */
  function estimate(entry: Entry, ahead: number): void {
    const { waiter } = entry;
    if (!waiter) return;
    let known: Estimate;
    try {
      known = limiter.estimate?.(waiter.ask, ahead) ?? { source: 'queue', delay: Infinity };
    } catch (error) {
      refuse(entry, error);
      return;
    }
    entry.cause = known.cause;
    const error = infeasible(entry, known, elapsed());
    if (error) refuse(entry, error);
    else inform(waiter, { ...known, position: ahead });
  }

  function refuse(entry: Entry, error: unknown): void {
    const { waiter } = entry;
    leave(entry);
    waiter?.refused(error);
    dispatch();
  }

  /** Reports an error of the hook as unhandled, like that of any subscriber: the others in the queue have no part in it. */
  function inform({ estimated }: Waiter, told: Parameters<NonNullable<Waiter['estimated']>>[0]): void {
    try {
      estimated?.(told);
    } catch (error) {
      throwError(() => error).subscribe();
    }
  }

  function leave(entry: Entry): void {
    if (!entry.waiter) return;
    entry.line.leave(entry);
    size--;
  }

  /** Subscribes to the limiter only while somebody waits, so that an idle limiter is garbage when its users are. */
  function listen(): void {
    if (size === 0) {
      listening?.unsubscribe();
      listening = undefined;
    } else if (!listening) {
      // The signal may emit at once, and the ask that it releases may be the last.
      const hearing = (listening = new Subscription());
      hearing.add(limiter.changed$.subscribe(dispatch));
      hearing.add(
        (limiter.delayed$ ?? NEVER).subscribe(() => {
          isRaised = true;
          dispatch();
        }),
      );
    }
  }

  return {
    get size() {
      return size;
    },
    enter,
    admit: (options, operation, policy) => new Admission(enter, options, operation, policy),
  };
}
