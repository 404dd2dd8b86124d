import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { defer } from 'rxjs';
import { createClient } from '../../client/createClient.js';
import { eachEvent } from '../../client/eachEvent.js';
import type { HttpClient } from '../../client/HttpClient.js';
import { formTarget } from '../../node/formTarget.js';
import { putTarget } from '../../node/putTarget.js';
import { s3Signer } from '../../node/s3Signer.js';
import { screenshots } from '../../node/screenshots.js';
import { CHECKSUM_HEADERS, type ChecksumHeader } from '../../node/upload/put/checksumHeaders.js';
import { uploadPolicy } from '../../node/uploadPolicy.js';
import { uploadTo } from '../../node/uploadTo.js';
import type { InspectedFile, UploadTarget } from '../../node/UploadTarget.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { type CommandFactory, EXIT, type ExitCode } from '../ExitCode.js';
import type { Io } from '../Io.js';
import { withOptionNames } from '../withOptionNames.js';
import { filled, type HeaderField, headerField, positiveTime, wholeNumber } from '../optionParsers.js';
import { listenForStop, type StopListener } from '../processIo.js';
import { annotationsOption, openReport, type ReportOptions } from '../report/openReport.js';
import type { Report } from '../report/Report.js';
import { caOption } from '../upload/caOption.js';
import { type Manifest, readManifest } from '../upload/readManifest.js';
import { openNetwork } from '../upload/openNetwork.js';
import type { Sourced } from '../upload/settings/Setting.js';

