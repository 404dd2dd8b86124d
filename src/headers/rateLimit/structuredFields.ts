import { type Scanner, scanner } from '../scanner.js';

/** A Byte Sequence. */
export interface ByteSequence {
  readonly base64: string;
}

/**
 * A bare value, as far as rate limits have use for it: a Token is as good as a String. Of an Inner List, a Date and a Display String it is only
 * known that they were well-formed.
 */
export type BareValue = number | string | boolean | ByteSequence | undefined;

/** An Item: a bare value and its parameters. */
export type StructuredItem = readonly [bare: BareValue, parameters: ReadonlyMap<string, BareValue>];

// Sticky: reading goes forward only, and no part of a grammar can match what another one behind it takes.
const SPACES = / */y;
const COMMA = /[ \t]*,[ \t]*/y;
const END = /[ \t]*$/y;
const KEY = /[a-z*][a-z\d_.*-]*/y;
const EQUALS = /=/y;
const SEMICOLON = /; */y;
const OPEN = /\( */y;
const CLOSE = / *\)/y;
const SPACE = / +/y;
const NUMBER = /-?(?:\d{1,12}\.\d{1,3}|\d{1,15})(?![\d.])/y;
const STRING = /"((?:[ !#-[\]-~]|\\["\\])*)"/y;
const TOKEN = /[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/y;
const BYTES = /:([A-Za-z\d+/=]*):/y;
const BOOLEAN = /\?([01])/y;
const DATE = /@-?\d{1,15}(?![\d.])/y;
const DISPLAY_STRING = /%"((?:[ !#$&-~]|%[\da-f]{2})*)"/y;

/**
 * Reads a List of structured fields (RFC 9651).
 *
 * @throws an error for what is none
 */
export function parseList(text: string): readonly StructuredItem[] {
  const members: StructuredItem[] = [];
  readMembers(text, (from) => members.push(readMember(from)));
  return members;
}

/**
 * Reads a Dictionary of structured fields (RFC 9651), of which the last member of a name counts.
 *
 * @throws an error for what is none
 */
export function parseDictionary(text: string): ReadonlyMap<string, StructuredItem> {
  const members = new Map<string, StructuredItem>();
  readMembers(text, (from) => {
    const key = readKey(from);
    members.set(key, from.read(EQUALS) ? readMember(from) : [true, readParameters(from)]);
  });
  return members;
}

function readMembers(text: string, readNext: (from: Scanner) => void): void {
  const from = scanner(text);
  from.read(SPACES);
  if (from.atEnd()) return;
  do readNext(from);
  while (from.read(COMMA));
  if (!from.read(END)) throw malformed();
}

function readMember(from: Scanner): StructuredItem {
  if (!from.read(OPEN)) return [readBare(from), readParameters(from)];
  readInnerList(from);
  return [undefined, readParameters(from)];
}

function readInnerList(from: Scanner): void {
  if (from.read(CLOSE)) return;
  do {
    readBare(from);
    readParameters(from);
    if (from.read(CLOSE)) return;
  } while (from.read(SPACE));
  throw malformed();
}

function readParameters(from: Scanner): ReadonlyMap<string, BareValue> {
  const parameters = new Map<string, BareValue>();
  while (from.read(SEMICOLON)) {
    const key = readKey(from);
    parameters.set(key, from.read(EQUALS) ? readBare(from) : true);
  }
  return parameters;
}

function readKey(from: Scanner): string {
  const [key] = from.read(KEY) ?? [];
  if (key === undefined) throw malformed();
  return key;
}

function readBare({ read }: Scanner): BareValue {
  const number = read(NUMBER);
  if (number) return Number(number[0]);
  const string = read(STRING)?.[1];
  if (string !== undefined) return string.replace(/\\(.)/g, '$1');
  const token = read(TOKEN);
  if (token) return token[0];
  const bytes = read(BYTES)?.[1];
  if (bytes !== undefined) return { base64: btoa(atob(bytes)) };
  const boolean = read(BOOLEAN)?.[1];
  if (boolean !== undefined) return boolean === '1';
  const display = read(DISPLAY_STRING)?.[1];
  // It throws where the bytes are no UTF-8.
  if (display !== undefined) decodeURIComponent(display);
  else if (!read(DATE)) throw malformed();
  return undefined;
}

function malformed(): Error {
  return new Error('malformed structured field');
}
