import { watchdog } from '../../time.js';
import { offerControl } from '../../transport/bodyControl.js';
import type { BodyGuard } from '../../transport/GuardedBody.js';
import type { VirtualBody, VirtualReader } from './VirtualBody.js';

/**
 * Watches the reads of a virtual body in place, as they settle in virtual time: where one waits for longer than the guard's idle timeout, the
 * request is aborted, which fails the read.
 */
export function watchReads(response: Response, body: VirtualBody, { idle, abort }: BodyGuard): void {
  if (!idle) return;
  const watch = watchdog(idle.timeout, () => {
    abort?.(idle.timeoutError());
  });
  const getReader = body.getReader.bind(body);
  body.getReader = (): VirtualReader => {
    const reader = getReader();
    return {
      ...reader,
      read: () => {
        watch.touch();
        return reader.read().then(
          (chunk) => {
            watch.pause();
            return chunk;
          },
          (error: unknown) => {
            watch.unsubscribe();
            throw error;
          },
        );
      },
    };
  };
  offerControl(response, {
    takeIdleTimeout: () => {
      watch.unsubscribe();
      return idle;
    },
  });
}
