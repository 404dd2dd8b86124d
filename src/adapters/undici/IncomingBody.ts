import type { BodyChunk, BodyReader, ReadableBody } from '../../transport/readAll.js';

/** Most bytes that are kept until they are read; with more the connection is paused. */
const MOST_KEPT = 65_536;

/** The connection that a body comes by. */
export interface Connection {
  /** Goes on after a pause. */
  readonly resume: () => void;
  /** Ends the request, and with HTTP/1.1 the connection. */
  readonly abort: () => void;
}

interface PendingRead {
  readonly resolve: (chunk: BodyChunk) => void;
  readonly reject: (error: unknown) => void;
}

const DONE: BodyChunk = { done: true };

/**
 * The body of a response between the dispatcher and its reader. A read settles at once where bytes are there, so that no promise is made.
 */
export class IncomingBody implements ReadableBody, BodyReader {
  readonly #connection: Connection;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #paused = false;
  #end: { readonly error?: unknown } | undefined;
  #pending: PendingRead | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Takes bytes in. Returns whether more are wanted now. */
  push(chunk: Uint8Array): boolean {
    if (this.#end || chunk.byteLength === 0) return true;
    const pending = this.#pending;
    if (pending) {
      this.#pending = undefined;
      pending.resolve({ done: false, value: chunk });
      return true;
    }
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
    this.#paused = this.#size >= MOST_KEPT;
    return !this.#paused;
  }

  /** Ends the body: the last byte is in. */
  finish(): void {
    this.#settle({});
  }

  /** Fails the body: the connection failed. */
  fail(error: unknown): void {
    this.#settle({ error });
  }

  getReader(): BodyReader {
    return this;
  }

  read(): ReturnType<BodyReader['read']> {
    const value = this.#chunks.shift();
    if (value) {
      this.#size -= value.byteLength;
      if (this.#paused && this.#size < MOST_KEPT) this.#resume();
      return settled({ done: false, value });
    }
    if (this.#end) return 'error' in this.#end ? Promise.reject(this.#end.error) : settled(DONE);
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
  }

  cancel(): Promise<void> {
    this.#chunks.length = 0;
    const ended = this.#end !== undefined;
    this.#settle({});
    if (!ended) this.#connection.abort();
    return Promise.resolve();
  }

  #resume(): void {
    this.#paused = false;
    this.#connection.resume();
  }

  #settle(end: { readonly error?: unknown }): void {
    if (this.#end) return;
    this.#end = end;
    const pending = this.#pending;
    this.#pending = undefined;
    if ('error' in end) pending?.reject(end.error);
    else pending?.resolve(DONE);
  }
}

function settled(chunk: BodyChunk): ReturnType<BodyReader['read']> {
  return {
    then: (arrived) => {
      arrived(chunk);
    },
  };
}
