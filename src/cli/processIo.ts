import { fromEvent, map, merge } from 'rxjs';
import type { Io } from './Io.js';

/** The world of this process. Whoever reads our output may leave (`| head -1`): the command goes on without a reader. */
export function processIo(): Io {
  const { stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  const signals = (['SIGINT', 'SIGTERM'] as const).map((name) => fromEvent(process, name).pipe(map(() => name)));
  return { stdout, stderr, env, cwd: process.cwd(), stop$: merge(...signals) };
}
