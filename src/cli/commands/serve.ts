import { Command, InvalidArgumentError, Option } from 'commander';
import { firstValueFrom } from 'rxjs';
import type { ServerOptions } from '../../server/ServerOptions.js';
import { startServer } from '../../server/startServer.js';
import { EXIT, type ExitCode } from '../ExitCode.js';
import { type Io, writeLine } from '../Io.js';
import { listenForStop } from '../listenForStop.js';
import type { CommandFactory } from '../createProgram.js';

interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly folder?: string;
  readonly token?: string;
  readonly limit?: number;
  readonly window: number;
  readonly routes: 'api' | 'all';
  readonly flaky?: string[];
}

/** `coldfetch serve` */
export const serveCommand: CommandFactory = (io, end) =>
  new Command('serve')
    .description('serve the screenshot build API on this machine, to try clients against its 429s')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0: any that is free', wholeNumber, 0)
    .option('--folder <dir>', 'where files and builds are kept (default: a temporary folder)')
    .option('--token <token>', 'the one token that is accepted (default: any)')
    .option('--limit <requests>', 'requests in a window, for each address (default: no limit)', wholeNumber)
    .option('--window <seconds>', 'length of a window', seconds, 300)
    .addOption(new Option('--routes <which>', 'what counts: the API, or storage too').choices(['api', 'all']).default('api'))
    .option('--flaky <routes...>', "routes that answer 503 twice before they work, such as 'POST /storage/*'")
    .action(async (options: ServeOptions) => end(await serve(options, io)));

async function serve({ limit, window, routes, flaky, ...rest }: ServeOptions, io: Io): Promise<ExitCode> {
  const stop = listenForStop(io);
  try {
    const options: ServerOptions = {
      ...rest,
      ...(limit !== undefined && { limit: { requests: limit, windowMs: window * 1000, routes } }),
      ...(flaky !== undefined && { flaky }),
    };
    const server = await startServer(options);
    writeLine(io.stdout, `build API: ${server.apiUrl}`);
    writeLine(io.stdout, `files: ${server.folder}`);
    await firstValueFrom(stop.stop$);
    await server.close();
    return stop.code() ?? EXIT.fine;
  } finally {
    stop.close();
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0) throw new InvalidArgumentError('Give seconds, more than 0.');
  return value;
}
