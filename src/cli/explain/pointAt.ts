/** As much of a line as is shown around a mistake, in columns. */
const WINDOW = 72;

/**
 * Excerpt of a line with carets under a place in it.
 *
 *       429 four 200
 *           ^^^^
 */
export function pointAt(line: string, from: number, to: number): string {
  const first = from > WINDOW - 12 ? from - WINDOW / 2 : 0;
  const cut = line.slice(first, first + WINDOW).replace(/\s/g, ' ');
  const before = first > 0 ? '…' : '';
  const after = first + WINDOW < line.length ? '…' : '';
  const carets = '^'.repeat(Math.max(1, Math.min(to - from, WINDOW - (from - first))));
  return `  ${before}${cut}${after}\n  ${' '.repeat(before.length + from - first)}${carets}`;
}
