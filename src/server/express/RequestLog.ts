import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** One request that the server saw. */
export interface RequestRecord {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  /** Method and path, ids replaced: `PUT /v2/builds/:id`, `POST /storage/:key`. */
  readonly route: string;
  /** Header fields without `authorization` and `cookie`. */
  readonly headers: IncomingHttpHeaders;
  /** Status of the response; `undefined` while there is none. */
  readonly status: number | undefined;
  /** Bytes of the JSON body, or of the file, that arrived. */
  readonly bytes: number;
  /** SHA-256 (hex) of a file that was stored. The server keeps any file, as object storage does, whether or not this is the file's key. */
  readonly sha256: string | undefined;
  /** True if the connection closed before the response was complete. */
  readonly aborted: boolean;
}

/** Counts of the requests since the server started. */
export interface RequestCounts {
  readonly total: number;
  /** Number of requests answered 429. */
  readonly throttled: number;
  readonly byRoute: Readonly<Record<string, number>>;
  readonly byStatus: Readonly<Record<number, number>>;
}

type Draft = { -readonly [K in keyof RequestRecord]: RequestRecord[K] };

const KEPT = 2_000;

/** Log of the requests: counts all of them, and keeps the last 2,000. */
export class RequestLog {
  readonly #records: Draft[] = [];
  readonly #drafts = new WeakMap<IncomingMessage, Draft>();
  readonly #byRoute = new Map<string, number>();
  readonly #byStatus = new Map<number, number>();
  #total = 0;

  /** The last requests, oldest first: a copy. */
  get records(): readonly RequestRecord[] {
    return this.#records.map((record) => ({ ...record }));
  }

  /** The counts so far: a copy. */
  get counts(): RequestCounts {
    return {
      total: this.#total,
      throttled: this.#byStatus.get(429) ?? 0,
      byRoute: Object.fromEntries(this.#byRoute),
      byStatus: Object.fromEntries(this.#byStatus),
    };
  }

  /** Adds a request, and its response when there is one. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    const { authorization: _token, cookie: _cookie, ...headers } = request.headers;
    const method = request.method ?? 'GET';
    const url = request.url ?? '/';
    const route = routeOf(method, url);
    const draft: Draft = { method, url, route, headers, status: undefined, bytes: 0, sha256: undefined, aborted: false };
    this.#drafts.set(request, draft);
    this.#records.push(draft);
    if (this.#records.length > KEPT) this.#records.shift();
    this.#total += 1;
    this.#byRoute.set(route, (this.#byRoute.get(route) ?? 0) + 1);
    onStatus(response, (status) => {
      draft.status = status;
      this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1);
    });
    response.on('close', () => {
      draft.aborted = !response.writableFinished || (request.destroyed && !request.complete);
    });
  }

  /** Notes the bytes of a request's body that arrived. */
  received(request: IncomingMessage, bytes: number, sha256?: string): void {
    const draft = this.#drafts.get(request);
    if (draft === undefined) return;
    draft.bytes = bytes;
    draft.sha256 = sha256;
  }
}

function routeOf(method: string, url: string): string {
  const path = url
    .replace(/\?.*$/s, '')
    .replace(/^\/v2\/builds\/(?!finalize$)[^/]+$/, '/v2/builds/:id')
    .replace(/^\/builds\/[^/]+$/, '/builds/:id')
    .replace(/^\/storage\/[^/]+$/, '/storage/:key')
    .replace(/^\/mock\/(etag|daily)\/[^/]+$/, (_, kind: string) => `/mock/${kind}/:${kind === 'daily' ? 'date' : 'name'}`);
  return `${method} ${path}`;
}

/** Calls back when the response starts, not when it has gone out: a client that has the response may look at the log at once. */
function onStatus(response: ServerResponse, listener: (status: number) => void): void {
  const original: (...args: never[]) => unknown = response.writeHead.bind(response);
  const writeHead = (...args: [status: number, ...rest: never[]]): unknown => {
    listener(args[0]);
    return Reflect.apply(original, response, args);
  };
  Object.assign(response, { writeHead });
}
