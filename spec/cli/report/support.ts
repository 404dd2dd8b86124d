import { PassThrough } from 'node:stream';
import type { DoneEvent, FailedEvent, HashedEvent, SummaryEvent } from 'coldfetch/node';

/** Text with all that a terminal, a CI service, Markdown or XML could act on. */
export const HOSTILE =
  '\x1b[2J\u202e\n::error::forged\r##[error]x ##vso[task.complete] ]]> </failure> "\' & | `code` [a](b) @team <img> 50%';

export const hashed = (path: string): HashedEvent => ({
  type: 'hashed',
  path,
  bytes: 1,
  key: 'a'.repeat(64),
  took: 2,
  hashed: 1,
  files: 1,
});

export const done = (path: string): DoneEvent => ({
  ...{ type: 'done', path, bytes: 1, key: 'a'.repeat(64), how: 'sent', attempts: 1, arrived: 1, files: 1 },
});

export const failed = (path: string, reason = 'refused'): FailedEvent => ({
  ...{ type: 'failed', path, bytes: 1, reason, remedy: 'try again', error: new Error(reason), attempts: 4 },
});

export const summary = (fields: Partial<SummaryEvent> = {}): SummaryEvent => ({
  ...{
    type: 'summary',
    build: { id: '1', url: 'https://host/1' },
    completed: true,
    files: 2,
    arrived: 2,
    failed: 0,
    kept: 0,
    duplicates: 0,
  },
  ...{ bytes: 2_000, sentBytes: 2_000, requests: 5, throttled: 1, waited: 3_000, elapsed: 12_000 },
  ...fields,
});

/** An output, and what was written to it. */
export function sink(): { readonly output: PassThrough; readonly text: () => string } {
  const output = new PassThrough();
  return { output, text: () => String(output.read() ?? '') };
}

/** A report's file, and what was written into it. */
export function memoryFile() {
  let text = '';
  let closed = false;
  return {
    file: {
      write: (more: string) => void (text += more),
      close: () => {
        closed = true;
      },
    },
    text: () => text,
    closed: () => closed,
  };
}
