import { rm } from 'node:fs/promises';
import { inspect } from 'node:util';
import { firstValueFrom, from } from 'rxjs';
import { BodyError } from '../request/errors/BodyError.js';
import { UsageError } from '../request/errors/UsageError.js';
import type { FetchLike } from '../request/FetchLike.js';
import { sourceOf } from '../request/multipart.js';
import { checkOptions, FUNCTION, isFunction, type OptionTable, requireThat } from '../request/checkOptions.js';
import { wallClock } from '../time.js';
import { removeAbandoned } from './files/removeAbandoned.js';
import { slots } from './files/slots.js';
import { bodyDigest, bytesOf, digestInPassing, isOnce } from './recordings/bodyDigest.js';
import { nearestRecording } from './recordings/nearestRecording.js';
import { mayReplace, type Recording, readRecording, removeRecording, writeRecording } from './recordings/Recording.js';
import { recordBody, type WrittenBody } from './recordings/recordBody.js';
import { type NamedRequest, recordingName } from './recordings/recordingName.js';
import { isSecretName, redactHeaders, redactUrl } from './recordings/redact.js';
import { replayBody } from './recordings/replayBody.js';

/** Names of a recording's files. */
const PARTS = /^(body|.+\.headers\.json)$/;

/** Options of {@link recorder}. */
export interface RecorderOptions {
  /**
   * Mode of the recorder. `'record'` (default): every request is made and its response recorded. `'replay'`: no request is made; a request
   * without a recording is an error. `'fill'`: recorded responses are replayed, other requests made and recorded.
   */
  readonly mode?: 'record' | 'replay' | 'fill';
  /**
   * Responses that are kept of a repeated request. `'latest'` (default): one; a failure does not replace a success, nor a part a whole.
   * `'all'`: each, to be replayed once and in their order: for polling, and for retries (a recorded `Retry-After` is waited for again). Use
   * the same setting to replay; the count begins with each `recorder`.
   */
  readonly answers?: 'latest' | 'all';
  /** Function that makes the requests; the platform's `fetch` by default. */
  readonly fetch?: FetchLike;
  /**
   * True if a header field or query parameter holds a secret, beside those that coldfetch knows; its value is not written to the recording.
   */
  readonly isSecret?: (name: string) => boolean;
}

const OPTIONS: OptionTable<RecorderOptions> = {
  rules: {
    mode: [(value) => ['record', 'replay', 'fill'].includes(value as string), "'record', 'replay' or 'fill'"],
    answers: [(value) => value === 'latest' || value === 'all', "'latest' or 'all'"],
    fetch: [isFunction, 'a function that makes a request, as fetch does'],
    isSecret: FUNCTION,
  },
};

/** A `fetch` that records or replays. */
export type RecordingFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A call whose recording is looked for or to be made. */
interface FetchCall extends Omit<NamedRequest, 'digest' | 'hop'> {
  readonly redirect: NonNullable<RequestInit['redirect']>;
  readonly signal: AbortSignal | undefined;
}

/**
 * A `fetch` that writes every response into a folder as it came, and replays it: a response of yesterday is today's fixture.
 *
 * Each request has a readable file for its header fields (`GET_api.example.com_users_3f5a0c1b9d2e.headers.json`) and one for the body's
 * decoded bytes (`... .body`). The name holds method, host, path and a hash of method, URL, body and the fields `accept`, `range` and
 * `last-event-id`; of a form its fields and files count. A stream is digested as it is sent: an answer that comes before its end cannot be told
 * from others and is not recorded.
 *
 * Values of `authorization`, cookies, API keys, tokens and the like are replaced in URLs and header fields, so a recording outlives the
 * token it was made with, and requests that differ in such a value alone are one. Bodies of answers are written as they are, those of
 * requests not at all. A body is written chunk by chunk as it is read, so answers begin as soon as without, and end when they are on disk;
 * a body that is read in part is kept in part, and ends in an error when it is replayed. Files are made whole beside their place, so
 * several processes may record into one folder. A request without an answer leaves nothing.
 *
 * Replayed answers have the status, header fields, URL and bytes of the recorded ones.
 *
 * @param folder is made by the first answer
 *
 * @example
 * const http = createClient({ fetch: recorder('data/raw') });
 * const offline = createClient({ fetch: recorder('data/raw', { mode: 'replay' }) });
 *
 * @throws UsageError at once without a folder and for options that make no sense; as a rejection for a request that was not recorded, naming
 * the nearest that was
 */
