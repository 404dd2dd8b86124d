import { isSecretName, redactHeaders, redactUrl } from '../../node/recordings/redact.js';
import type { HttpEvent } from '../../request/HttpEvent.js';
import { inertJson } from '../inert.js';
import type { GetReport } from './GetReport.js';
import type { BackpressuredWriter } from './BackpressuredWriter.js';
import { compacted, isJson } from './rawJson.js';

/**
 * A line of JSON for each event, the waits too: the types of `HttpEvent`, `item` (`{ item }`) for items and lines, `message`
 * (`{ event, id, data }`) for events of a stream. The `body` of a `response` is a JSON value, each digit as it came, if it is declared as one
 * and is one, text if it is UTF-8, otherwise base64, with `encoding: 'base64'`. Cookies and the like are left out of header fields and URLs.
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
