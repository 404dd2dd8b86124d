/** The part of the platform's `ProgressEvent` that is read here. */
export interface XhrProgress {
  readonly loaded: number;
  readonly total: number;
  readonly lengthComputable: boolean;
}

/** An object that reports progress: XMLHttpRequest itself for the response, its `upload` for the request. */
export interface XhrEventTarget {
  onprogress: ((progress: XhrProgress) => void) | null;
  onload: ((progress: XhrProgress) => void) | null;
  onerror: (() => void) | null;
}

/** The part of the platform's XMLHttpRequest that is used here; its types are the DOM's, which the rest of coldfetch does without. */
export interface XmlHttpRequest extends XhrEventTarget {
  readonly upload: XhrEventTarget;
  onreadystatechange: (() => void) | null;
  onabort: (() => void) | null;
  readonly readyState: number;
  readonly response: unknown;
  readonly responseURL: string;
  readonly status: number;
  readonly statusText: string;
  responseType: string;
  withCredentials: boolean;
  open(method: string, url: string, async: true): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: unknown): void;
  abort(): void;
}

/** The platform's XMLHttpRequest, looked up now; undefined in a service worker or on a server. */
export function platformXhr(): (new () => XmlHttpRequest) | undefined {
  return (globalThis as { readonly XMLHttpRequest?: new () => XmlHttpRequest }).XMLHttpRequest;
}
