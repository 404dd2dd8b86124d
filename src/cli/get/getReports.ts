import { isSecretName, redactHeaders, redactUrl } from '../../node/recordings/redact.js';
import type { ServerSentEvent } from '../../read/streams/eventParser.js';
import type { HttpEvent, ResponseEvent } from '../../request/HttpEvent.js';
import { printableJson, printableLines } from '../../request/printable.js';
import { inertJson } from '../inertOutput.js';
import type { Output } from '../Io.js';
import { httpWaits } from '../report/waitNotices.js';
import type { BackpressuredWriter } from './BackpressuredWriter.js';
import { compacted, isJson } from './rawJson.js';

/** Output of a `get`. */
export interface GetReport {
  /** Takes an event of the pipeline, except for responses whose body is shown whole. */
  readonly show: (event: HttpEvent) => void;
  /** Takes a response with its whole body. */
  readonly answer: (response: ResponseEvent<Uint8Array | null>) => void;
  /** Takes an item of a page or a line of a stream, as JSON. */
  readonly item: (json: string) => void;
  /** Takes an event of an event stream. */
  readonly message: (event: ServerSentEvent) => void;
}

/**
 * Report of the data alone to the writer, and of the waits, in words, to the error output. A file or a pipe gets the data byte for byte, a
 * terminal as text in which the server's control characters are escaped.
 */
export function plainGet(writer: BackpressuredWriter, stderr: Output): GetReport {
  const text = writer.isTerminal ? printableLines : String;
  const json = writer.isTerminal ? printableJson : String;
  const wait = httpWaits(stderr);
  return {
    show: (event) => {
      if (event.type === 'wait') wait(event);
    },
    answer: ({ body }) => {
      if (body) writer.write(writer.isTerminal ? printableLines(new TextDecoder().decode(body)) : body);
    },
    item: (item) => writer.write(`${json(item)}\n`),
    message: ({ data }) => writer.write(`${text(data)}\n`),
  };
}

/**
 * Report of each event as a line of JSON, the waits too: the types of `HttpEvent`, `item` (`{ item }`) for items and lines, `message` (`{
 * event, id, data }`) for events of a stream. The `body` of a `response` with a JSON content type is a JSON value, each digit as it came,
 * if it parses; otherwise it is text if it is UTF-8, else base64, with `encoding: 'base64'`. Cookies and the like are left out of header
 * fields and URLs.
 */
export function jsonGet(writer: BackpressuredWriter): GetReport {
  const write = (json: string): void => writer.write(`${inertJson(json)}\n`);
  const put = (line: object): void => write(JSON.stringify(line, plain));
  return {
    show: (event) => put(withoutBody(event)),
    answer: (response) => {
      const head = JSON.stringify(withoutBody(response), plain).slice(0, -1);
      write(`${head},${bodyOf(response.body, response.headers.get('content-type'))}}`);
    },
    item: (json) => write(`{"type":"item","item":${json}}`),
    message: (event) => put({ type: 'message', ...event }),
  };
}

function withoutBody(event: HttpEvent): object {
  const { body: _body, ...rest } = { body: undefined, ...event };
  return 'url' in rest ? { ...rest, url: redactUrl(rest.url, isSecretName) } : rest;
}

function plain(_key: string, value: unknown): unknown {
  if (value instanceof Headers) return Object.fromEntries(redactHeaders(value, isSecretName));
  return value instanceof Error ? { name: value.name, message: value.message } : value;
}

/** The body as members of a JSON object. */
function bodyOf(bytes: Uint8Array | null, type: string | null): string {
  if (!bytes) return '"body":null';
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return `"body":"${Buffer.from(bytes).toString('base64')}","encoding":"base64"`;
  }
  return `"body":${/^[^;]*[/+]json\s*(;|$)/i.test(type ?? '') && isJson(text) ? compacted(text) : JSON.stringify(text)}`;
}
