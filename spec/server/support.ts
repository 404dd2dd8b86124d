import { createHash } from 'node:crypto';
import { type RunningServer, type ServerOptions, startServer } from 'coldfetch/server';
import { onTestFinished } from 'vitest';

/** A server that ends with the spec. */
export async function serve(options?: ServerOptions): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** Calls the API as a well-behaved client does: token, JSON both ways. */
export async function call(server: RunningServer, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, server.apiUrl), {
    method,
    headers: { authorization: 'Bearer any', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  const json = (response.headers.get('content-type') ?? '').includes('json') ? (JSON.parse(text) as ApiAnswer) : {};
  return { status: response.status, headers: response.headers, text, json };
}

/** Fields of the answers that the specs look at. */
export interface ApiAnswer {
  readonly error?: string;
  readonly details?: readonly { readonly message: string }[];
  readonly build?: { readonly id: string; readonly url: string; readonly status: string };
  readonly builds?: readonly { readonly id: string; readonly status: string }[];
  readonly baseline?: { readonly id: string; readonly head: { readonly sha: string } } | null;
  readonly screenshots?: readonly Upload[];
  readonly pwTraces?: readonly Upload[];
}

export interface Upload {
  readonly key: string;
  readonly postUrl: string;
  readonly fields: Readonly<Record<string, string>>;
}

export const COMMIT = 'c'.repeat(40);

/** A file's key. */
export function keyOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A body of `POST builds` that asks for these files. */
export function buildOf(files: readonly string[], more: Record<string, unknown> = {}) {
  return { commit: COMMIT, branch: 'main', screenshots: files.map((file) => ({ key: keyOf(file), contentType: 'image/png' })), ...more };
}

/** Body of `PUT builds/{id}`: these files under these names. */
export function screenshotsOf(files: Readonly<Record<string, string>>, more: Record<string, unknown> = {}) {
  return { screenshots: Object.entries(files).map(([name, file]) => ({ key: keyOf(file), name, contentType: 'image/png' })), ...more };
}

/** Makes a build and gives the signed uploads. */
export async function signed(server: RunningServer, ...files: readonly string[]): Promise<readonly Upload[]> {
  return (await call(server, 'POST', 'builds', buildOf(files))).json.screenshots ?? [];
}

/** The form of a signed upload, fields first; `changes` replace or add fields, `undefined` leaves one out. */
export function formOf(upload: Upload, file: string | Uint8Array, changes: Record<string, string | undefined> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...upload.fields, ...changes })) if (value !== undefined) form.append(name, value);
  form.append('file', new Blob([file], { type: 'image/png' }), 'shot.png');
  return form;
}

/** Posts a form to storage. */
export async function post(upload: Upload, form: FormData) {
  const response = await fetch(upload.postUrl, { method: 'POST', body: form });
  const text = await response.text();
  return {
    status: response.status,
    text,
    code: /<Code>(.*?)<\/Code>/.exec(text)?.[1],
    message: /<Message>(.*?)<\/Message>/.exec(text)?.[1],
  };
}
