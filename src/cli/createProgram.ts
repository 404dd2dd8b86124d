import { createRequire } from 'node:module';
import { Command } from 'commander';
import type { CommandFactory, ExitCode } from './ExitCode.js';
import { type Io, writeLine } from './Io.js';
import { explainCommand } from './commands/explain.js';
import { finalizeCommand } from './commands/finalize.js';
import { getCommand } from './commands/get.js';
import { putCommand } from './commands/put.js';
import { serveCommand } from './commands/serve.js';
import { simulateCommand } from './commands/simulate.js';
import { uploadCommand } from './commands/upload.js';

// The path up to package.json is the same from the source and from the build.
const manifest = createRequire(import.meta.url)('../../package.json') as { readonly version: string };

const COMMANDS: readonly CommandFactory[] = [
  uploadCommand,
  finalizeCommand,
  putCommand,
  getCommand,
  serveCommand,
  explainCommand,
  simulateCommand,
];

/** The command line, made anew for each run. */
export function createProgram(io: Io, end: (code: ExitCode) => void): Command {
  const program = new Command('coldfetch')
    .description('HTTP that waits when the server says later')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError(true);
  for (const create of COMMANDS) program.addCommand(create(io, end));
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text) => writeLine(io.stderr, `coldfetch: ${oneLine(text)}`),
    });
  }
  return program;
}

/** Commander's message in one line, without the text behind a `=`: it may be a token behind a misspelt option. */
function oneLine(text: string): string {
  return text
    .trim()
    .replace(/^error: /, '')
    .replace(/'(--?[\w-]+)=.*?'/gs, "'$1'")
    .replace(/\s*\n\s*/g, ' ');
}
