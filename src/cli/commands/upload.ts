import { Command, Option } from 'commander';
import { defer, takeUntil } from 'rxjs';
import { eachEvent } from '../../client/eachEvent.js';
import { BUILD_API } from '../../node/buildClient.js';
import { screenshots } from '../../node/screenshots.js';
import { uploadBuild } from '../../node/uploadBuild.js';
import { isUploadError } from '../../node/UploadError.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { UsageError } from '../../request/errors/UsageError.js';
import type { CommandFactory } from '../createProgram.js';
import { EXIT, type ExitCode } from '../ExitCode.js';
import { filled } from '../filled.js';
import type { Io } from '../Io.js';
import { listenForStop } from '../listenForStop.js';
import { barReport } from '../report/barReport.js';
import { jsonReport } from '../report/jsonReport.js';
import { lineReport } from '../report/lineReport.js';
import type { Report } from '../report/Report.js';
import { openTarget, type TargetOptions } from '../upload/openTarget.js';
import { wholeNumber } from '../wholeNumber.js';

interface UploadOptions extends TargetOptions {
  readonly concurrency: number;
  readonly json?: boolean;
}

const HELP = `
Exit codes: 0 all arrived, 1 some did not, 2 wrong usage, 130 Ctrl-C,
143 terminated, 129 hung up
Proxies: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY are honoured, in lower
case too; before Node 24.14 that needs the package undici`;

/** `coldfetch upload DIR` */
export const uploadCommand: CommandFactory = (io, end) =>
  new Command('upload')
    .description('upload a folder of screenshots as one build, to the Argos API by default, waiting whenever the server says so')
    .argument('<dir>', 'folder with png, jpeg, webp, gif or avif images', filled('the path of a folder'))
    .option('--api <url>', 'base URL of the build API', BUILD_API)
    .option('--token <token>', "the project's token; better in the variable COLDFETCH_TOKEN, where others do not see it")
    .option('--commit <sha>', 'commit that the screenshots show (default: from CI variables, else from git)')
    .option('--branch <name>', 'its branch (default: from CI variables, else from git)')
    .option('--concurrency <files>', 'files sent at once', wholeNumber(9_999), 10)
    .option('--json', 'print events as lines of JSON')
    .option('--redis', "share the API's quota with other uploads, by the Redis whose URL is in the variable COLDFETCH_REDIS")
    .addOption(new Option('--embedded', 'upload to a server of its own, which answers 429 now and then').conflicts(['api', 'redis']))
    .addHelpText('after', HELP)
    .action(async (dir: string, options: UploadOptions) => end(await upload(dir, options, io)));

async function upload(dir: string, options: UploadOptions, io: Io): Promise<ExitCode> {
  const stop = listenForStop(io);
  try {
    const { http, retry, source, close } = await openTarget(options, io);
    const report = reportFor(options, io);
    let completed = false;
    try {
      const upload$ = defer(() => uploadBuild(http, screenshots(dir), { ...source, retry, concurrency: options.concurrency }));
      for await (const event of eachEvent(upload$.pipe(takeUntil(stop.stop$)))) {
        report.show(event);
        if (event.type === 'summary') ({ completed } = event);
      }
    } finally {
      report.close();
      await close();
    }
    return stop.code() ?? (completed ? EXIT.fine : EXIT.failed);
  } catch (error) {
    throw isRefusedToken(error)
      ? new UsageError("The API refused the token: set COLDFETCH_TOKEN or --token to the project's", { cause: error })
      : error;
  } finally {
    stop.close();
  }
}

function isRefusedToken(error: unknown): boolean {
  return isUploadError(error) && isHttpError(error.cause) && error.cause.status === 401;
}

function reportFor({ json = false }: UploadOptions, io: Io): Report {
  if (json) return jsonReport(io.stdout);
  return canRedraw(io) ? barReport(io) : lineReport(io);
}

/** Whether lines can be drawn over: on a terminal that knows cursor codes, and in no CI log. */
function canRedraw({ stdout, env }: Io): boolean {
  return stdout.isTTY === true && env.TERM !== 'dumb' && !env.CI;
}
