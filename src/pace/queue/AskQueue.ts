import { NEVER, Subscription, throwError } from 'rxjs';
import { counted } from '../../request/counted.js';
import { DeadlineError } from '../../request/errors/DeadlineError.js';
import { LimiterError } from '../../request/errors/LimiterError.js';
import { withoutSecrets } from '../../request/RequestSummary.js';
import { elapsed } from '../../time.js';
import { Alarm } from './Alarm.js';
import type { Asker, Waiting } from '../Asker.js';
import { AskLine, goesBefore, isWaiting, type Place } from './AskLine.js';
import { Heap } from './Heap.js';
import type { Ask, Limiter, Outlook, Permit } from '../Limiter.js';

/** The one queue of a limiter. */
export interface AskQueue {
  /** How many asks wait. */
  readonly size: number;
  /**
   * Puts an ask in its line. Its answer may come before this returns.
   *
   * @param maxQueued refuse it with a `LimiterError` if as many wait in its line already
   * @returns withdraws it while it waits
   */
  enter(asker: Asker, maxQueued?: number): () => void;
}

/** Of a limiter that does not say how long an ask will wait. */
const UNKNOWN: Outlook = { source: 'queue', delay: Infinity };

const queues = new WeakMap<Limiter, AskQueue>();

/** The queue of `limiter`, shared by all who ask it. */
export function queueOf(limiter: Limiter): AskQueue {
  let queue = queues.get(limiter);
  if (!queue) queues.set(limiter, (queue = askQueue(limiter)));
  return queue;
}

/**
 * A queue of lines: each has an order of its own (fewest 429s, then priority with ageing, then age), and its first waits for the limiter
 * alone. One timer serves all, however many wait.
 */
