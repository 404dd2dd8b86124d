import { Command, Option } from 'commander';
import { defer, takeUntil } from 'rxjs';
import { eachEvent } from '../../client/eachEvent.js';
import { BUILD_API } from '../../node/buildClient.js';
import { screenshots } from '../../node/screenshots.js';
import { uploadBuild } from '../../node/uploadBuild.js';
import { isUploadError } from '../../node/UploadError.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { UsageError } from '../../request/errors/UsageError.js';
import type { CommandFactory } from '../CommandFactory.js';
import { EXIT, type ExitCode } from '../ExitCode.js';
import type { Io } from '../Io.js';
import { inOptions } from '../inOptions.js';
import { listenForStop, type Stop } from '../listenForStop.js';
import { filled, wholeNumber } from '../optionParsers.js';
import { annotationsOption, openReport, type ReportOptions } from '../report/openReport.js';
import type { Report } from '../report/Report.js';
import { openTarget, type TargetOptions } from '../upload/openTarget.js';

interface UploadOptions extends TargetOptions, ReportOptions {
  readonly concurrency: number;
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
    .addOption(new Option('--quiet', 'print failures only').conflicts(['json', 'verbose']))
    .addOption(new Option('--verbose', 'print each event in detail').conflicts('json'))
    .option(
      '--annotations <format>',
      'annotations for a CI service: github, or junit=FILE (default file: coldfetch-junit.xml); may be given several times',
      annotationsOption,
    )
    .option('--summary <file>', 'add a summary in Markdown to this file, such as "$GITHUB_STEP_SUMMARY"', filled('the path of a file'))
    .option('--log <file>', 'write all events into this file, as lines of JSON', filled('the path of a file'))
    .option('--report <file>', 'write the course of the upload into this file, as a page to look at', filled('the path of a file'))
    .option('--redis', "share the API's quota with other uploads, by the Redis whose URL is in the variable COLDFETCH_REDIS")
    .addOption(new Option('--embedded', 'upload to a server of its own, which answers 429 now and then').conflicts(['api', 'redis']))
    .addHelpText('after', HELP)
    .action(async (dir: string, options: UploadOptions) => end(await upload(dir, options, io)));

async function upload(dir: string, options: UploadOptions, io: Io): Promise<ExitCode> {
  const stop = listenForStop(io);
  try {
    const report = openReport(dir, options, io);
    try {
      const completed = await send(dir, options, { io, report, stop$: stop.stop$ });
      const code = stop.code();
      report.close(code === undefined ? undefined : 'The upload was stopped by a signal');
      return code ?? (completed ? EXIT.fine : EXIT.failed);
    } catch (error) {
      const explained = explainUploadFailure(error);
      report.close(explained instanceof Error ? inOptions(explained.message) : String(explained));
      throw explained;
    }
  } finally {
    stop.close();
  }
}

interface Sending {
  readonly io: Io;
  readonly report: Report;
  readonly stop$: Stop['stop$'];
}

/** Whether the build was completed. */
async function send(dir: string, options: UploadOptions, { io, report, stop$ }: Sending): Promise<boolean> {
  const { http, retry, source, close } = await openTarget(options, io);
  let isCompleted = false;
  try {
    report.start();
    const upload$ = defer(() => uploadBuild(http, screenshots(dir), { ...source, retry, concurrency: options.concurrency }));
    for await (const event of eachEvent(upload$.pipe(takeUntil(stop$)))) {
      report.show(event);
      if (event.type === 'summary') isCompleted = event.completed;
    }
    return isCompleted;
  } finally {
    await close();
  }
}

function explainUploadFailure(error: unknown): unknown {
  const isRefusedToken = isUploadError(error) && isHttpError(error.cause) && error.cause.status === 401;
  if (!isRefusedToken) return error;
  return new UsageError("The API refused the token: set COLDFETCH_TOKEN or --token to the project's", { cause: error });
}
