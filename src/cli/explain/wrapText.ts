/** A space at which a line may break: not the one between a number and its unit. */
const BREAK = / (?!(?:ms|s|min|h|%)(?![\w]))/;

/**
 * Breaks a text between words, so that no line is longer than `width`; a word that is longer stays whole.
 *
 * @param head stands before the first line, as much space before the others
 */
export function wrapText(text: string, width: number, head: string): string {
  const indent = ' '.repeat(head.length);
  const lines: string[] = [];
  for (const word of text.split(BREAK)) {
    const last = lines.at(-1);
    if (last !== undefined && head.length + last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line, i) => `${i === 0 ? head : indent}${line}`).join('\n');
}
