import { defaultPacer } from '../../client/createClient.js';
import { counted } from '../../request/printable.js';
import { formatDuration } from '../../request/duration.js';
import type { AttemptFailure } from '../../timeline/TimelineData.js';
import type { Explanation, Played, PlayedEnd } from './Explanation.js';
import { narrator } from './narrator.js';
import { playScript, type ScriptInput } from './playScript.js';
import { watchLimiter } from './watchLimiter.js';
import { watchPolicy } from './watchPolicy.js';

/** A play to be explained. */
export interface ExplainInput extends ScriptInput {
  /** True if the client has its default pacer; otherwise it has none. */
  readonly paced: boolean;
  /** Every draw of the policy and of the pacer, from 0 up to, not including, 1: fixed, so that the same script explains itself in the same words. */
  readonly random: number;
}

/** Plays a script like {@link playScript}, and gives the reason for each wait and for giving up. */
export function explainScript({ random, paced, ...input }: ExplainInput): Explanation {
  const watched = watchPolicy({ ...input.policy, random: () => random });
  const limiter = paced ? watchLimiter(defaultPacer({ random: () => random })) : undefined;
  const { next, steps } = narrator({ policy: watched, limiter }, input);
  const played = playScript({ ...input, policy: watched.policy, limiter: limiter?.limiter ?? false }, next);
  return { ...played, steps, conclusion: conclude(played) };
}

/** Result for the caller where no response is the last word. */
const ERRORS: Readonly<Record<AttemptFailure, string>> = {
  response: 'HttpError',
  network: 'NetworkError',
  timeout: 'TimeoutError',
  body: 'BodyError',
  deadline: 'DeadlineError',
  other: 'error',
};

function conclude({ outcome, status, error, end, hits, timeline }: Played): string {
  const failure = timeline.requests[0]?.attempts.at(-1)?.failure ?? 'other';
  const after = `after ${formatDuration(end)} and ${counted(hits.length, 'attempt')}`;
  const texts: Record<PlayedEnd, string> = {
    answered: `Answered with ${status ?? 'a response'} ${after}.`,
    'gave-up': `Gave up ${after}: the caller gets the ${error === undefined ? ERRORS[failure] : String(error)}.`,
    aborted: hits.length === 0 ? 'Aborted before anything was sent.' : `Aborted ${after}.`,
    'script-ended': `The script ends here: request ${hits.length + 1} is sent after ${formatDuration(end)}, and has no answer.`,
  };
  return texts[outcome];
}
