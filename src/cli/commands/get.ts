import { Command, Option } from 'commander';
import { defer, filter, lastValueFrom, merge, type Observable, takeUntil, tap } from 'rxjs';
import { coalesceProgress } from '../../client/coalesceProgress.js';
import type { HttpClient } from '../../client/HttpClient.js';
import { linkPages } from '../../read/pages/linkPages.js';
import type { ResponseEvent } from '../../request/HttpEvent.js';
import { isUsageError, UsageError } from '../../request/errors/UsageError.js';
import { policies } from '../../retry/policies.js';
import { type CommandFactory, EXIT, type ExitCode } from '../ExitCode.js';
import { BackpressuredWriter } from '../get/BackpressuredWriter.js';
import { explainGetFailure } from '../get/explainGetFailure.js';
import { follow } from '../get/follow.js';
import { type GetReport, jsonGet, plainGet } from '../get/getReports.js';
import { itemsOf } from '../get/rawJson.js';
import { openReader, type ReaderOptions } from '../get/openReader.js';
import { withOptionNames } from '../withOptionNames.js';
import { type Io, writeLine } from '../Io.js';
import { listenForStop } from '../processIo.js';
import { caOption } from '../upload/caOption.js';
import { filled, headerField, positiveTime, wholeNumber } from '../optionParsers.js';

interface GetOptions extends ReaderOptions {
  readonly paginate?: boolean;
  readonly items?: string;
  readonly maxPages?: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

const HELP = `
The body goes to the standard output as it came, once it is there whole (on a
terminal with control characters escaped); waits go to the error output. With
--json there is a line of JSON for each event instead: sent, headers, download,
wait, gave-up, response (with its body), item, message.

Examples:
  coldfetch get https://api.example.com/users --paginate --cache .http | jq .id
  coldfetch get https://api.example.com/events --follow

Exit codes: 0 all of it came (or nobody reads on: | head), 1 it did not,
2 wrong usage, 130 Ctrl-C`;

const folder = filled('the path of a folder');

/** `coldfetch get URL` */
export const getCommand: CommandFactory = (io, end) =>
  new Command('get')
    .description('get what is at a URL, waiting whenever the server says so')
    .argument('<url>', 'an http or https URL')
    .option('--header <field>', "header field to send, such as 'accept: text/csv'; may be given several times", headerField)
    .addOption(new Option('--policy <name>', 'how failures are retried').choices(Object.keys(policies)).default('standard'))
    .option('--cache <dir>', 'keep answers in this folder, and ask again only when they are stale', folder)
    .option('--record <dir>', 'write each answer into this folder as it came', folder)
    .addOption(
      new Option('--replay <dir>', 'answer from what was recorded in this folder, without network').argParser(folder).conflicts('record'),
    )
    .option('--paginate', 'follow Link fields from page to page; print items, a line of JSON each')
    .option('--items <field>', 'field of a page that holds its items (default: the body, or the only list in it)')
    .option('--max-pages <number>', 'most pages; more is an error (default: 50)', wholeNumber())
    .addOption(
      new Option('--follow', 'print a stream as it comes: the data of server-sent events, or lines of JSON').conflicts([
        'paginate',
        'cache',
      ]),
    )
    .option(
      '--timeout <time>',
      "time without progress, instead of the policy's own, such as 5s; streams have none unless given",
      positiveTime,
    )
    .addOption(caOption())
    .option('--max-bytes <number>', 'longest body (default: 64 MiB)', wholeNumber())
    .option('--json', 'print events as lines of JSON')
    .addHelpText('after', HELP)
    .action(async (url: string, options: GetOptions) => end(await get(url, options, io)));

async function get(url: string, options: GetOptions, io: Io): Promise<ExitCode> {
  const stop = listenForStop(io);
  const writer = new BackpressuredWriter(io.stdout);
  try {
    checkPaging(options);
    const http = await openReader(url, options, io);
    const report = options.json === true ? jsonGet(writer) : plainGet(writer, io.stderr);
    const shown$ = defer(() => show(url, options, { http, report, writer }));
    await lastValueFrom(shown$.pipe(takeUntil(merge(stop.stop$, writer.closed$))), { defaultValue: undefined });
    return stop.code() ?? EXIT.fine;
  } catch (error) {
    const explained = explainGetFailure(error);
    if (explained === undefined) throw error;
    writeLine(io.stderr, `coldfetch: ${withOptionNames(explained)}`);
    return isUsageError(error) ? EXIT.usage : EXIT.failed;
  } finally {
    stop.close();
  }
}

/** @throws UsageError for options about pages where there are none */
function checkPaging({ paginate, items, maxPages }: GetOptions): void {
  const given = items !== undefined ? '--items' : maxPages !== undefined ? '--max-pages' : undefined;
  if (paginate !== true && given !== undefined) throw new UsageError(`${given} is for pages; give --paginate with it`);
}

interface Getting {
  readonly http: HttpClient;
  readonly report: GetReport;
  readonly writer: BackpressuredWriter;
}

function show(url: string, options: GetOptions, { http, report, writer }: Getting): Observable<unknown> {
  if (options.follow === true) {
    const accept = options.header?.find(([name]) => name.toLowerCase() === 'accept')?.[1];
    return follow(http, url, {
      accept: accept === undefined ? undefined : { accept },
      timeout: options.timeout,
      maxBytes: options.maxBytes,
      report,
      writer,
    });
  }
  if (options.paginate === true) return paginated(url, options, { http, report, writer });
  return http.get(url, { observe: 'events', responseType: 'bytes' }).pipe(
    coalesceProgress(100),
    tap((event) => (event.type === 'response' ? report.answer(event) : report.show(event))),
  );
}

function paginated(url: string, { items, maxPages }: GetOptions, { http, report, writer }: Getting): Observable<unknown> {
  const getPage = (page: string): Observable<ResponseEvent<string>> =>
    http.get(page, { observe: 'events', responseType: 'text' }).pipe(
      coalesceProgress(100),
      tap((event) => report.show(event)),
      filter((event): event is ResponseEvent<string> => event.type === 'response'),
    );
  return linkPages(getPage, url, {
    items: (body) => itemsOf(body, items),
    ...(maxPages !== undefined && { maxPages }),
    // The next page is asked for when the writer has taken the items of this one.
    each: (item) => {
      report.item(item);
      return writer.drained$;
    },
  });
}