export function recorder(folder: string, options: RecorderOptions = {}): RecordingFetch {
  requireThat(
    typeof folder === 'string' && folder !== '',
    'recorder',
    'folder',
    inspect(folder),
    'the path of a folder for the recordings',
  );
  checkOptions('recorder', options, OPTIONS);
  const { mode = 'record', answers = 'latest', fetch } = options;
  const isSecret = (name: string): boolean => isSecretName(name) || options.isSecret?.(name) === true;
  /** Number of answers recorded or replayed, by name. */
  const turns = new Map<string, number>();
  let swept: Promise<void> | undefined;
  // Recordings are written one after the other: each removes the file of the one before.
  const inTurn = slots(1);

  return async (input, init = {}) => {
    const request = input instanceof Request ? input : undefined;
    const url = input instanceof Request ? input.url : String(input);
    const asked: FetchCall = {
      method: (init.method ?? request?.method ?? 'GET').toUpperCase(),
      url: redactUrl(url, isSecret),
      headers: new Headers(init.headers ?? request?.headers),
      redirect: init.redirect ?? request?.redirect ?? 'follow',
      signal: init.signal ?? request?.signal ?? undefined,
    };
    const body = sourceOf(init.body);
    if (mode === 'record' && isOnce(body)) {
      const passing = digestInPassing(body);
      const response = await send(input, { ...init, body: passing.body });
      const digest = passing.digest();
      return digest === undefined ? response : record(asked, digest, response);
    }
    const bytes = isOnce(body) ? await bytesOf(body) : undefined;
    const sent = bytes ? { ...init, body: bytes } : init;
    const digest = await bodyDigest(bytes ?? body ?? (request?.body ? await request.clone().arrayBuffer() : undefined));
    if (mode === 'record') return record(asked, digest, await send(input, sent));
    asked.signal?.throwIfAborted();
    const turn = nextTurn(asked, digest);
    const recording = await find(asked, digest, turn);
    if (recording) return replay(recording, url, asked);
    if (mode === 'replay') throw await unrecorded(asked, digest, turn);
    return record(asked, digest, await send(input, sent), turn);
  };

  function send(input: string | URL | Request, init: RequestInit): Promise<Response> {
    return firstValueFrom(from((fetch ?? globalThis.fetch)(input, init)));
  }

  /** Number of the next recording of a request, from 1; always the first where only one is kept. */
  function nextTurn(asked: FetchCall, digest: string | undefined): number {
    if (answers === 'latest') return 1;
    const name = recordingName({ ...asked, digest });
    const turn = (turns.get(name) ?? 0) + 1;
    turns.set(name, turn);
    return turn;
  }

  async function find(asked: FetchCall, digest: string | undefined, turn: number): Promise<Recording | undefined> {
    if (asked.redirect === 'manual') {
      const redirection = await readRecording(folder, recordingName({ ...asked, digest, hop: true }) + suffix(turn));
      if (redirection) return redirection;
    }
    const recording = await readRecording(folder, recordingName({ ...asked, digest }) + suffix(turn));
    // A request that follows no redirects never sees the response behind one.
    return recording?.response.redirected === true && asked.redirect !== 'follow' ? undefined : recording;
  }

  function replay(recording: Recording, url: string, asked: FetchCall): Response {
    const { status, statusText, headers, redirected, url: answeredBy } = recording.response;
    const bodiless = [101, 204, 205, 304].includes(status);
    const body = bodiless ? null : replayBody(folder, recording, asked.signal);
    const response = new Response(body, { status, statusText, headers: headers.map(([key, value]) => [key, value]) });
    return seemsFrom(response, answeredBy === asked.url ? url : answeredBy, redirected);
  }

  async function record(asked: FetchCall, digest: string | undefined, response: Response, reserved?: number): Promise<Response> {
    const { status, statusText, redirected, headers } = response;
    const request = { method: asked.method, url: asked.url, headers: redactHeaders(asked.headers, isSecret) };
    const answer = { status, statusText, url: redactUrl(response.url, isSecret), redirected, headers: redactHeaders(headers, isSecret) };
    const recordedAt = new Date(wallClock()).toISOString();
    const hop = asked.redirect === 'manual' && headers.has('location') && status >= 300 && status <= 399;
    const first = recordingName({ ...asked, digest, hop });
    await (swept ??= removeAbandoned(folder, PARTS));
    const keep = async (written: WrittenBody | null, complete: boolean): Promise<void> => {
      // The turn is taken only now: a response that failed takes none, since nothing is left of it to be replayed.
      const turn = reserved ?? nextTurn(asked, digest);
      const name = first + suffix(turn);
      const body = written && { file: `${name}.${written.digest}.body`, bytes: written.bytes };
      const recording = { request, response: answer, recordedAt, complete, body };
      if (answers === 'all' || mayReplace(await readRecording(folder, name), recording)) {
        await writeRecording(folder, name, recording, written?.path);
      } else if (written) {
        await rm(written.path, { force: true });
      }
      // Recordings of later turns, left by an earlier, longer session, are removed.
      if (answers === 'all') await removeRecording(folder, first + suffix(turn + 1));
    };
    if (!response.body) {
      await inTurn(() => keep(null, true));
      return response;
    }
    if (response.bodyUsed) throw new BodyError(`${request.method} ${request.url}: the answer was read before it could be recorded`);
    const body = recordBody(response.body, folder, (written, complete) => inTurn(() => keep(written, complete)));
    const recorded = new Response(body, { status, statusText, headers });
    return seemsFrom(recorded, response.url, redirected);
  }

  async function unrecorded(asked: FetchCall, digest: string | undefined, turn: number): Promise<UsageError> {
    const wanted = `${asked.method} ${asked.url}`;
    const name = recordingName({ ...asked, digest });
    if (turn > 1) {
      const times = turn === 2 ? 'once' : `${turn - 1} times`;
      return new UsageError(
        `${wanted} was recorded ${times} in ${folder}, and is asked for once more. Record it again, or use mode: 'fill'`,
      );
    }
    turns.delete(name);
    const nearest = await nearestRecording(folder, name, wanted);
    const found = nearest === wanted ? 'the same with another body, redirect mode or field accept, range, last-event-id' : nearest;
    const hint = found === undefined ? 'there are no recordings' : `the nearest is ${found}`;
    return new UsageError(`${wanted} was not recorded in ${folder}; ${hint}. Record it, or use mode: 'fill'`);
  }
}

/** Suffix of the names of all recordings but the first. */
function suffix(turn: number): string {
  return turn === 1 ? '' : `.${turn}`;
}

/** A Response that was made by hand has neither a URL nor a history. */
function seemsFrom(response: Response, url: string, redirected: boolean): Response {
  return Object.defineProperties(response, { url: { value: url }, redirected: { value: redirected } });
}
