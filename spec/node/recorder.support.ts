import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { of, throwError } from 'rxjs';
import { afterEach, beforeEach } from 'vitest';
import type { FetchLike } from '../../src/request/FetchLike.js';

export const USERS = 'https://api.example/v1/users?page=2';

/** A folder for what the specs of a `describe` record: another for each of them, and gone after it. */
export interface RecordingFolder {
  readonly path: string;
  /** The names in it, sorted. */
  files(): string[];
  /** The text of the first file of this ending. */
  textOf(ending: string): string;
}

export function recordingFolder(): RecordingFolder {
  let path = '';
  const files = (): string[] => (existsSync(path) ? readdirSync(path).sort() : []);
  beforeEach(() => {
    path = join(mkdtempSync(join(tmpdir(), 'coldfetch-recorder-')), 'raw');
  });
  afterEach(() => {
    rmSync(join(path, '..'), { recursive: true, force: true });
  });
  return {
    get path() {
      return path;
    },
    files,
    textOf: (ending) => readFileSync(join(path, files().find((name) => name.endsWith(ending)) ?? ''), 'utf8'),
  };
}

/** A `fetch` with one answer to everything. */
export function answering(body: string | Uint8Array | ReadableStream | null, init?: ResponseInit): FetchLike {
  return () => of(new Response(body, init));
}

/** A `fetch` that fails. */
export const offline: FetchLike = () => throwError(() => new Error('no network'));

/** Reason of a promise's rejection; undefined if it is fulfilled. */
export function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
