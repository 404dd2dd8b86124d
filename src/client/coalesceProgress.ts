import { type MonoTypeOperatorFunction, Observable, type Subscription } from 'rxjs';
import { elapsed, wait } from '../time.js';

/** Types of progress events. */
const PROGRESS: readonly unknown[] = ['upload', 'download', 'progress'];

/**
 * Drops progress until `ms` have passed since the last one of its kind, so that the reader's eye, not the network, sets the pace.
 *
 *     source  -ab-c---X|
 *     output  -a---c--X|       coalesceProgress(4), X: anything but progress
 *
 * Progress is an event of type `upload`, `download` or `progress`; each type, and each `path` where events have one, has its own pace. The
 * latest always gets out before the next other event, an error, and completion. Unsubscribing clears the timer.
 *
 * @param ms shortest time between two, in milliseconds; 0 lets all pass
 */
export function coalesceProgress<T>(ms: number): MonoTypeOperatorFunction<T> {
  return (source) =>
    new Observable((subscriber) => {
      /** Moments at which kinds were last shown, the latest at the end; moments older than the interval are dropped. */
      const shown = new Map<string, number>();
      const held = new Map<string, T>();
      let timer: Subscription | undefined;

      const show = (kind: string, value: T): void => {
        held.delete(kind);
        shown.delete(kind);
        for (const earlier of shown.keys()) {
          if (!isDue(earlier)) break;
          shown.delete(earlier);
        }
        shown.set(kind, elapsed());
        subscriber.next(value);
      };
      const flush = (due: (kind: string) => boolean): void => {
        for (const [kind, value] of [...held]) if (due(kind)) show(kind, value);
      };
      const isDue = (kind: string): boolean => elapsed() >= (shown.get(kind) ?? -Infinity) + ms;
      const arm = (): void => {
        if (held.size === 0 || subscriber.closed) return;
        const next = Math.min(...[...held.keys()].map((kind) => (shown.get(kind) ?? 0) + ms));
        timer = wait(next - elapsed()).subscribe(() => {
          timer = undefined;
          flush(isDue);
          arm();
        });
      };

      const subscription = source.subscribe({
        next: (value) => {
          const kind = progressKind(value);
          if (kind === undefined) {
            flush(() => true);
            subscriber.next(value);
          } else if (isDue(kind)) {
            show(kind, value);
          } else {
            held.set(kind, value);
            if (!timer) arm();
          }
        },
        error: (error: unknown) => {
          flush(() => true);
          subscriber.error(error);
        },
        complete: () => {
          flush(() => true);
          subscriber.complete();
        },
      });
      return () => {
        subscription.unsubscribe();
        timer?.unsubscribe();
      };
    });
}

function progressKind(value: unknown): string | undefined {
  const { type, path = '' } = (value ?? {}) as { type?: unknown; path?: unknown };
  return PROGRESS.includes(type) ? `${String(type)} ${String(path)}` : undefined;
}
