import { isHttpUrl } from '../../../request/urls.js';
import { parseDuration } from '../../../request/duration.js';
import { UsageError } from '../../../request/errors/UsageError.js';
import type { SettingText } from './Setting.js';

/** Error of a setting with an invalid value. */
function wrongSetting(from: string, value: SettingText, remedy: string): UsageError {
  return new UsageError(`${from} is ${JSON.stringify(value)}; give ${remedy}`);
}

/** Parser of the base URL of the API; its value is not repeated, as it may hold a password. */
export function apiUrl(text: SettingText, from: string): string {
  const example = 'give one such as https://api.argos-ci.com/v2/';
  if (typeof text !== 'string' || !isHttpUrl(text)) throw new UsageError(`${from} is not an http or https URL; ${example}`);
  const { username, password } = new URL(text);
  if (username !== '' || password !== '') throw new UsageError(`${from} holds a user name or password, which is not sent; ${example}`);
  return text;
}

/** Parser of a text that is not blank. */
export function filledText(kind: string): (text: SettingText, from: string) => string {
  return (text, from) => {
    if (typeof text !== 'string' || text.trim() === '') throw wrongSetting(from, text, kind);
    return text;
  };
}

/** Parser of a commit. */
export function commitHash(text: SettingText, from: string): string {
  if (typeof text !== 'string' || !/^[\da-f]{40}$/i.test(text)) throw wrongSetting(from, text, 'all of its 40 hexadecimal digits');
  return text;
}

/** Parser of one of some words. */
export function oneOf<const T extends string>(words: readonly T[]): (text: SettingText, from: string) => T {
  return (text, from) => {
    const word = words.find((each) => each === text);
    if (word === undefined) throw wrongSetting(from, text, words.join(' or '));
    return word;
  };
}

/** Parser of yes or no, in the words of variables. */
export function yesOrNo(text: SettingText, from: string): boolean {
  const value = typeof text === 'string' ? text.toLowerCase() : '';
  if (['true', '1', 'yes'].includes(value)) return true;
  if (['false', '0', 'no'].includes(value)) return false;
  throw wrongSetting(from, text, 'true or false');
}

/** Parser of a whole number within bounds, and of further numbers with a special meaning. */
export function wholeNumber(
  least: number,
  most: number,
  remedy: string,
  others: readonly number[] = [],
): (text: SettingText, from: string) => number {
  return (text, from) => {
    const value = Number(text);
    const isWithin = (value >= least && value <= most) || others.includes(value);
    if (typeof text !== 'string' || !/^-?\d{1,15}$/.test(text) || !isWithin) throw wrongSetting(from, text, remedy);
    return value;
  };
}

/** Parser of a number from 0 to 1. */
export function share(text: SettingText, from: string): number {
  const value = Number(text);
  if (typeof text !== 'string' || text.trim() === '' || !(value >= 0 && value <= 1)) throw wrongSetting(from, text, 'a number from 0 to 1');
  return value;
}

/** Parser of a time above 0, in ms: `90s`, `15m`. */
export function duration(text: SettingText, from: string): number {
  const ms = typeof text === 'string' ? parseDuration(text) : undefined;
  if (ms === undefined || ms === 0) throw wrongSetting(from, text, 'a time above 0, as 90s or 15m');
  return ms;
}

/** Parser of numbers of pull requests: `12,13`. */
export function pullRequests(text: SettingText, from: string): readonly number[] {
  const numbers = (typeof text === 'string' ? text.split(',') : text).map((each) => each.trim());
  if (!numbers.every((number) => /^[1-9]\d{0,14}$/.test(number))) throw wrongSetting(from, text, 'numbers of pull requests, as 12,13');
  return numbers.map(Number);
}

/** Parser of glob patterns. */
export function patterns(text: SettingText, from: string): readonly string[] {
  const list = typeof text === 'string' ? [text] : text;
  if (list.length === 0 || list.some((pattern) => pattern.trim() === '')) throw wrongSetting(from, text, "a pattern such as '**/*.png'");
  return list;
}
