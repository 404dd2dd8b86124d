import { UsageError } from '../../request/errors/UsageError.js';
import type { ExplainStep, ScriptedAnswer } from './ScriptedAnswer.js';
import { durationOf } from './durationOf.js';
import { pointAt } from './pointAt.js';

/** How often `*` repeats an answer; a policy that sends more is not worth watching. */
export const MOST_REPEATS = 1000;

const FIELD_NAME = /[-!#$%&'*+.^_`|~0-9A-Za-z]+/y;
const WORD = /[^\s{}*:]+/y;

/**
 * Reads a script of answers.
 *
 *     script  =  step *( space step )
 *     step    =  [ time ":" ] answer [ "*" [ count ] ]
 *     answer  =  status [ "{" name ":" value *( "," name ":" value ) "}" ]  |  "network"  |  "hang"
 *
 *     429{retry-after:30} 503*2 200ms:200          a 429 that asks for 30 s, two 503s, a 200 after 200 ms
 *     429{retry-after:"Thu, 01 Jan 1970 00:00:30 GMT"} hang network 503*
 *
 * `network` is a lost connection, `hang` no answer at all. A value ends at a comma or `}` outside of double quotes; quotes around the whole of
 * it are not part of it, and `\"` stands for a quote inside. `*` without a count repeats an answer as often as it is asked for.
 *
 * @throws UsageError that shows the script with a caret under the mistake
 */
export function parseExplainScript(script: string): ExplainStep[] {
  let at = 0;
  const fail = (message: string, from = at, to = from + 1): never => {
    throw new UsageError(pointAt(script, from, Math.max(to, from + 1), message));
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
    if (script[at] === '"') fail('This quote is never closed');
    const quoted = /^"((?:\\.|[^"\\])*)"$/s.exec(value)?.[1];
    return quoted === undefined ? value : quoted.replace(/\\(.)/gs, '$1');
  };
  const readField = (): [name: string, value: string] => {
    const from = at;
    const name = match(FIELD_NAME);
    if (name === '' && !atEnd()) fail('A header field has a name here, as in {retry-after:30}');
    space();
    if (!take(':') && !atEnd()) fail(`The header field ${name} has no value: write {${name}:value}`, from, at);
    const start = at;
    const value = readValue();
    if (!isFieldValue(value)) fail(`The value of ${name} cannot be sent: it has a line break, or characters beyond Latin-1`, start, at);
    return [name.toLowerCase(), value];
  };
  const readFields = (): Record<string, string> => {
    const open = at;
    const fields: [string, string][] = [];
    if (!take('{')) return {};
    space();
    while (!take('}')) {
      fields.push(readField());
      // What readField left is a comma, a brace, or the end of the script.
      if (atEnd()) fail('This brace is never closed: add "}"', open);
      if (take(',')) space();
    }
    return Object.fromEntries(fields);
  };
  const readAnswer = (): ScriptedAnswer => {
    const from = at;
    const word = match(WORD);
    if (word === 'network' || word === 'hang') {
      if (script[at] === '{') fail(`${word} is no answer, so it has no header fields`);
      return { type: word };
    }
    if (!/^[2-5]\d\d$/.test(word)) {
      const what = word === '' ? 'An answer belongs here' : `${JSON.stringify(word)} is no answer`;
      fail(`${what}: write a status from 200 to 599, hang or network`, from, Math.max(at, from + 1));
    }
    return { type: 'status', status: Number(word), headers: readFields() };
  };
  const readLatency = (): number | undefined => {
    const text = /[^\s{}*:]+(?=:)/y;
    const from = at;
    const word = match(text);
    if (word === '') return undefined;
    const latency = durationOf(word);
    if (latency === undefined) fail(`${JSON.stringify(word)} is no time: write it as in 200ms:503 or 1.5s:503`, from, at);
    at++;
    return latency;
  };
  const readCount = (): number => {
    if (!take('*')) return 1;
    const from = at;
    const digits = match(/[^\s]+/y);
    if (digits === '') return MOST_REPEATS;
    const count = /^\d+$/.test(digits) ? Number(digits) : 0;
    if (count < 1 || count > MOST_REPEATS)
      fail(`How often is a whole number from 1 to ${MOST_REPEATS}, or nothing for as often as asked`, from, at);
    return count;
  };

  const steps: ExplainStep[] = [];
  space();
  if (at >= script.length) fail('The script is empty: write an answer for each request, as in "429{retry-after:30} 200"', 0, 1);
  while (at < script.length) {
    const latency = readLatency();
    const step = { answer: readAnswer(), latency };
    steps.push(...Array.from({ length: readCount() }, () => step));
    if (!space() && at < script.length) fail('A space belongs between two answers');
  }
  return steps;
}

function isFieldValue(value: string): boolean {
  try {
    return new Headers({ field: value }).has('field');
  } catch {
    return false;
  }
}
