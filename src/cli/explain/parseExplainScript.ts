import { UsageError } from '../../request/errors/UsageError.js';
import { printableLines } from '../../request/printable.js';
import { parseDuration } from '../../request/duration.js';
import { meantField } from './delayFields.js';

/** Columns of a line that are shown around a mistake. */
const WINDOW = 72;

/**
 * Excerpt of a line with carets under a place in it.
 *
 *       429 four 200
 *           ^^^^
 */
function pointAt(line: string, from: number, to: number): string {
  const first = from > WINDOW - 12 ? from - WINDOW / 2 : 0;
  const cut = line.slice(first, first + WINDOW).replace(/\s/g, ' ');
  const before = first > 0 ? '…' : '';
  const after = first + WINDOW < line.length ? '…' : '';
  const carets = '^'.repeat(Math.max(1, Math.min(to - from, WINDOW - (from - first))));
  return `  ${before}${cut}${after}\n  ${' '.repeat(before.length + from - first)}${carets}`;
}

/** Most repetitions by `*`; a policy that sends more is not worth watching. */
const MOST_REPEATS = 1000;

/** Most answers of a script. */
const MOST_ANSWERS = 10_000;

/** Forms of an answer, for the end of messages. */
const ANSWERS = 'a status from 200 to 599, hang, stall or network';

