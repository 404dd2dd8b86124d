import { Command, InvalidArgumentError, Option } from 'commander';
import { firstValueFrom } from 'rxjs';
import type { ServerOptions } from '../../server/options/ServerOptions.js';
import { startServer } from '../../server/startServer.js';
import { type CommandFactory, EXIT, type ExitCode } from '../ExitCode.js';
import { type Io, writeLine } from '../Io.js';
import { listenForStop } from '../processIo.js';
import { filled, wholeNumber } from '../optionParsers.js';
import { MAX_TIMER } from '../../time.js';

interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly folder?: string;
  readonly token?: string;
  readonly limit?: number;
  readonly window: number;
  readonly routes: 'api' | 'all';
  readonly flaky?: string[];
  readonly cors?: true | string[];
}

/** `coldfetch serve` */
export const serveCommand: CommandFactory = (io, end) =>
  new Command('serve')
    .description('serve the screenshot build API on this machine, to try clients against its 429s')
    .addOption(new Option('--host <address>', 'address to listen on').argParser(filled('an address of this machine')).default('127.0.0.1'))
    .option('--port <number>', 'port to listen on; 0: any that is free', wholeNumber(65_535, 0), 0)
    .option('--folder <dir>', 'where files and builds are kept (default: a temporary folder)', filled('the path of a folder'))
    .option('--token <token>', 'the one token that is accepted (default: any)', filled('a token'))
    .option('--limit <requests>', 'requests in a window, for each address (default: no limit)', wholeNumber())
    .option('--window <seconds>', 'length of a window', seconds, 300)
    .addOption(new Option('--routes <which>', 'what counts: the API, or storage too').choices(['api', 'all']).default('api'))
    .option('--flaky <routes...>', "routes that answer 503 twice before they work, such as 'POST /storage/*'")
    .option('--cors [origins...]', 'let pages of these origins use it (default: of all)')
    .action(async (options: ServeOptions) => end(await serve(options, io)));

async function serve({ limit, window, routes, flaky, cors, ...rest }: ServeOptions, io: Io): Promise<ExitCode> {
  const stop = listenForStop(io);
  try {
    const options: ServerOptions = {
      ...rest,
      ...(limit !== undefined && { limit: { requests: limit, windowMs: Math.round(window * 1000), routes } }),
      ...(flaky !== undefined && { flaky }),
      ...(cors !== undefined && { cors: cors === true || { origins: cors } }),
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

/** The longest window, in seconds: a timer holds no more. */
const LONGEST_WINDOW = Math.floor(MAX_TIMER / 1000);

function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value < 0.001 || value > LONGEST_WINDOW) {
    throw new InvalidArgumentError(`Give seconds, more than 0 and at most ${LONGEST_WINDOW}.`);
  }
  return value;
}
