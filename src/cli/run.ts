import { CommanderError } from 'commander';
import { isUsageError } from '../request/errors/UsageError.js';
import { isColdfetchError } from '../request/errors/ColdfetchError.js';
import { EXIT, type ExitCode } from './ExitCode.js';
import { type Io, writeLines } from './Io.js';
import { createProgram } from './createProgram.js';
import { withOptionNames } from './withOptionNames.js';

/**
 * Runs the command `coldfetch`. A failure is one line on the error output, in the words of the command line; only an unforeseen one has a stack
 * trace.
 *
 * @param argv arguments behind the command's name
 * @returns the code to exit with
 */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = EXIT.fine;
  const program = createProgram(io, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has reported the mistake by then, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
    const message = isColdfetchError(error)
      ? withOptionNames(error.message)
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
    writeLines(io.stderr, `coldfetch: ${message}`);
    return isUsageError(error) ? EXIT.usage : EXIT.failed;
  }
}
