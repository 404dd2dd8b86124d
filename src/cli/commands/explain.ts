import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { MAX_WAIT } from '../../operation/OperationContext.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { toHeaders } from '../../request/toHeaders.js';
import { policies, type PolicyName } from '../../retry/policies.js';
import { renderSvg } from '../../timeline/svg/renderSvg.js';
import { type CommandFactory, EXIT, type ExitCode } from '../ExitCode.js';
import { distribution } from '../explain/distribution.js';
import { explainScript } from '../explain/explainScript.js';
import { parseExplainScript } from '../explain/parseExplainScript.js';
import { type ExplainReport, renderDistribution, renderExplanation } from '../explain/renderExplanation.js';
import { type Io, writeJson, writeLines } from '../Io.js';
import { type HeaderField, headerField, timeOption, wholeNumber } from '../optionParsers.js';

interface ExplainOptions {
  readonly policy: PolicyName;
  readonly pace: 'default' | 'none';
  readonly method: string;
  readonly header?: readonly HeaderField[];
  readonly latency: number;
  readonly abortAt?: number;
  readonly deadline?: number;
  readonly timeout?: number;
  readonly random: number;
  readonly runs?: number;
  readonly svg?: string;
  readonly json?: boolean;
}

const HELP = `
A script is a list of answers, one for each request:
  429{retry-after:30}   a status, with header fields if you like; a value with a
                        comma is quoted: {name:value,name:"a value, quoted"}
  network               the connection is lost
  hang                  no answer comes
  stall                 a 200 whose body stops midway
  503*4   503*          the same four times; as often as it is asked for
  200ms:503             it takes 200 ms

Examples:
  coldfetch explain --policy api '429{retry-after:30} 503 hang 200'
  coldfetch explain --method POST --header 'idempotency-key: 1' '503*2 200'
  coldfetch explain '429{retry-after:"Thu, 01 Jan 1970 00:00:30 GMT"} 200'
  coldfetch explain '429{ratelimit:"\\"api\\";r=0;t=30"} 200'
  coldfetch explain --policy interactive --runs 1000 '503*3 200ms:200'

The clock starts at 0, so dates count from 1970. It is one request of a client
as createClient makes it, pacer and all, and coldfetch upload does the same
with --policy upload. A 429 closes the gate of its route, or of the quota that
it announces. The pacer opens an announced quota at a random moment of its
first slot. --pace none plays retry alone.

--json: { policy, script, random, outcome, status?, error?, reason?, hits, end,
steps: [{ at, attempt, after, text }], conclusion, timeline, distribution? }.
outcome is answered, gave-up, aborted or script-ended; hits are the times of the
requests, error the status of the error; all times are ms.

Exit codes: 0 answered (with --runs: in every run), 1 gave up, aborted, or the
script was too short, 2 wrong usage`;

/** `coldfetch explain SCRIPT` */
export const explainCommand: CommandFactory = (io, end) =>
  new Command('explain')
    .description('play a script of answers against a retry policy, in no time, and say what would happen and why')
    .argument('<script...>', "answers of the server, such as '429{retry-after:30} 503 hang 200'")
    .addOption(new Option('--policy <name>', 'the retry policy').choices(Object.keys(policies)).default('standard'))
    .addOption(new Option('--pace <pacer>', "the client's pacer; 'none' plays retry alone").choices(['default', 'none']).default('default'))
    .option('--method <method>', 'method of the request', method, 'GET')
    .option('--header <field>', "header field of the request, such as 'idempotency-key: 1'; may be given several times", headerField)
    .option('--latency <time>', 'how long answers take, such as 200ms', timeOption, 0)
    .option('--deadline <time>', "instead of the policy's own, such as 10s; 'none'", limit)
    .option('--timeout <time>', "time without progress, instead of the policy's own, such as 5s; 'none'", limit)
    .option('--abort-at <time>', "when the caller aborts, such as 1.5s; 'before': before the start", abortMoment)
    .option('--random <number>', 'what every random draw is, from 0 up to, not including, 1', draw, 0.5)
    .addOption(
      new Option('--runs <number>', 'play it so many times with real draws as well, and sum up')
        .argParser(wholeNumber(99_999))
        .conflicts('random'),
    )
    .option('--svg <file>', 'write a picture as well')
    .option('--json', 'print data instead')
    .addHelpText('after', HELP)
    .action(async (script: readonly string[], options: ExplainOptions) => end(await explain(script.join(' '), options, io)));

async function explain(script: string, options: ExplainOptions, io: Io): Promise<ExitCode> {
  const { header = [], latency, abortAt, random, deadline, timeout } = options;
  const paced = options.pace === 'default';
  const named = policies[options.policy];
  const input = {
    steps: parseExplainScript(script),
    policy: { ...named, deadline: deadline ?? named.deadline, timeout: timeout ?? named.timeout },
    method: options.method,
    headers: Object.fromEntries(toHeaders([...header], () => '--header')),
    // The pacer starts with one request, like that of buildClient.
    maxWait: options.policy === 'upload' ? Infinity : MAX_WAIT,
    latency,
    abortAt,
    label: options.policy,
  };
  const explanation = explainScript({ ...input, paced, random });
  const summary = options.runs === undefined ? undefined : distribution(input, paced, options.runs);
  if (options.svg !== undefined) await save(resolve(io.cwd, options.svg), renderSvg(explanation.timeline, { title: script }));
  if (options.json) {
    const report: ExplainReport = { policy: options.policy, script, random, ...explanation, ...(summary && { distribution: summary }) };
    writeJson(io.stdout, report, 2);
  } else {
    if (summary) writeLines(io.stdout, `One run, with every draw ${random}:\n`);
    writeLines(io.stdout, renderExplanation(explanation, io.stdout.columns ?? columnsOf(io.env)));
    if (summary) writeLines(io.stdout, `\n${renderDistribution(summary)}`);
  }
  const answered = summary ? summary.answered === 1 : explanation.outcome === 'answered';
  return answered ? EXIT.fine : EXIT.failed;
}

async function save(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(
      `--svg: cannot write ${file} (${error instanceof Error ? error.message : String(error)}); name a file in a folder that exists`,
    );
  }
}

function method(text: string): string {
  if (!/^[A-Za-z]+$/.test(text)) throw new InvalidArgumentError('Give a method such as GET or POST.');
  return text.toUpperCase();
}

/** Width from `COLUMNS`, where the output is no terminal. */
function columnsOf({ COLUMNS = '' }: Io['env']): number | undefined {
  return /^[1-9]\d*$/.test(COLUMNS) ? Number(COLUMNS) : undefined;
}

function limit(text: string): number {
  const ms = text === 'none' ? Infinity : timeOption(text);
  if (ms === 0) throw new InvalidArgumentError('Write a time above 0.');
  return ms;
}

function abortMoment(text: string): number {
  return text === 'before' || text === '-1' ? -1 : timeOption(text);
}

function draw(text: string): number {
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || value >= 1) throw new InvalidArgumentError('Give a number from 0 up to, not including, 1.');
  return value;
}
