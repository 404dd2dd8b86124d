import { NEVER, Subscription } from 'rxjs';
import { DeadlineError } from '../request/errors/DeadlineError.js';
import { LimiterError } from '../request/errors/LimiterError.js';
import { withoutSecrets } from '../request/RequestSummary.js';
import type { Priority } from '../request/tokens.js';
import { elapsed, waitUntil } from '../time.js';
import { Heap } from './Heap.js';
import type { Ask, Limiter, Outlook, Permit } from './Limiter.js';

/** What an ask that has to wait is told. */
export interface Waiting extends Outlook {
  /** How many asks of its line go before it. */
  readonly position: number;
}

/** Who asks, and hears of what becomes of it. */
export interface Asker {
  readonly ask: Ask;
  /** It may go; the permit is its own from now on. */
  granted(permit: Permit): void;
  /** It will not be granted. */
  refused(error: unknown): void;
  /** It has to wait; again whenever the wait has become longer. */
  waits?: ((waiting: Waiting) => void) | undefined;
}

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

interface Entry {
  asker: Asker | undefined;
  readonly line: Line;
  readonly rejections: number;
  readonly priority: Priority;
  /** When it came, put off by what its priority is behind: so a low one rises with age. */
  readonly order: number;
  readonly arrival: number;
  /** When it gives up. */
  readonly until: number;
}

interface Line {
  readonly name: string;
  readonly entries: Heap<Entry>;
  /** How many wait, by rejections and priority: the heap also holds those that have been withdrawn. */
  readonly counts: Map<string, number>;
  live: number;
}