const FIELD_NAME = /[-!#$%&'*+.^_`|~0-9A-Za-z]+/y;
const WORD = /[^\s{}*:]+/y;

/**
 * Reads a script of answers.
 *
 *     script  =  step *( space step )
 *     step    =  [ time ":" ] answer [ "*" [ count ] ]
 *     answer  =  status [ "{" name ":" value *( "," name ":" value ) "}" ]  |  "network"  |  "hang"  |  "stall"
 *
 *     429{retry-after:30} 503*2 200ms:200          a 429 that asks for 30 s, two 503s, a 200 after 200 ms
 *     429{retry-after:"Thu, 01 Jan 1970 00:00:30 GMT"} hang network 503*
 *
 * `network` is a lost connection, `hang` no answer at all, `stall` a 200 whose body stops midway. A value ends at a comma or `}` outside of
 * double quotes; quotes around the whole of it are not part of it, and `\"` stands for a quote inside. A field that is given twice arrives as
 * `fetch` shows it, joined by `, `. `*` without a count repeats an answer as often as it is asked for, so it ends a script.
 *
 * @throws UsageError that shows the script with a caret under the mistake
 */
export function parseExplainScript(script: string): ExplainStep[] {
  let at = 0;
  const fail = (message: string, from = at, to = from + 1): never => {
    throw new UsageError(message, { excerpt: printableLines(pointAt(script, from, Math.max(to, from + 1))) });
  };
  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(script)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const take = (sign: string): boolean => {
    const is = script[at] === sign;
    if (is) at++;
    return is;
  };
  const space = (): boolean => match(/\s+/y) !== '';

  const atEnd = (): boolean => at >= script.length;

  const readValue = (): string => {
    const value = match(/(?:"(?:\\.|[^"\\])*"|[^",}])*/y).trim();
    if (script[at] === '"') fail('This quote is never closed: add another "');
    const quoted = /^"((?:\\.|[^"\\])*)"$/s.exec(value)?.[1];
    return quoted === undefined ? value : quoted.replace(/\\(.)/gs, '$1');
  };
  const readField = (isFirst: boolean): [name: string, value: string] => {
    const from = at;
    const name = match(FIELD_NAME).toLowerCase();
    const comma = isFirst ? '' : '; a value with a comma stands in double quotes';
    if (name === '' && !atEnd()) fail(`A header field has a name here, as in {retry-after:30}${comma}`);
    const end = at;
    space();
    if (!atEnd() && !/[:,}]/.test(script[at] ?? '')) fail(`The name of a header field is one word, as in {retry-after:30}${comma}`);
    if (!take(':') && !atEnd()) fail(`The header field ${name} has no value: write {${name}:value}${comma}`, from, end);
    const meant = meantField(name);
    if (meant !== undefined) fail(`No policy reads a field ${name}: did you mean ${meant}?`, from, end);
    const start = at;
    const value = readValue();
    if (!isFieldValue(value)) fail(`The value of ${name} cannot be sent: it has a line break, or characters beyond Latin-1`, start, at);
    return [name, value];
  };
  const readFields = (): Record<string, string> => {
    const open = at;
    const fields = new Map<string, string>();
    if (!take('{')) return {};
    space();
    for (let count = 0; !take('}'); count++) {
      const [name, value] = readField(count === 0);
      fields.set(name, [...(fields.has(name) ? [fields.get(name)] : []), value].join(', '));
      // The rest after readField is a comma, a brace, or the end of the script.
      if (atEnd()) fail('This brace is never closed: add "}"', open);
      if (take(',')) space();
    }
    return Object.fromEntries(fields);
  };
  const readAnswer = (): ScriptedAnswer => {
    const from = at;
    const word = match(WORD);
    if (word === 'network' || word === 'hang' || word === 'stall') {
      if (script[at] === '{') fail(`${word} has no header fields: only a status has`);
      return { type: word };
    }
    if (!/^[2-5]\d\d$/.test(word)) fail(noAnswer(word, script[from] === '{' && from > 0), from, at);
    return { type: 'status', status: Number(word), headers: readFields() };
  };
  const readLatency = (): number | undefined => {
    const text = /[^\s{}*:]+(?=:)/y;
    const from = at;
    const word = match(text);
    if (word === '') return undefined;
    const latency = parseDuration(word);
    if (latency === undefined) fail(`${JSON.stringify(word)} is not a time: write it as in 200ms:503 or 1.5s:503`, from, at);
    at++;
    return latency;
  };
  const readCount = (step: number): number => {
    if (!take('*')) return 1;
    const from = at;
    const digits = match(/[^\s]+/y);
    if (digits === '') {
      const repeated = script.slice(step, at);
      if (space() && !atEnd()) fail(`Nothing after ${repeated} is ever asked for: say how often, as in ${repeated}3`, at, script.length);
      return MOST_REPEATS;
    }
    const count = /^\d+$/.test(digits) ? Number(digits) : 0;
    if (count < 1 || count > MOST_REPEATS)
      fail(`How often is a whole number from 1 to ${MOST_REPEATS}, or nothing for as often as asked`, from, at);
    return count;
  };

  const steps: ExplainStep[] = [];
  space();
  if (atEnd()) fail('The script is empty: write an answer for each request, as in "429{retry-after:30} 200"', 0, 1);
  while (!atEnd()) {
    const from = at;
    const latency = readLatency();
    const step = { answer: readAnswer(), latency };
    steps.push(...Array.from({ length: readCount(from) }, () => step));
    if (steps.length > MOST_ANSWERS) fail(`The script is too long: leave it at ${MOST_ANSWERS} answers`, from, at);
    if (!space() && !atEnd()) fail('A space belongs between two answers');
  }
  return steps;
}

/** Error for a word that is not an answer, with the remedy. */
function noAnswer(word: string, isBrace: boolean): string {
  if (isBrace) return 'Header fields follow their status without a space, as in 429{retry-after:30}';
  if (word === '') return `An answer belongs here: write ${ANSWERS}`;
  if (/^['"]/.test(word)) return `Answers stand without quotes: write ${ANSWERS}`;
  if (word.includes(',')) return `${JSON.stringify(word)} is not an answer: put spaces between answers, as in 503 200`;
  return `${JSON.stringify(word)} is not an answer: write ${ANSWERS}`;
}

function isFieldValue(value: string): boolean {
  try {
    return new Headers({ field: value }).has('field');
  } catch {
    return false;
  }
}

/** Reaction of the server to one request. */
export type ScriptedAnswer =
  | { readonly type: 'status'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly type: 'network' }
  | { readonly type: 'hang' }
  | { readonly type: 'stall' };

/** One step of a script: an answer, and the time that the server takes for it in ms; undefined: the time for all others. */
export interface ExplainStep {
  readonly answer: ScriptedAnswer;
  readonly latency: number | undefined;
}
