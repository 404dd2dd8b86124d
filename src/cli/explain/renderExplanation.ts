import { formatDuration } from '../../request/duration.js';
import type { PolicyName } from '../../retry/policies.js';
import { renderMarbles } from '../../timeline/renderMarbles.js';
import type { Distribution } from './distribution.js';
import type { Explanation } from './Explanation.js';

/** The narrowest and the widest text, in columns: long lines are hard to read on any terminal. */
const [LEAST, MOST] = [40, 100];

/** Columns below which a sentence goes under the table, since there is too little room beside it. */
const NARROW = 60;

/**
 * An explanation as text: the timeline in marbles, one sentence for each wait, and the end.
 *
 * @param columns of the terminal; no line is longer, down to 40
 */
export function renderExplanation({ timeline, steps, conclusion }: Explanation, columns = 80): string {
  const width = Math.min(Math.max(columns, LEAST), MOST);
  const rows = steps.map(({ at, attempt, after, text }) => [String(attempt), formatDuration(at), after, text] as const);
  const column = (i: 0 | 1 | 2): number => Math.max(0, ...rows.map((row) => row[i].length));
  const sentences = rows.map(([attempt, at, after, text]) => {
    const head = `${attempt.padStart(column(0))}  ${at.padEnd(column(1))}  ${after.padEnd(column(2))}`;
    if (width >= NARROW) return wrapText(text, width, `${head}  `);
    return `${head.trimEnd()}\n${wrapText(text, width, ' '.repeat(column(0) + 2))}`;
  });
  return [
    renderMarbles(timeline, { width }),
    ...(sentences.length > 0 ? [sentences.join('\n')] : []),
    wrapText(conclusion, width, ''),
  ].join('\n\n');
}

/** Results of many runs, in a few lines. */
export function renderDistribution(distribution: Distribution): string {
  const { runs, answered, gaveUp, aborted, scriptEnded, p50, p95, longest, attempts } = distribution;
  const ends = [
    `${percent(answered)} answered`,
    `${percent(gaveUp)} gave up`,
    ...(aborted > 0 ? [`${percent(aborted)} aborted`] : []),
    ...(scriptEnded > 0 ? [`${percent(scriptEnded)} ran out of script`] : []),
  ];
  return [
    `${runs} runs: ${ends.join(', ')}`,
    `total time   p50 ${formatDuration(p50)}   p95 ${formatDuration(p95)}   longest ${formatDuration(longest)}`,
    `attempts     ${Number(attempts.toFixed(2))} on average`,
  ].join('\n');
}

/** Percentages 0 and 100 stand for none and all, never for nearly so. */
function percent(share: number): string {
  const rounded = Number((share * 100).toFixed(1));
  return `${share > 0 && share < 1 ? Math.min(Math.max(rounded, 0.1), 99.9) : rounded} %`;
}

/** A space at which a line may break: not the one between a number and its unit. */
const BREAK = / (?!(?:ms|s|min|h|%)(?![\w]))/;

/**
 * Breaks a text between words, so that no line is longer than `width`; a word that is longer stays whole.
 *
 * @param head stands before the first line, as much space before the others
 */
function wrapText(text: string, width: number, head: string): string {
  const indent = ' '.repeat(head.length);
  const lines: string[] = [];
  for (const word of text.split(BREAK)) {
    const last = lines.at(-1);
    if (last !== undefined && head.length + last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line, i) => `${i === 0 ? head : indent}${line}`).join('\n');
}

/**
 * Output of `coldfetch explain --json`. Times are ms of virtual time from the start; unknown values are left out. Fields may be added, none
 * of these goes away or changes its meaning within a major version.
 */
export interface ExplainReport extends Explanation {
  readonly policy: PolicyName;
  readonly script: string;
  /** Value of each draw in this run, not in those of `distribution`. */
  readonly random: number;
  /** Distribution of the runs, with `--runs`. */
  readonly distribution?: Distribution;
}