/** By how many ms of age a lower priority makes up for a higher one. */
const AGEING: Readonly<Record<Priority, number>> = { interactive: 0, normal: 10_000, background: 60_000 };

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
  const lines = new Map<string, Line>();
  const deadlines = new Heap<Entry>((a, b) => a.until < b.until);
  /** Those who came since the last look, and have not been told yet that they wait. */
  let newcomers: Entry[] = [];
  let size = 0;
  let arrivals = 0;
  let pumping = false;
  let pumpAgain = false;
  let judgeAgain = false;
  let listening: Subscription | undefined;
  let alarm: { readonly at: number; readonly timer: Subscription } | undefined;

  function enter(asker: Asker, maxQueued = Infinity): () => void {
    const name = limiter.line?.(asker.ask) ?? '';
    const line = lines.get(name) ?? { name, entries: new Heap(goesBefore), counts: new Map<string, number>(), live: 0 };
    if (line.live >= maxQueued) {
      asker.refused(
        new LimiterError(`The queue${target(asker.ask)} is full: ${line.live} requests wait; send fewer at once, or raise maxQueued`),
      );
      return () => undefined;
    }
    lines.set(name, line);
    const { rejections = 0, priority = 'normal', deadline = Infinity, maxWait = Infinity } = asker.ask;
    const now = elapsed();
    const until = Math.min(deadline, now + maxWait);
    const entry: Entry = { asker, line, rejections, priority, order: now + AGEING[priority], arrival: arrivals++, until };
    line.entries.push(entry);
    count(entry, 1);
    newcomers.push(entry);
    pump();
    return () => {
      if (!entry.asker) return;
      leave(entry);
      // The one behind it may need less.
      pump();
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
      setAlarm(next);
    } finally {
      pumping = false;
    }
    listen();
  }

  /** Grants until every line's first has to wait, the best of all lines first. @returns when to look again */
  function grantAll(): number {
    let next = Infinity;
    const blocked = new Set<Line>();
    for (let first = firstOfAll(blocked); first; first = firstOfAll(blocked)) {
      const delay = grant(first);
      if (delay === 0) continue;
      blocked.add(first.line);
      next = Math.min(next, elapsed() + delay);
    }
    return next;
  }

  /** Grants the ask, or fails it. @returns how long it has to wait, if it has */
  function grant(entry: Entry): number {
    const { asker, line } = entry;
    if (!asker) return 0;
    let permit: Permit;
    try {
      const delay = limiter.check(asker.ask, line.live);
      if (delay > 0) return delay;
      permit = limiter.take(asker.ask);
    } catch (error) {
      leave(entry);
      asker.refused(error);
      return 0;
    }
    leave(entry);
    asker.granted(permit);
    return 0;
  }

  function settleIn(): void {
    const waiting = newcomers.filter((entry) => entry.asker);
    newcomers = [];
    for (const entry of waiting) {
      if (entry.until < Infinity) deadlines.push(entry);
      judge(entry, position(entry));
    }
  }

  function firstOfAll(blocked: ReadonlySet<Line>): Entry | undefined {
    let best: Entry | undefined;
    for (const line of lines.values()) {
      if (blocked.has(line)) continue;
      const first = firstOf(line);
      if (first && (!best || goesBefore(first, best))) best = first;
    }
    return best;
  }

  function firstOf(line: Line): Entry | undefined {
    let first = line.entries.peek();
    while (first && !first.asker) {
      line.entries.pop();
      first = line.entries.peek();
    }
    if (!first) lines.delete(line.name);
    return first;
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
    if (deadlines.size > 2 * size + 64) deadlines.keep((entry) => entry.asker !== undefined);
  }

  function judgeAll(): void {
    judgeAgain = false;
    for (const { entries } of [...lines.values()]) {
      entries
        .sorted()
        .filter((entry) => entry.asker)
        .forEach(judge);
    }
  }

  /** Tells an ask how long it will wait, or refuses it. */
  function judge(entry: Entry, ahead: number): void {
    const { asker } = entry;
    const outlook = asker && limiter.outlook?.(asker.ask, ahead);
    if (!outlook) return;
    if (outlook.refusal === undefined) {
      asker.waits?.({ ...outlook, position: ahead });
    } else {
      leave(entry);
      asker.refused(outlook.refusal);
      pumpAgain = true;
    }
  }

  function leave(entry: Entry): void {
    entry.asker = undefined;
    count(entry, -1);
    const { entries, live } = entry.line;
    if (entries.size > 2 * live + 64) entries.keep(({ asker }) => asker !== undefined);
  }

  function count(entry: Entry, change: 1 | -1): void {
    const { line } = entry;
    const key = `${entry.rejections} ${entry.priority}`;
    const now = (line.counts.get(key) ?? 0) + change;
    if (now > 0) line.counts.set(key, now);
    else line.counts.delete(key);
    line.live += change;
    size += change;
  }

  /** How many go before `entry`, its own kind having come earlier; ageing left aside. */
  function position(entry: Entry): number {
    let ahead = -1;
    for (const [key, waiting] of entry.line.counts) {
      const [rejections, priority] = key.split(' ') as [string, Priority];
      const fewer = Number(rejections) - entry.rejections || AGEING[priority] - AGEING[entry.priority];
      if (fewer <= 0) ahead += waiting;
    }
    return ahead;
  }

  /** An alarm that rings too early is harmless: who looks finds nothing, and sets the next. */
  function setAlarm(at: number): void {
    if (size === 0) {
      alarm?.timer.unsubscribe();
      alarm = undefined;
      return;
    }
    const first = Math.min(at, deadlines.peek()?.until ?? Infinity);
    if (first === Infinity || (alarm && alarm.at <= first)) return;
    alarm?.timer.unsubscribe();
    const timer = new Subscription();
    alarm = { at: first, timer };
    timer.add(
      waitUntil(first).subscribe(() => {
        alarm = undefined;
        pump();
      }),
    );
  }

  /** Hears the limiter only while somebody waits, so that an idle limiter is garbage when its users are. */
  function listen(): void {
    if (size === 0) {
      listening?.unsubscribe();
      listening = undefined;
    } else if (!listening) {
      listening = new Subscription();
      listening.add(limiter.changed$.subscribe(pump));
      listening.add(
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

function goesBefore(a: Entry, b: Entry): boolean {
  return (a.rejections - b.rejections || a.order - b.order || a.arrival - b.arrival) < 0;
}

function target(ask: Ask): string {
  return ask.url === undefined ? '' : ` for ${withoutSecrets(ask.url)}`;
}