interface PutOptions extends ReportOptions {
  readonly header?: readonly HeaderField[];
  readonly checksum?: ChecksumHeader;
  readonly mkcol?: boolean;
  readonly s3?: boolean;
  readonly urls?: string;
  readonly form?: string;
  readonly field?: readonly (readonly [name: string, value: string])[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly concurrency: number;
  readonly timeout: number;
  readonly ca?: Sourced<string>;
}

const HELP = `
The URL has {name}, the path below the folder, or {key}, the SHA-256 of the
bytes; one that ends in / is a folder. Quote it: a shell may read the braces.
--urls FILE has a URL for each file instead: { "a/b.png": "https://..." }, or
{ "url": ..., "headers": ... } where a signature asks for header fields.
--s3 reads AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and
AWS_REGION. Proxies and certificate authorities are those of upload.
Exit codes: 0 all arrived, 1 some did not, 2 wrong usage, 130 Ctrl-C,
143 terminated, 129 hung up`;

/** `coldfetch put DIR URL` */
export const putCommand: CommandFactory = (io, end) =>
  new Command('put')
    .description('send the files of a folder, each by PUT to a URL of its own: WebDAV, presigned URLs, S3-compatible storage; or by a form')
    .argument('<dir>', 'folder of the files', filled('the path of a folder'))
    .argument('[url]', 'URL with {name} or {key}; one that ends in / is a folder', filled('a URL'))
    .addOption(
      new Option('--urls <file>', 'JSON object with a URL for each file, by its path, such as presigned ones; - is the standard input')
        .argParser(filled('the path of a file'))
        .conflicts(['mkcol', 's3', 'form']),
    )
    .option('--header <field>', "header field, as 'name: value'; may be given several times", headerField)
    .addOption(new Option('--checksum <field>', 'header field that carries the SHA-256 of each file').choices(CHECKSUM_HEADERS))
    .option('--mkcol', 'make missing folders of a WebDAV server first')
    .addOption(new Option('--s3', 'sign for S3-compatible storage, by the AWS_* variables').conflicts(['mkcol', 'form']))
    .addOption(new Option('--form <field>', 'send by POST in a form, under this name of a field').conflicts(['mkcol', 'checksum']))
    .option('--field <field>', "further field of the form, as 'name=value', with {name} and {key}; may be given several times", formField)
    .option('--include <pattern>', 'files to send, as a glob pattern; may be given several times (default: all)', patterns)
    .option('--exclude <pattern>', 'files to leave out, as a glob pattern; may be given several times', patterns)
    .option('--concurrency <files>', 'files sent at once', wholeNumber(9_999), 10)
    .addOption(
      new Option('--timeout <time>', 'let a request fail, and be repeated, that makes no progress for this time')
        .argParser(positiveTime)
        .default(uploadPolicy.timeout, '30s'),
    )
    .addOption(caOption())
    .option('--json', 'print events as lines of JSON')
    .addOption(new Option('--quiet', 'print failures only').conflicts(['json', 'verbose']))
    .addOption(new Option('--verbose', 'print each event in detail').conflicts('json'))
    .option('--annotations <format>', 'annotations for a CI service, as those of upload', annotationsOption)
    .option('--summary <file>', 'add a summary in Markdown to this file', filled('the path of a file'))
    .option('--log <file>', 'write all events into this file, as lines of JSON', filled('the path of a file'))
    .option('--report <file>', 'write the course of the upload into this file, as a page to look at', filled('the path of a file'))
    .option('--live', 'serve that page on this machine while the upload goes on; its address is printed')
    .addHelpText('after', HELP)
    .action(async (dir: string, url: string | undefined, options: PutOptions) => end(await put(dir, url, options, io)));

async function put(dir: string, url: string | undefined, options: PutOptions, io: Io): Promise<ExitCode> {
  const stop = listenForStop(io);
  try {
    const target = targetOf(await openClient(options, io), await readPlaces(url, options, io), options);
    const report = await openReport(dir, options, io);
    try {
      const completed = await send(dir, target, options, { io, report, stop$: stop.stop$ });
      report.close();
      return stop.code() ?? (completed ? EXIT.fine : EXIT.failed);
    } catch (error) {
      report.close(withOptionNames(error instanceof Error ? error.message : String(error)));
      throw error;
    }
  } finally {
    stop.close();
  }
}

async function openClient({ s3 = false, ca }: PutOptions, io: Io): Promise<HttpClient> {
  return createClient({
    retry: uploadPolicy,
    ...(await openNetwork({ ...io, ca })),
    pace: { maxWait: Infinity },
    attemptInterceptors: s3 ? [s3Signer(readCredentials(io.env))] : [],
  });
}

function readCredentials({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_DEFAULT_REGION }: Io['env']) {
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new UsageError('--s3 needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN,
    region: AWS_REGION ?? AWS_DEFAULT_REGION,
  };
}

/** Place of the files: a URL for all of them, or a manifest. @throws UsageError unless it is one of both */
async function readPlaces(url: string | undefined, { urls }: PutOptions, io: Io): Promise<string | Manifest> {
  if (url !== undefined && urls !== undefined) throw new UsageError('--urls has a URL for each file; leave out the other one');
  if (urls !== undefined) return readManifest(urls, io);
  if (url === undefined) throw new UsageError('No URL: give one behind the folder, or one for each file by --urls');
  return url;
}

function targetOf(http: HttpClient, places: string | Manifest, options: PutOptions): UploadTarget<undefined> {
  const { header = [], checksum, mkcol: makeCollections, s3 = false, form, field = [], timeout } = options;
  const retry = { ...uploadPolicy, timeout };
  const headers = Object.fromEntries(header);
  if (form !== undefined && typeof places === 'string')
    return formTarget(http, places, { field: form, fields: Object.fromEntries(field), headers, retry });
  if (field.length > 0) throw new UsageError('--field is a part of a form; give --form, the name of the field that holds the file');
  const checksums = new Set<ChecksumHeader>([...(s3 ? (['x-amz-content-sha256'] as const) : []), ...(checksum ? [checksum] : [])]);
  const how = { headers, checksums: [...checksums], makeCollections, retry };
  if (typeof places === 'string') return putTarget(http, places, how);
  const target = putTarget(http, ({ name }) => places.get(name) ?? '', how);
  const refuse = ({ name }: InspectedFile): string | undefined =>
    places.has(name) ? undefined : `${name} has no URL in the file of --urls; add one, or leave the file out by --exclude`;
  return { ...target, refuse, isExpired: undefined };
}

interface Sending {
  readonly io: Io;
  readonly report: Report;
  readonly stop$: StopListener['stop$'];
}

/** True if every file arrived. */
async function send(
  dir: string,
  target: UploadTarget<undefined>,
  options: PutOptions,
  { io, report, stop$: abort$ }: Sending,
): Promise<boolean> {
  const { include = ['**/*'], exclude, concurrency } = options;
  const upload$ = defer(() => uploadTo(target, screenshots(resolve(io.cwd, dir), { include, exclude }), { concurrency, abort$ }));
  let isCompleted = false;
  report.start();
  for await (const event of eachEvent(upload$)) {
    report.show(event);
    if (event.type === 'summary') isCompleted = event.completed;
  }
  return isCompleted;
}

/** Field written as `name=value`. @throws InvalidArgumentError for another text */
function formField(text: string, before: PutOptions['field'] = []): PutOptions['field'] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Write it as 'name=value'.");
  return [...before, [name, value]];
}

function patterns(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, filled('a glob pattern')(text)];
}
