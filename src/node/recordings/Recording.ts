import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../files/fileErrors.js';
import { writeAtomically } from '../files/writeAtomically.js';

/** Contents of the readable file of a recording; secrets are replaced. */
export interface Recording {
  readonly request: { readonly method: string; readonly url: string; readonly headers: readonly (readonly [string, string])[] };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    /** URL of the response, after redirects. */
    readonly url: string;
    readonly redirected: boolean;
    readonly headers: readonly (readonly [string, string])[];
  };
  /** Moment at which the response began, as an ISO date. */
  readonly recordedAt: string;
  /** True if the response was read to its end; otherwise the body is the part that was read. */
  readonly complete: boolean;
  /** Name of the file with the decoded bytes, in the same folder; `null`: there are none. */
  readonly body: { readonly file: string; readonly bytes: number } | null;
}

/** The ending of the readable files. */
export const HEADERS_FILE = '.headers.json';

/** Reads the recording of a name; undefined if there is none, or none that can be read. */
export async function readRecording(folder: string, name: string): Promise<Recording | undefined> {
  try {
    // The shape is trusted: a person who edits a recording answers for it.
    return JSON.parse(await readFile(join(folder, name + HEADERS_FILE), 'utf8')) as Recording;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Makes a recording that of its name, in one step. The body of the one before is removed.
 *
 * @param body place of the written body, if there is one
 */
export async function writeRecording(folder: string, name: string, recording: Recording, body: string | undefined): Promise<void> {
  const before = await readRecording(folder, name);
  if (body !== undefined && recording.body) await rename(body, join(folder, recording.body.file));
  await writeAtomically(join(folder, name + HEADERS_FILE), [`${JSON.stringify(recording, undefined, 2)}\n`]);
  if (before?.body && before.body.file !== recording.body?.file) await rm(join(folder, before.body.file), { force: true });
}

/** Removes a recording and its body, if there is one. */
export async function removeRecording(folder: string, name: string): Promise<void> {
  const recording = await readRecording(folder, name);
  if (!recording) return;
  await rm(join(folder, name + HEADERS_FILE), { force: true });
  if (recording.body) await rm(join(folder, recording.body.file), { force: true });
}

/** True if `next` may take the place of `before`: a complete response does not give way to a failure or to a partial one. */
export function mayReplace(before: Recording | undefined, next: Pick<Recording, 'complete' | 'response'>): boolean {
  return !before || worth(next) >= worth(before);
}

function worth({ complete, response: { status } }: Pick<Recording, 'complete' | 'response'>): number {
  if (status < 200 || status > 299) return 0;
  return complete ? 2 : 1;
}
