import { isObservable, type Observable } from 'rxjs';
import { UsageError } from '../../request/errors/UsageError.js';
import { isError } from '../values/comparable.js';
import { describeValue } from '../values/describeValue.js';
import { parseMarbles } from '../diagrams/parseMarbles.js';
import { valueOf } from '../diagrams/playMarbles.js';
import type { RecordedRequest } from './RecordedRequest.js';

/**
 * Reaction of a scripted server to one request: a response, a status without a body, a lost connection (`'network'`, or with its code
 * `'network ECONNREFUSED'`), no response at all (`'hang'`), an error that `fetch` fails with, an observable of the response, or a function
 * that decides when it sees the request. An error that such a function throws is a mistake of the spec: a failing `expect`, for example.
 */
export type ScriptedReply =
  | Response
  | number
  | 'hang'
  | 'network'
  | `network ${string}`
  | Error
  | Observable<Response>
  | ((request: RecordedRequest) => ScriptedReply);

/**
 * Answers in their order: an array, or marbles such as `'a 5ms b #'`. In marbles the time before a marble is its latency, counted from its
 * own request; a letter is one answer, `#` a lost connection.
 */
export type Script = string | readonly ScriptedReply[];

/** Answers that the letters of a script stand for. */
export type ReplyValues = Readonly<Record<string, ScriptedReply>>;

/** One answer and its latency in ms. */
export interface ScriptStep {
  readonly latency: number;
  readonly answer: ScriptedReply;
}

/** The steps of a script. */
export function parseScript(script: Script, values?: ReplyValues): ScriptStep[] {
  if (typeof script !== 'string') {
    return script.map((answer, index) => ({ latency: 0, answer: checkAnswer(answer, () => `Answer ${index + 1} of the script`) }));
  }
  let end = 0;
  // Lost connections may be anywhere in a script, while `#` ends a diagram: it is read as one of the letters.
  return parseMarbles(script.replaceAll('#', LOST)).map(({ frame, key }) => {
    if (key === '|' || frame < end) {
      throw new UsageError(
        `The script '${script}' has ${key === '|' ? "a '|'" : 'a group'}: each of its letters is an answer, '#' a lost connection`,
      );
    }
    const latency = frame - end;
    end = frame + 1;
    const missing = (): UsageError => new UsageError(`The script '${script}' has an answer '${key}' that its values lack`);
    if (key === LOST) return { latency, answer: 'network' };
    return { latency, answer: checkAnswer(valueOf(values ?? {}, key, missing), () => `'${key}' of the script`) };
  });
}

/** Letter that stands for `#` while a script is read. */
const LOST = '\u2715';

/**
 * Refuses a value that no server answers with.
 *
 * @param place names the answer, for the message
 */
export function checkAnswer(answer: unknown, place: () => string): ScriptedReply {
  if (isAnswer(answer)) return answer;
  const known = "a response, a status from 101 to 599, 'network', 'hang', an error, an observable or a function that is not async";
  throw new UsageError(`${place()} is ${describeValue(answer)}; give ${known}`);
}

function isAnswer(answer: unknown): answer is ScriptedReply {
  if (typeof answer === 'string') return /^(hang|network( \S+)?)$/.test(answer);
  if (typeof answer === 'number') return Number.isInteger(answer) && answer >= 101 && answer <= 599;
  return answer instanceof Response || isObservable(answer) || isError(answer) || typeof answer === 'function';
}