function askQueue(limiter: Limiter): AskQueue {
  const lines = new Map<string, AskLine>();
  const deadlines = new Heap<Place>((a, b) => a.until < b.until);
  /** Those who came since the last look, and have not been told yet that they wait. */
  let newcomers: Place[] = [];
  let size = 0;
  let arrivals = 0;
  let pumping = false;
  let pumpAgain = false;
  let judgeAgain = false;
  let listening: Subscription | undefined;
  const alarm = new Alarm(pump);

  function enter(asker: Asker, maxQueued = Infinity): () => void {
    // Where nobody waits, none is passed over.
    return size === 0 && !pumping && decide(asker, 1) === 0 ? () => undefined : queue(asker, maxQueued);
  }

  function queue(asker: Asker, maxQueued: number): () => void {
    const name = limiter.line?.(asker.ask) ?? '';
    const line = lines.get(name) ?? new AskLine(name);
    if (line.length >= maxQueued) {
      const full = `The queue${target(asker.ask)} is full, with ${counted(line.length, 'request')} in it`;
      asker.refused(new LimiterError(`${full}; send fewer at once, or raise maxQueued`));
      return () => undefined;
    }
    lines.set(name, line);
    const place = line.enter(asker, elapsed(), arrivals++);
    size++;
    newcomers.push(place);
    pump();
    return () => {
      if (!place.asker) return;
      const wasFirst = line.first() === place;
      leave(place);
      // The one behind it may need less.
      if (wasFirst) pump();
    };
  }

  /** Grants what can be granted, fails what is too late, tells the newcomers, and sets the alarm for the rest. */
  function pump(): void {
    pumpAgain = true;
    if (pumping) return;
    pumping = true;
    try {
      let next = Infinity;
      while (pumpAgain) {
        pumpAgain = false;
        expire();
        next = grantAll();
        settleIn();
        if (judgeAgain) judgeAll();
      }
      if (size === 0) alarm.stop();
      else alarm.set(Math.min(next, deadlines.peek()?.until ?? Infinity));
    } finally {
      pumping = false;
    }
    listen();
  }

  /** Grants until every line's first has to wait, the best of all lines first. @returns when to look again */
  function grantAll(): number {
    let next = Infinity;
    const firsts = new Heap<Place>(goesBefore);
    const bringFirst = (line: AskLine): void => {
      const first = line.first();
      if (first) firsts.push(first);
      else lines.delete(line.name);
    };
    lines.forEach(bringFirst);
    for (let first = firsts.pop(); first; first = firsts.pop()) {
      const place = first;
      const { asker, line } = place;
      const delay = asker ? decide(asker, line.length, () => leave(place)) : 0;
      if (delay > 0) next = Math.min(next, elapsed() + delay);
      else bringFirst(line);
    }
    return next;
  }

  /**
   * Grants the ask, or fails it.
   *
   * @param decided called before the asker hears of it
   * @returns how long it has to wait, 0 if it has not
   */
  function decide(asker: Asker, waiting: number, decided?: () => void): number {
    let permit: Permit;
    try {
      const delay = limiter.check(asker.ask, waiting);
      if (delay > 0) return delay;
      permit = limiter.take(asker.ask);
    } catch (error) {
      decided?.();
      asker.refused(error);
      return 0;
    }
    decided?.();
    asker.granted(permit);
    return 0;
  }

  function settleIn(): void {
    const waiting = newcomers.filter((place) => place.asker);
    newcomers = [];
    for (const place of waiting) {
      if (place.until < Infinity) deadlines.push(place);
      judge(place, place.line.ahead(place));
    }
  }

  function expire(): void {
    const now = elapsed();
    for (let first = deadlines.peek(); first && (!first.asker || first.until <= now); first = deadlines.peek()) {
      deadlines.pop();
      const { asker } = first;
      if (!asker) continue;
      leave(first);
      const { lastError } = asker.ask;
      asker.refused(
        new DeadlineError(`A request waited for its turn${target(asker.ask)} until its time was over`, 'deadline', {
          ...(lastError === undefined ? {} : { cause: lastError }),
        }),
      );
    }
    if (deadlines.size > 2 * size + 64) deadlines.keep(isWaiting);
  }

  function judgeAll(): void {
    judgeAgain = false;
    for (const line of [...lines.values()]) line.all().forEach(judge);
  }

  /** Tells an ask how long it will wait, or refuses it. */
  function judge(place: Place, ahead: number): void {
    const { asker } = place;
    if (!asker) return;
    const outlook = outlookOf(asker.ask, ahead);
    if (outlook.refusal === undefined) {
      tell(asker, { ...outlook, position: ahead });
    } else {
      leave(place);
      asker.refused(outlook.refusal);
      pumpAgain = true;
    }
  }

  /** What the limiter throws refuses the ask, as it does where the limiter is asked. */
  function outlookOf(ask: Ask, ahead: number): Outlook {
    try {
      return limiter.outlook?.(ask, ahead) ?? UNKNOWN;
    } catch (error) {
      return { ...UNKNOWN, refusal: error };
    }
  }

  /** What the hook throws is an unhandled error, as from any subscriber: the others in the queue have no part in it. */
  function tell({ waits }: Asker, waiting: Waiting): void {
    try {
      waits?.(waiting);
    } catch (error) {
      throwError(() => error).subscribe();
    }
  }

  function leave(place: Place): void {
    place.line.leave(place);
    size--;
  }

  /** Hears the limiter only while somebody waits, so that an idle limiter is garbage when its users are. */
  function listen(): void {
    if (size === 0) {
      listening?.unsubscribe();
      listening = undefined;
    } else if (!listening) {
      // It may emit at once, and whom it lets go be the last.
      const hearing = (listening = new Subscription());
      hearing.add(limiter.changed$.subscribe(pump));
      hearing.add(
        (limiter.delayed$ ?? NEVER).subscribe(() => {
          judgeAgain = true;
          pump();
        }),
      );
    }
  }

  return {
    get size() {
      return size;
    },
    enter,
  };
}

function target(ask: Ask): string {
  return ask.url === undefined ? '' : ` for ${withoutSecrets(ask.url)}`;
}
