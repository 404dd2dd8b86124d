import type { Command } from 'commander';
import type { Io } from './Io.js';

/** Outcome of a command, for the shell. */
export const EXIT = {
  /** Success: everything arrived. */
  fine: 0,
  /** Failure: at least one file did not arrive, and was named. */
  failed: 1,
  /** Usage: arguments or environment are wrong, and nothing was done. */
  usage: 2,
  /** Partial success: the build is complete without files that failed, which was allowed. */
  missing: 3,
  /** Ctrl-C, as a shell counts it: 128 and the signal's number. */
  SIGINT: 130,
  /** Request to terminate. */
  SIGTERM: 143,
  /** End of the terminal or session. */
  SIGHUP: 129,
} as const;

/** A code of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Makes one command; `end` takes the code that it exits with. */
export type CommandFactory = (io: Io, end: (code: ExitCode) => void) => Command;
