import { map, type Observable } from 'rxjs';
import { wait } from '../time.js';
import { keepBody } from '../transport/keepBody.js';
import { decodeText, readBytes } from '../transport/readBody.js';

const MAX_TIME = 1000;

/** Means to read the body of a failure that is a Response. An operation whose failures are none, as Angular's, goes without. */
export interface ResponseBodies {
  /** Emits the beginning of a body as text, what arrives of it in a second. The body stays readable. */
  readonly peek: (response: Response, maxBytes: number) => Observable<string>;
  /** Keeps the beginning of a body for its reader and frees its connection; emits once, when that is done. */
  readonly keep: (response: Response | undefined) => Observable<void>;
}

/** Reads the bodies of Responses through copies of them. */
export const responseBodies: ResponseBodies = {
  peek: (response, maxBytes) =>
    readBytes(response.clone(), { maxBytes, truncate: true, until$: wait(MAX_TIME) }).pipe(map((bytes) => decodeText(bytes))),
  keep: keepBody,
};
