import type { Observable } from 'rxjs';
import { withoutSecrets } from './withoutSecrets.js';

/** Summary of a request, kept by its error. Printed or serialised, it shows neither query nor credentials. */
export class RequestSummary {
  constructor(
    readonly method: string,
    /** The URL as it was sent. */
    readonly url: string,
    /** The header fields as they were sent. */
    readonly headers: Headers,
    /** The signal that the caller gave. */
    readonly signal?: AbortSignal,
    /** The `abort$` that the caller gave. */
    readonly abort$?: Observable<unknown>,
    /** True if the body, if any, can be sent again. */
    readonly replayable = true,
  ) {}

  /** Method, origin and path, for messages. */
  toString(): string {
    return `${this.method} ${withoutSecrets(this.url)}`;
  }

  /** Method, origin, path and the names of the header fields. */
  toJSON(): { method: string; url: string; headers: string[] } {
    return { method: this.method, url: withoutSecrets(this.url), headers: [...this.headers.keys()] };
  }

  [Symbol.for('nodejs.util.inspect.custom')](): unknown {
    return this.toJSON();
  }
}
