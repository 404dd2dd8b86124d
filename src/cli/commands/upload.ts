import { Command, Option } from 'commander';
import { defer, takeUntil } from 'rxjs';
import { eachEvent } from '../../client/eachEvent.js';
import { skipBuild } from '../../node/skipBuild.js';
import { uploadBuild } from '../../node/uploadBuild.js';
import { type CommandFactory, EXIT, type ExitCode } from '../ExitCode.js';
import type { Io } from '../Io.js';
import { withOptionNames } from '../withOptionNames.js';
import { filled } from '../optionParsers.js';
import { listenForStop, type StopListener } from '../processIo.js';
import { annotationsOption, openReport, type ReportOptions } from '../report/openReport.js';
import type { Report } from '../report/Report.js';
import { type BuildFacts, buildOptions } from '../upload/BuildFacts.js';
import { dryRun } from '../upload/dryRun.js';
import { explainRefusedToken } from '../upload/explainRefusedToken.js';
import { findFacts } from '../upload/findFacts.js';
import { findScreenshots } from '../upload/findScreenshots.js';
import { findToken, tokenSource } from '../upload/findToken.js';
import { journalPath } from '../upload/journalPath.js';
import { openTarget } from '../upload/openTarget.js';
import { addSettings, readSettings, type SettingFlags } from '../upload/settings/readSettings.js';
import { SETTINGS, type SettingName } from '../upload/settings/SETTINGS.js';
import { showSkipped } from '../upload/showSkipped.js';

interface UploadFlags extends SettingFlags, ReportOptions {
  readonly token?: string;
  readonly embedded?: boolean;
  readonly redis?: boolean;
  readonly dryRun?: boolean;
  readonly resume?: boolean;
  readonly journal?: string;
}

const HELP = `
Settings: a flag comes before its variable (COLDFETCH_BRANCH or ARGOS_BRANCH for
--branch), that before the config file, that before CI variables and git
Exit codes: 0 all arrived, 1 some did not, 2 wrong usage, 3 completed without
files that failed (--allow-missing), 130 Ctrl-C, 143 terminated, 129 hung up;
a second Ctrl-C ends it at once
Proxies: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY are honoured, in lower
case too; before Node 24.14 that needs the package undici`;

/** `coldfetch upload DIR` */
export const uploadCommand: CommandFactory = (io, end) =>
  addSettings(
    new Command('upload')
      .description('upload a folder of screenshots as one build, to the Argos API by default, waiting whenever the server says so')
      .argument('<dir>', 'folder with png, jpeg, webp, gif or avif images', filled('the path of a folder'))
      .option('--token <token>', "the project's token; better in the variable COLDFETCH_TOKEN, where others do not see it"),
    Object.keys(SETTINGS) as SettingName[],
  )
    .option('--dry-run', 'tell all that would be sent, and where each value comes from; send nothing')
    .option('--resume', 'take notes in a journal, and go on with an upload that was killed, where there is one')
    .option('--journal <folder>', 'folder of the journal; implies --resume (default: a temporary one)', filled('the path of a folder'))
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
    .option('--live', 'serve that page on this machine while the upload goes on; its address is printed')
    .option('--redis', "share the API's quota with other uploads, by the Redis whose URL is in the variable COLDFETCH_REDIS")
    .addOption(new Option('--embedded', 'upload to a server of its own, which answers 429 now and then').conflicts(['api', 'redis']))
    .addHelpText('after', HELP)
    .action(async (dir: string, flags: UploadFlags) => end(await upload(dir, flags, io)));

async function upload(dir: string, flags: UploadFlags, io: Io): Promise<ExitCode> {
  const { dryRun: isDry = false, embedded = false } = flags;
  const stop = listenForStop(io);
  try {
    const settings = await readSettings(flags, io);
    if (!isDry && !embedded) findToken(flags.token, io.env);
    const report = isDry ? undefined : await openReport(dir, flags, io);
    try {
      const facts = await findFacts(settings, io, embedded);
      const code = report ? await send(dir, flags, facts, { io, report, stop }) : await showPlan(dir, flags, facts, io);
      report?.close();
      return stop.code() ?? code;
    } catch (error) {
      const explained = explainRefusedToken(error, tokenSource(flags.token, io.env));
      report?.close(explained instanceof Error ? withOptionNames(explained.message) : String(explained));
      throw explained;
    }
  } finally {
    stop.close();
  }
}

async function showPlan(dir: string, { token, json = false }: UploadFlags, facts: BuildFacts, io: Io): Promise<ExitCode> {
  const from = tokenSource(token, io.env) ?? 'not set';
  if (from !== 'not set') findToken(token, io.env);
  await dryRun({ files: findScreenshots(dir, facts, io.cwd), facts, token: from, json }, io.stdout);
  return EXIT.fine;
}

interface Sending {
  readonly io: Io;
  readonly report: Report;
  readonly stop: StopListener;
}

async function send(
  dir: string,
  { token, embedded, redis, resume = false, journal }: UploadFlags,
  facts: BuildFacts,
  { io, report, stop }: Sending,
): Promise<ExitCode> {
  const { http, retry, close } = await openTarget({ api: facts.api, token, timeout: facts.timeout, ca: facts.ca, embedded, redis }, io);
  const isResumable = resume || journal !== undefined;
  const options = { ...buildOptions(facts), retry, journal: isResumable ? journalPath(journal, dir, facts, io.cwd) : undefined };
  try {
    if (facts.skipped?.value === true) {
      await showSkipped(skipBuild(http, options).pipe(takeUntil(stop.stop$)), io);
      return EXIT.fine;
    }
    report.start();
    let code: ExitCode = EXIT.failed;
    const upload$ = defer(() => uploadBuild(http, findScreenshots(dir, facts, io.cwd), { ...options, abort$: stop.stop$ }));
    for await (const event of eachEvent(upload$)) {
      report.show(event);
      if (event.type === 'summary' && event.completed) code = event.failed > 0 ? EXIT.missing : EXIT.fine;
    }
    return code;
  } finally {
    await close();
  }
}
