import { UsageError } from '../../request/errors/UsageError.js';
import { printableLines } from '../../request/printable.js';
import { describeValue } from '../values/describeValue.js';
import { formatMarbleTime, parseMarbleTime, trimmed } from './marbleTime.js';

/** One marble of a diagram and its moment, in ms. */
export interface Marble {
  readonly frame: number;
  /** The value's letter, or `|` or `#`. */
  readonly key: string;
}

/** Moments at which a subscription begins and, unless it lasts, ends; in ms. */
export interface Span {
  readonly from: number;
  /** End of the subscription; `Infinity` when none was seen. */
  readonly to: number;
}

/** A token of a diagram: one marble, or an amount of time. */
interface Token {
  readonly text: string;
  readonly index: number;
  /** Milliseconds that an amount of time stands for. */
  readonly amount?: number;
}

/**
 * Reads a diagram as RxJS does in run mode: `-` is 1 ms, spaces are nothing, `3s ` is time, `(ab|)` happens at once. Text that RxJS would
 * silently take for values, such as the `5ms` of `a5ms b`, is an error here.
 */
export function parseMarbles(diagram: string): Marble[] {
  const marbles: Marble[] = [];
  let frame = 0;
  let groupStart: number | undefined;
  for (const { text, index, amount } of tokens(diagram)) {
    if (amount !== undefined) {
      if (groupStart !== undefined) throw misplaced(diagram, index, 'Time does not pass inside a group');
      frame = trimmed(frame + amount);
      continue;
    }
    if (text === '^' || text === '!') throw misplaced(diagram, index, `'${text}' belongs to subscriptions`);
    if (text === '(') {
      if (groupStart !== undefined) throw misplaced(diagram, index, 'Groups do not nest');
      groupStart = frame;
    } else if (text === ')') {
      if (groupStart === undefined) throw misplaced(diagram, index, "There is no '(' to this ')'");
      groupStart = undefined;
    } else if (text !== '-') {
      marbles.push({ frame: groupStart ?? frame, key: text });
    }
    frame += 1;
  }
  if (groupStart !== undefined) throw misplaced(diagram, diagram.lastIndexOf('('), "A group needs its ')'");
  const end = marbles.findIndex(({ key }) => isEnd(key));
  if (end >= 0 && end < marbles.length - 1) throw misplaced(diagram, diagram.search(/[|#]/), 'Nothing can follow the end');
  return marbles;
}

/** Reads the moments of subscribing, `^`, and unsubscribing, `!`. An empty diagram means no subscription. */
export function parseSpan(diagram: string): Span | undefined {
  let frame = 0;
  let groupStart: number | undefined;
  let from: number | undefined;
  let to = Infinity;
  for (const { text, index, amount } of tokens(diagram)) {
    if (amount !== undefined) {
      frame = trimmed(frame + amount);
      continue;
    }
    if (text === '(') groupStart = frame;
    else if (text === ')') groupStart = undefined;
    else if (text === '^' && from === undefined) from = groupStart ?? frame;
    else if (text === '!' && from === undefined) throw misplaced(diagram, index, "A subscription ends only after its '^'");
    else if (text === '!' && to === Infinity) to = groupStart ?? frame;
    else if (text !== '-') throw misplaced(diagram, index, "A subscription has one '^', one '!' and time");
    frame += 1;
  }
  if (groupStart !== undefined) throw misplaced(diagram, diagram.lastIndexOf('('), "A group needs its ')'");
  return from === undefined ? undefined : { from, to };
}

/** True if a marble is the end of a diagram. */
function isEnd(key: string): boolean {
  return key === '|' || key === '#';
}

/** A word of a diagram that is time, as in RxJS. */
const TIME = /^\d+(?:\.\d+)?(?:ms|s|m)$/;

/** An amount of time as people write it elsewhere, as a word of its own. */
const FOREIGN = /^(\d+(?:\.\d+)?)(hours?|hrs?|h|days?|d|minutes?|mins?|seconds?|secs?)$/i;

/** Milliseconds of such a unit, by its first letter. */
const FOREIGN_UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

function tokens(diagram: string): Token[] {
  if (typeof (diagram as unknown) !== 'string')
    throw new UsageError(`A diagram is ${describeValue(diagram)}; give a string of marbles: '5ms (a|)'`);
  const found: Token[] = [];
  for (const { 0: word, index } of diagram.matchAll(/\S+/g)) {
    if (TIME.test(word)) {
      found.push({ text: word, index, amount: parseMarbleTime(word) });
      continue;
    }
    const [, foreign, unit = ''] = FOREIGN.exec(word) ?? [];
    if (foreign !== undefined) {
      const ms = formatMarbleTime(Number(foreign) * (FOREIGN_UNITS[unit.charAt(0).toLowerCase()] ?? 0));
      throw misplaced(diagram, index, `Time is in ms, s or m: '${word}' is '${ms}' (or, if these are values, put a space between them)`);
    }
    const glued = /\d+(?:\.\d+)?(?:ms|s|m)(?![a-z0-9])/.exec(word);
    if (glued) throw misplaced(diagram, index + glued.index, `'${glued[0]}' needs a space before and after it to be time`);
    let at = index;
    for (const text of word) {
      found.push({ text, index: at });
      at += text.length;
    }
  }
  return found;
}

function misplaced(diagram: string, index: number, why: string): UsageError {
  return new UsageError(`${why}:`, { excerpt: printableLines(`  ${diagram}\n  ${' '.repeat(Math.max(index, 0))}^`) });
}
