import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../request/errors/UsageError.js';
import { toHeaders } from '../../request/toHeaders.js';
import { policies, type PolicyName } from '../../retry/policies.js';
import { renderSvg } from '../../timeline/renderSvg.js';
import { EXIT, type ExitCode } from '../ExitCode.js';
import { distribution } from '../explain/distribution.js';
import { durationOf } from '../explain/durationOf.js';
import { explainScript } from '../explain/explainScript.js';
import { parseExplainScript } from '../explain/parseExplainScript.js';
import { renderDistribution, renderExplanation } from '../explain/renderExplanation.js';
import { type HeaderField, headerField } from '../headerField.js';
import { type Io, writeLine } from '../Io.js';
import type { CommandFactory } from '../program.js';

interface ExplainOptions {
  readonly policy: PolicyName;
  readonly method: string;
  readonly header?: readonly HeaderField[];
  readonly latency: number;
  readonly abortAt?: number;
  readonly random: number;
  readonly runs?: number;
  readonly svg?: string;
  readonly json?: boolean;
}

const HELP = `
A script is a list of answers, one for each request:
  429{retry-after:30}   a status, with header fields if you like: {name:value,name:"a value, quoted"}
  network               the connection is lost
  hang                  no answer comes
  503*4   503*          the same four times; as often as it is asked for
  200ms:503             it takes 200 ms

Example: coldfetch explain --policy api '429{retry-after:30} 503 hang 200'

Exit codes: 0 answered (with --runs: in every run), 1 gave up, aborted, or the script was too short, 2 wrong usage`;

/** `coldfetch explain SCRIPT` */
export const explainCommand: CommandFactory = (io, end) =>
  new Command('explain')
    .description('play a script of answers against a retry policy, in no time, and say what would happen and why')
    .argument('<script...>', "answers of the server, such as '429{retry-after:30} 503 hang 200'")
    .addOption(new Option('--policy <name>', 'the retry policy').choices(Object.keys(policies)).default('standard'))
    .option('--method <method>', 'method of the request', method, 'GET')
    .option('--header <field...>', "header field of the request, such as 'idempotency-key: 1'", headerField)
    .option('--latency <time>', 'how long answers take', duration, 0)
    .option('--abort-at <time>', "when the caller aborts, such as 1.5s; 'before': before the start", abortMoment)
    .option('--random <number>', 'what every random draw is, from 0 up to 1', draw, 0.5)
    .addOption(new Option('--runs <number>', 'play it so many times with real draws, and sum up').argParser(runs).conflicts('random'))
    .option('--svg <file>', 'write a picture')
    .option('--json', 'print data')
    .addHelpText('after', HELP)
    .action(async (script: readonly string[], options: ExplainOptions) => end(await explain(script.join(' '), options, io)));

async function explain(script: string, options: ExplainOptions, io: Io): Promise<ExitCode> {
  const { header = [], latency, abortAt, random } = options;
  const input = {
    steps: parseExplainScript(script),
    policy: policies[options.policy],
    method: options.method,
    headers: Object.fromEntries(toHeaders([...header], () => '--header')),
    latency,
    abortAt,
    label: options.policy,
  };
  const explanation = explainScript({ ...input, random });
  const summary = options.runs === undefined ? undefined : distribution(input, options.runs);
  if (options.svg !== undefined) await save(resolve(io.cwd, options.svg), renderSvg(explanation.timeline, { title: script }));
  if (options.json) {
    writeLine(
      io.stdout,
      JSON.stringify({ policy: options.policy, script, ...explanation, ...(summary && { distribution: summary }) }, null, 2),
    );
  } else {
    writeLine(io.stdout, renderExplanation(explanation, io.stdout.columns));
    if (summary) writeLine(io.stdout, `\n${renderDistribution(summary)}`);
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

function duration(text: string): number {
  const ms = durationOf(text);
  if (ms === undefined) throw new InvalidArgumentError('Write a time as in 200ms, 1.5s or 2m.');
  return ms;
}

function abortMoment(text: string): number {
  return text === 'before' || text === '-1' ? -1 : duration(text);
}

function draw(text: string): number {
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || value >= 1) throw new InvalidArgumentError('Give a number from 0 up to, not including, 1.');
  return value;
}

function runs(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 99999.');
  return Number(text);
}
