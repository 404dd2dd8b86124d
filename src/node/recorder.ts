import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { firstValueFrom, from } from 'rxjs';
import { BodyError } from '../request/errors/BodyError.js';
import { UsageError } from '../request/errors/UsageError.js';
import type { FetchLike } from '../request/FetchLike.js';
import { wallClock } from '../time.js';
import { nearestRecording } from './recordings/nearestRecording.js';
import { mayReplace, type Recording, readRecording, writeRecording } from './recordings/Recording.js';
import { recordBody } from './recordings/recordBody.js';
import { recordingName } from './recordings/recordingName.js';
import { isSecretName, redactHeaders, redactUrl } from './recordings/redact.js';
import { replayBody } from './recordings/replayBody.js';

/** Options of {@link recorder}. */
export interface RecorderOptions {
  /**
   * `'record'` (default): every request is made and its answer recorded. `'replay'`: no request is made; one that was not recorded is an error.
   * `'fill'`: what was recorded is replayed, the rest made and recorded.
   */
  readonly mode?: 'record' | 'replay' | 'fill';
  /** Makes the requests; the platform's `fetch` by default. */
  readonly fetch?: FetchLike;
  /** Whether a header field or query parameter holds a secret, beside those that are known to; its value is not written down. */
  readonly isSecret?: (name: string) => boolean;
}

/** A `fetch` that records or replays. */
export type RecordingFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that writes every answer into a folder as it came, and gives it again: what was fetched yesterday is today's fixture.
 *
 * Each request has a readable file for its header fields (`GET_api.example.com_users_3f5a0c1b9d2e.headers.json`) and one for the body's
 * decoded bytes (`... .body`). The name holds method, host, path and a hash of method, URL, body (text and bytes) and the fields `accept`,
 * `range` and `last-event-id`. A later answer takes the place of an earlier one, but a failure never that of a success, nor a part that of a
 * whole.
 *
 * Values of `authorization`, cookies, API keys, tokens and the like are replaced in URLs and header fields; bodies are written as they are.
 * A body is written chunk by chunk as it is read, so answers begin as soon as without, and end when they are on disk. Files are made whole
 * beside their place, so several processes may record into one folder.
 *
 * Replayed answers have the status, header fields, URL and bytes of the recorded ones.
 *
 * @param folder is made by the first answer
 *
 * @example
 * const http = createClient({ fetch: recorder('data/raw') });
 * const offline = createClient({ fetch: recorder('data/raw', { mode: 'replay' }) });
 *
 * @throws UsageError at once without a folder; as a rejection for a request that was not recorded, naming the nearest that was
 */
export function recorder(folder: string, options: RecorderOptions = {}): RecordingFetch {
  if (typeof (folder as unknown) !== 'string' || folder === '') {
    throw new UsageError(`recorder: folder is ${inspect(folder)}; give the path of a folder for the recordings`);
  }
  const { mode = 'record', fetch } = options;
  const isSecret = (name: string): boolean => isSecretName(name) || options.isSecret?.(name) === true;

  return async (input, init = {}) => {
    const request = input instanceof Request ? input : undefined;
    const url = input instanceof Request ? input.url : String(input);
    const method = (init.method ?? request?.method ?? 'GET').toUpperCase();
    const headers = new Headers(init.headers ?? request?.headers);
    const signal = init.signal ?? request?.signal;
    const written = { method, url: redactUrl(url, isSecret), headers };
    const name = recordingName({ ...written, body: init.body });

    if (mode !== 'record') {
      signal?.throwIfAborted();
      const recording = await readRecording(folder, name);
      if (recording) return replay(recording, url, written.url, signal);
      if (mode === 'replay') throw await unrecorded(name, `${method} ${written.url}`);
    }
    const response = await firstValueFrom(from((fetch ?? globalThis.fetch)(input, init)));
    return record(name, { method, url: written.url, headers: redactHeaders(headers, isSecret) }, response);
  };

  function replay(recording: Recording, url: string, redactedUrl: string, signal: AbortSignal | undefined): Response {
    const { status, statusText, headers, redirected, url: answeredBy } = recording.response;
    const bodiless = [101, 204, 205, 304].includes(status);
    const body = bodiless ? null : replayBody(folder, recording, signal);
    const response = new Response(body, { status, statusText, headers: headers.map(([key, value]) => [key, value]) });
    return seemsFrom(response, answeredBy === redactedUrl ? url : answeredBy, redirected);
  }

  async function record(name: string, request: Recording['request'], response: Response): Promise<Response> {
    const { status, statusText, redirected, headers } = response;
    const answer = { status, statusText, url: redactUrl(response.url, isSecret), redirected, headers: redactHeaders(headers, isSecret) };
    const recordedAt = new Date(wallClock()).toISOString();
    const keep = async (body: Recording['body'], complete: boolean): Promise<void> => {
      const recording = { request, response: answer, recordedAt, complete, body };
      const before = await readRecording(folder, name);
      if (mayReplace(before, recording)) await writeRecording(folder, name, recording);
      else if (body && body.file !== before?.body?.file) await rm(join(folder, body.file), { force: true });
    };
    if (!response.body) {
      await keep(null, true);
      return response;
    }
    if (response.bodyUsed) throw new BodyError(`${request.method} ${request.url}: the answer was read before it could be recorded`);
    const recorded = new Response(recordBody(response.body, folder, name, keep), { status, statusText, headers });
    return seemsFrom(recorded, response.url, redirected);
  }

  async function unrecorded(name: string, wanted: string): Promise<UsageError> {
    const nearest = await nearestRecording(folder, name, wanted);
    const hint = nearest === undefined ? 'there are no recordings' : `the nearest is ${nearest}`;
    return new UsageError(`${wanted} was not recorded in ${folder}; ${hint}. Record it, or use mode: 'fill'`);
  }
}

/** A Response that was made by hand has neither a URL nor a history. */
function seemsFrom(response: Response, url: string, redirected: boolean): Response {
  return Object.defineProperties(response, { url: { value: url }, redirected: { value: redirected } });
}
