import type { Command } from 'commander';
import type { ExitCode } from './ExitCode.js';
import type { Io } from './Io.js';

/** Makes one command; `end` takes the code that it exits with. */
export type CommandFactory = (io: Io, end: (code: ExitCode) => void) => Command;
