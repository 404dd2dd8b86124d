import { Command, InvalidArgumentError, Option } from 'commander';
import { pacer } from '../../pace/pacer.js';
import { policies, type PolicyName } from '../../retry/policies.js';
import { formatDuration } from '../../request/duration.js';
import { fleet, type FleetRun } from '../../simulate/fleet.js';
import { plot, score } from '../../simulate/fleetReport.js';
import { fixedWindow, type Limit, type Server, slidingWindow, tokenBucket } from '../../simulate/servers.js';
import { type CommandFactory, EXIT, type ExitCode } from '../ExitCode.js';
import { type Io, writeJson, writeLines } from '../Io.js';
import { timeOption, wholeNumber } from '../optionParsers.js';

const SERVERS = { 'fixed-window': fixedWindow, 'sliding-window': slidingWindow, 'token-bucket': tokenBucket } satisfies Record<
  string,
  (limit: Limit) => Server
>;

interface SimulateOptions {
  readonly shards: number;
  readonly uploads: number;
  readonly atOnce: number;
  readonly limit: number;
  readonly window: number;
  readonly server: keyof typeof SERVERS;
  readonly policy: PolicyName;
  readonly pace: 'pacer' | 'none';
  readonly latency: number;
  readonly seed: number;
  readonly json?: boolean;
}

const HELP = `
Every shard is a client of its own and knows nothing of the others; they start
within 5 s. The code that runs is the library's own, in virtual time. A shard
that loses an upload stops, as a job does that failed.

Example: coldfetch simulate --shards 32 --limit 500 --window 5m --pace none

Exit codes: 0 no shard lost, 1 some lost an upload, 2 wrong usage`;

const count = wholeNumber(999_999);

/** `coldfetch simulate` */
export const simulateCommand: CommandFactory = (io, end) =>
  new Command('simulate')
    .description('play a fleet of CI shards against a rate-limited server, in no time: who gets through, when, and with how many 429s')
    .option('--shards <number>', 'clients that share the limit', count, 8)
    .option('--uploads <number>', 'uploads of each shard', count, 60)
    .option('--at-once <number>', 'uploads that a shard has in flight at most', count, 10)
    .option('--limit <requests>', 'requests that the server allows in a window', count, 500)
    .addOption(new Option('--window <time>', 'length of the window, such as 6s').argParser(window).default(300_000, '5m'))
    .addOption(new Option('--server <kind>', 'how the server counts').choices(Object.keys(SERVERS)).default('fixed-window'))
    .addOption(new Option('--policy <name>', 'the retry policy').choices(Object.keys(policies)).default('upload'))
    .addOption(new Option('--pace <how>', 'what holds requests back').choices(['pacer', 'none']).default('pacer'))
    .addOption(new Option('--latency <time>', 'from sending to the answer').argParser(timeOption).default(100, '100ms'))
    .option('--seed <number>', 'the same number, the same run', count, 1)
    .option('--json', 'print data')
    .addHelpText('after', HELP)
    .action((options: SimulateOptions) => end(simulate(options, io)));

function simulate(options: SimulateOptions, io: Io): ExitCode {
  const { limit, window, pace, policy, json, ...rest } = options;
  const rule = { limit, window };
  const run = fleet({
    ...rest,
    server: SERVERS[options.server](rule),
    policy: policies[policy],
    pace: pace === 'none' ? undefined : (random) => pacer({ random }),
  });
  if (json) writeJson(io.stdout, { options, ...score(run, rule) }, 2);
  else writeLines(io.stdout, describe(options, run));
  return run.lost === 0 ? EXIT.fine : EXIT.failed;
}

function describe(options: SimulateOptions, run: FleetRun): string {
  const { shards, uploads, atOnce, limit, window, server, policy, pace } = options;
  const { lost, end, seconds, sent, early, fairness, mostRejections } = score(run, options);
  const wanted = shards * uploads;
  const needed = Math.ceil(wanted / limit) - 1;
  const optimum =
    needed > 0 && lost === 0 ? `, ${end.toFixed(3)} times the ${formatDuration(needed * window)} that the limit asks for` : '';
  const each = run.succeeded > 0 ? ` (${sent.toFixed(3)} for each)` : '';
  return [
    `${shards} shards with ${uploads} uploads each, ${atOnce} at once; ${limit} requests in ${formatDuration(window)} (${server})`,
    `policy ${policy}, ${pace === 'none' ? 'no pacer' : 'a pacer in each shard'}`,
    '',
    plot(run),
    '         # answered   x 429',
    '',
    `done after ${seconds.toFixed(0)} s${optimum}`,
    `${run.succeeded} of ${wanted} uploads arrived, by ${run.arrivals.length} requests${each}`,
    `${lost} of ${shards} shards lost an upload; most 429s of one upload: ${mostRejections}; requests sent early: ${early}`,
    `how alike the times of the shards were (1: all the same): ${fairness.toFixed(2)}`,
  ].join('\n');
}

function window(text: string): number {
  const ms = timeOption(text);
  if (ms < 1000) throw new InvalidArgumentError('Give a second or more: servers announce whole seconds.');
  return ms;
}
