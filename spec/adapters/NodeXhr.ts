import { type ClientRequest, request } from 'node:http';

/** XMLHttpRequest over `node:http`, as much of it as RxJS's `ajax` uses: Node has none. */
export class NodeXhr extends EventTarget {
  readonly upload = new EventTarget();
  readyState = 0;
  responseType = '';
  response: unknown = null;
  status = 0;
  timeout = 0;
  withCredentials = false;
  #request: ClientRequest | undefined;
  #head: Readonly<Record<string, string | string[] | undefined>> = {};

  open(method: string, url: string): void {
    this.#request = request(url, { method }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        this.#head = answer.headers;
        this.status = answer.statusCode ?? 0;
        this.response = this.responseType === 'json' ? parsed(text) : text;
        this.#tell('load');
      });
    });
    this.#request.on('error', () => this.#tell('error'));
    this.readyState = 1;
  }

  setRequestHeader(name: string, value: string): void {
    this.#request?.setHeader(name, value);
  }

  getResponseHeader(name: string): string | null {
    return this.#head[name.toLowerCase()]?.toString() ?? null;
  }

  getAllResponseHeaders(): string {
    return Object.entries(this.#head)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join('\r\n');
  }

  send(body?: string): void {
    this.#request?.end(body);
  }

  abort(): void {
    this.#request?.destroy();
  }

  #tell(type: 'load' | 'error'): void {
    this.readyState = 4;
    this.dispatchEvent(Object.assign(new Event(type), { loaded: 0, total: 0 }));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
