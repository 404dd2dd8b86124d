import type { DispatchController, DispatchHandler, ParsedHeaders, RawHeaders } from './Dispatcher.js';
import { IncomingBody } from './IncomingBody.js';
import { parsedFields, responseFields } from './headerFields.js';

/** Listener to the connection of a request. */
export interface RequestProgress {
  /** Called when the request has a connection, and is sent. */
  readonly begun: () => void;
  /** Called when the request needs its connection no more. */
  readonly ended: () => void;
}

/** The head of a response, and its body while it arrives. */
export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: IncomingBody;
}

/**
 * Callbacks of undici for one request, in any version: 7 and 8 call the `onRequest...` and `onResponse...`, 6 the others.
 *
 * The head is given by a promise that was made at the send, for two reasons: a small response is complete by then, and the promise's
 * callbacks run in the asynchronous context of the request, not in that of the connection.
 */
export class ResponseHandler implements DispatchHandler {
  /** The head, once it is there; rejects where none comes. */
  readonly head: Promise<ResponseHead>;
  #resolve: (head: ResponseHead) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #abort: ((reason: Error) => void) | undefined;
  #aborted = false;
  #body: IncomingBody | undefined;
  readonly #progress: RequestProgress;

  constructor(progress: RequestProgress) {
    this.#progress = progress;
    this.head = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Ends the request, now or as soon as it has begun. */
  readonly abort = (): void => {
    this.#aborted = true;
    this.#abort?.(new DOMException('The request was aborted', 'AbortError'));
  };

  onRequestStart(controller: DispatchController): void {
    this.#begin((reason) => {
      controller.abort(reason);
    });
  }

  onResponseStart(controller: DispatchController, status: number, headers: ParsedHeaders, statusText = ''): void {
    const raw = controller.rawHeaders;
    const resume = (): void => {
      controller.resume();
    };
    this.#receive(status, statusText, () => (raw ? responseFields(raw) : parsedFields(headers, true)), resume);
  }

  onResponseData(controller: DispatchController, chunk: Uint8Array): void {
    if (this.#body?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(_: DispatchController | null, error: Error): void {
    this.#fail(error);
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.#begin(abort);
  }

  onHeaders(status: number, headers: RawHeaders | ParsedHeaders, resume: () => void, statusText: string): boolean {
    this.#receive(status, statusText, () => responseFields(headers), resume);
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    return this.#body?.push(chunk) ?? true;
  }

  onComplete(): void {
    this.#finish();
  }

  onError(error: Error): void {
    this.#fail(error);
  }

  #begin(abort: (reason: Error) => void): void {
    this.#abort = abort;
    if (this.#aborted) this.abort();
    else this.#progress.begun();
  }

  #receive(status: number, statusText: string, headers: () => Headers, resume: () => void): void {
    // An interim answer (RFC 9110 section 15.2); the final one comes later.
    if (status < 200) return;
    this.#body = new IncomingBody({ resume, abort: this.abort });
    this.#resolve({ status, statusText, headers: headers(), body: this.#body });
  }

  #finish(): void {
    this.#progress.ended();
    this.#body?.finish();
  }

  #fail(cause: Error): void {
    this.#progress.ended();
    // The message is that of `fetch`, by which failures are told apart.
    this.#body?.fail(new TypeError('terminated', { cause }));
    this.#reject(new TypeError('fetch failed', { cause }));
  }
}
