import { Command, InvalidArgumentError, Option } from 'commander';
import { defer, ReplaySubject, take, takeUntil } from 'rxjs';
import { eachEvent } from '../../client/eachEvent.js';
import { BUILD_API } from '../../node/buildClient.js';
import { screenshots } from '../../node/screenshots.js';
import { uploadBuild } from '../../node/uploadBuild.js';
import { EXIT, type ExitCode } from '../ExitCode.js';
import type { Io } from '../Io.js';
import type { CommandFactory } from '../program.js';
import { barReport } from '../report/barReport.js';
import { jsonReport } from '../report/jsonReport.js';
import { lineReport } from '../report/lineReport.js';
import type { Report } from '../report/Report.js';
import { openTarget, type TargetOptions } from '../upload/openTarget.js';

interface UploadOptions extends TargetOptions {
  readonly concurrency: number;
  readonly json?: boolean;
}

/** `coldfetch upload DIR` */
export const uploadCommand: CommandFactory = (io, end) =>
  new Command('upload')
    .description('upload a folder of screenshots as one build, waiting whenever the server says so')
    .argument('<dir>', 'folder with png, jpeg, webp, gif or avif images')
    .option('--api <url>', 'base URL of the build API', BUILD_API)
    .option('--token <token>', "the project's token; better in the variable COLDFETCH_TOKEN, where others do not see it")
    .option('--commit <sha>', 'commit that the screenshots show (default: from CI variables, else from git)')
    .option('--branch <name>', 'its branch (default: from CI variables, else from git)')
    .option('--concurrency <files>', 'files sent at once', wholeNumber, 10)
    .option('--json', 'print events as lines of JSON')
    .addOption(new Option('--embedded', 'upload to a server of its own, which answers 429 now and then').conflicts('api'))
    .addHelpText('after', '\nExit codes: 0 all arrived, 1 some did not, 2 wrong usage, 130 Ctrl-C')
    .action(async (dir: string, options: UploadOptions) => end(await upload(dir, options, io)));

async function upload(dir: string, options: UploadOptions, io: Io): Promise<ExitCode> {
  // A signal while the target opens is kept until there is something to stop.
  const stop$ = new ReplaySubject<'SIGINT' | 'SIGTERM'>(1);
  const listening = io.stop$.pipe(take(1)).subscribe(stop$);
  let code: ExitCode = EXIT.failed;
  stop$.subscribe((signal) => (code = EXIT[signal]));
  const target = await openTarget(options, io);
  const report = reportFor(options, io);
  const { commit, branch, details } = target.source;
  try {
    const upload$ = defer(() => uploadBuild(target.http, screenshots(dir), { commit, branch, details, concurrency: options.concurrency }));
    for await (const event of eachEvent(upload$.pipe(takeUntil(stop$)))) {
      report.show(event);
      if (event.type === 'summary' && event.completed) code = EXIT.fine;
    }
  } finally {
    listening.unsubscribe();
    report.close();
    await target.close();
  }
  return code;
}

function reportFor({ json = false }: UploadOptions, io: Io): Report {
  if (json) return jsonReport(io.stdout);
  return io.stdout.isTTY === true ? barReport(io) : lineReport(io);
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 9999.');
  return Number(text);
}
