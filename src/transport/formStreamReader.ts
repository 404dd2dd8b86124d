import type { FormStream } from '../request/bodyShapes.js';
import type { ChunkReader } from './meterUpload.js';

/** A reader of a form of the package `form-data`, which is a stream of Node's oldest kind: it flows by events and is no async iterable. */
export function formStreamReader(form: FormStream): ChunkReader {
  const chunks: Uint8Array[] = [];
  const encoder = new TextEncoder();
  let end: { readonly error?: unknown } | undefined;
  const asleep = (): void => undefined;
  let wake = asleep;
  const finish = (how: { readonly error?: unknown }): void => {
    end ??= how;
    wake();
  };
  form.on('data', (chunk: Uint8Array | string) => {
    chunks.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
    form.pause();
    wake();
  });
  form.on('end', () => {
    finish({});
  });
  form.on('error', (error: unknown) => {
    finish({ error });
  });
  const read: ChunkReader['read'] = () =>
    new Promise((resolve, reject) => {
      wake = () => {
        if (chunks.length === 0 && !end) return;
        wake = asleep;
        const value = chunks.shift();
        if (value) resolve({ done: false, value });
        else if (end && 'error' in end) reject(end.error);
        else resolve({ done: true, value: undefined });
      };
      wake();
      if (wake !== asleep) form.resume();
    });
  return {
    read,
    cancel: () => {
      end ??= {};
      form.destroy?.();
      return Promise.resolve();
    },
  };
}
