import { PassThrough, Readable } from 'node:stream';
import { EMPTY } from 'rxjs';
import { run } from '../../src/cli/run.js';
import type { Io } from '../../src/cli/Io.js';

/** Output of a command, and its exit code. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Differences between the world of a command and an empty one. */
export interface World {
  /** Text of the standard input. */
  readonly stdin?: string;
  readonly env?: Io['env'];
  readonly cwd?: string;
  readonly stop$?: Io['stop$'];
  /** Draw as on a terminal. */
  readonly isTTY?: boolean;
}

/** Runs the command in this process, in a world of its own. */
export async function coldfetch(argv: readonly string[], world: World = {}): Promise<Outcome> {
  const { io, stdout, stderr } = worldOf(world);
  const code = await run(argv, io);
  return { code, stdout: stdout(), stderr: stderr() };
}

/** A world, and what was written in it so far. */
export function worldOf({ stdin = '', env = {}, cwd = '/', stop$ = EMPTY, isTTY = false }: World = {}) {
  const stdout = sink(isTTY);
  const stderr = sink(isTTY);
  const io: Io = { stdin: Readable.from([stdin]), stdout: stdout.stream, stderr: stderr.stream, env, cwd, stop$ };
  return { io, stdout: stdout.text, stderr: stderr.text };
}

function sink(isTTY: boolean) {
  const chunks: string[] = [];
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 120 });
  stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  return { stream, text: () => chunks.join('') };
}
