import { Command } from 'commander';
import { takeUntil } from 'rxjs';
import { eachEvent } from '../../client/eachEvent.js';
import { finalizeBuilds } from '../../node/finalizeBuilds.js';
import { skipBuild } from '../../node/skipBuild.js';
import type { Build } from '../../node/UploadBuildEvent.js';
import { printable } from '../../request/printable.js';
import { type CommandFactory, EXIT, type ExitCode } from '../ExitCode.js';
import { type Io, writeLine } from '../Io.js';
import { listenForStop, type StopListener } from '../processIo.js';
import { httpWaits } from '../report/waitNotices.js';
import { MAX_ID } from '../report/summaryLines.js';
import { buildOptions } from '../upload/BuildFacts.js';
import { explainRefusedToken } from '../upload/explainRefusedToken.js';
import { findFacts } from '../upload/findFacts.js';
import { findNonce } from '../upload/findParallel.js';
import { tokenSource } from '../upload/findToken.js';
import { openTarget, type Target } from '../upload/openTarget.js';
import { readCiVariables } from '../upload/readCiVariables.js';
import { addSettings, readSettings, type SettingFlags, type Settings } from '../upload/settings/readSettings.js';
import { showSkipped } from '../upload/showSkipped.js';

interface FinalizeFlags extends SettingFlags {
  readonly token?: string;
  readonly skipIfEmpty?: boolean;
}

const HELP = `
Exit codes: 0 finalised, 1 not, or there is no build of the nonce, 2 wrong usage`;

/** `coldfetch finalize` */
export const finalizeCommand: CommandFactory = (io, end) =>
  addSettings(
    new Command('finalize')
      .description('complete the build of shards that were uploaded with --parallel-total -1')
      .option('--token <token>', "the project's token; better in the variable COLDFETCH_TOKEN, where others do not see it"),
    ['api', 'parallelNonce', 'buildName', 'commit', 'branch', 'mode', 'timeout', 'ca'],
  )
    .option('--skip-if-empty', 'where no shard has uploaded anything, make a build that is marked as skipped')
    .addHelpText('after', HELP)
    .action(async (flags: FinalizeFlags) => end(await finalize(flags, io)));

async function finalize(flags: FinalizeFlags, io: Io): Promise<ExitCode> {
  const stop = listenForStop(io);
  try {
    const settings = await readSettings(flags, io);
    const nonce = findNonce(settings, readCiVariables(io.env));
    const target = await openTarget({ api: settings.api, token: flags.token, timeout: settings.timeout, ca: settings.ca }, io);
    try {
      const builds = await finalized(target, nonce.value, io, stop.stop$);
      if (stop.code() === undefined && builds.length === 0) return await withoutBuilds(flags, settings, target, io);
      return stop.code() ?? EXIT.fine;
    } finally {
      await target.close();
    }
  } catch (error) {
    throw explainRefusedToken(error, tokenSource(flags.token, io.env));
  } finally {
    stop.close();
  }
}

async function finalized({ http, retry }: Target, nonce: string, { stdout }: Io, stop$: StopListener['stop$']): Promise<readonly Build[]> {
  const wait = httpWaits(stdout);
  let builds: readonly Build[] = [];
  for await (const event of eachEvent(finalizeBuilds(http, { nonce, retry }).pipe(takeUntil(stop$)))) {
    if (event.type === 'wait') wait(event);
    else ({ builds } = event);
  }
  for (const { id, url } of builds) writeLine(stdout, `build ${printable(id, MAX_ID)} is finalised: ${url}`);
  return builds;
}

/** Ends without builds: nothing was uploaded under the nonce, which is an error, unless a skipped build is asked for. */
async function withoutBuilds(
  { skipIfEmpty = false }: FinalizeFlags,
  settings: Settings,
  { http, retry }: Target,
  io: Io,
): Promise<ExitCode> {
  if (!skipIfEmpty) {
    writeLine(
      io.stderr,
      'coldfetch: No build has this nonce: no shard has uploaded, or by another nonce; --skip-if-empty makes a skipped build',
    );
    return EXIT.failed;
  }
  const facts = await findFacts({ ...settings, parallelNonce: undefined, parallel: { value: false, from: 'finalize' } }, io, false);
  await showSkipped(skipBuild(http, { ...buildOptions(facts), retry }), io);
  return EXIT.fine;
}
