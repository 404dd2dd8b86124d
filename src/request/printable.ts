/** Characters that a terminal or a log viewer acts on: C0 and C1 controls, DEL, line and paragraph separators, bidirectional controls. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** Unprintable characters other than tabs and line breaks. */
const UNPRINTABLE_IN_LINES = /(?![\t\n\r])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Characters of a foreign text that are shown unless a caller says otherwise. */
const MAX_LENGTH = 4_000;

/**
 * A foreign text as one line for a terminal or a log. Its author (a server, a file system, a command line) cannot move the cursor, colour or
 * erase other text, begin a line, or turn the direction of reading: such characters are shown as escapes.
 *
 *     printable('\x1b[2Jok\n')   \x1b[2Jok\n
 *     printable('\u202egnp')     \u202egnp
 *
 * @param maxLength characters that are shown; a longer text is cut, and its length told
 */
export function printable(text: string, maxLength = MAX_LENGTH): string {
  return shortened(text, maxLength).replace(UNPRINTABLE, escaped);
}

/** A text of several lines, as {@link printable} but for its line breaks and tabs, and never cut. */
export function printableLines(text: string): string {
  return text.replace(/\r(?!\n)/g, '\\r').replace(UNPRINTABLE_IN_LINES, escaped);
}

/** The same JSON value without unprintable characters in its strings. Outside of strings JSON has none but blanks. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE_IN_LINES, (character) => `\\u${hex(character, 4)}`);
}

function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Half of a surrogate pair is not a character: the cut avoids one.
  return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}… (${text.length} characters)`;
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  return SHORT[character] ?? (character < '\u0100' ? `\\x${hex(character, 2)}` : `\\u${hex(character, 4)}`);
}

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0');
}

/** A number and its noun, for messages: `1 line`, `42 lines`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
