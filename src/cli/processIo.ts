import { fromEvent, map, merge } from 'rxjs';
import { EXIT } from './ExitCode.js';
import { type Io, writeLine } from './Io.js';

/**
 * The world of this process. Whoever reads our output may leave (`| head -1`): the command goes on without a reader. Output that cannot be
 * written for another reason (a full disk) ends the process with one line.
 */
export function processIo(): Io {
  const { stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      if (stream !== stderr) writeLine(stderr, `coldfetch: The output cannot be written: ${error.message}`);
      process.exit(EXIT.failed);
    });
  }
  const signals = (['SIGINT', 'SIGTERM'] as const).map((name) => fromEvent(process, name).pipe(map(() => name)));
  return { stdout, stderr, env, cwd: process.cwd(), stop$: merge(...signals) };
}
