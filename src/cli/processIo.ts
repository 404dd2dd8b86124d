import { fromEvent, map, merge } from 'rxjs';
import { EXIT } from './ExitCode.js';
import { type Io, writeLine } from './Io.js';

/**
 * Surroundings of this process. The reader of its output may leave (`| head -1`, a terminal that is closed): the command goes on without one.
 * Output that cannot be written for another reason (a full disk) ends the process with one line.
 */
export function processIo(): Io {
  const { stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A terminal that is gone answers EIO.
      if (error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY)) return;
      if (stream !== stderr) writeLine(stderr, `coldfetch: The output cannot be written: ${error.message}`);
      process.exit(EXIT.failed);
    });
  }
  const signals = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => fromEvent(process, name).pipe(map(() => name)));
  return { stdout, stderr, env, cwd: process.cwd(), stop$: merge(...signals) };
}
