/** As much of a line as is shown around a mistake, in columns. */
const WINDOW = 72;

/**
 * A message over the line it is about, with carets under the place.
 *
 *     "four" is no answer: write a status from 200 to 599, hang or network
 *       429 four 200
 *           ^^^^
 */
export function pointAt(line: string, from: number, to: number, message: string): string {
  const first = from > WINDOW - 12 ? from - WINDOW / 2 : 0;
  const cut = line.slice(first, first + WINDOW).replace(/\s/g, ' ');
  const before = first > 0 ? '…' : '';
  const after = first + WINDOW < line.length ? '…' : '';
  const carets = '^'.repeat(Math.max(1, Math.min(to - from, WINDOW - (from - first))));
  return `${message}\n  ${before}${cut}${after}\n  ${' '.repeat(before.length + from - first)}${carets}`;
}
