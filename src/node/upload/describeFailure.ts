import { isHttpError } from '../../request/errors/HttpError.js';
import { printable } from '../../request/printable.js';
import { retryReport } from '../../operation/retryReport.js';
import { isNetworkError } from '../../request/errors/NetworkError.js';
import { sizeLimit } from './sizeLimit.js';
import { explainTls } from './tlsFailure.js';

/** Characters of a server's message that are shown. */
const MAX_SAID = 500;

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' };

/** Code and message of an error of object storage, in XML: `<Error><Code>EntityTooLarge</Code><Message>...</Message></Error>`. */
export function storageError(error: unknown): { code: string; message: string } | undefined {
  if (!isHttpError(error) || typeof error.body !== 'string') return undefined;
  const { body } = error;
  const element = (name: string): string | undefined =>
    new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1]?.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
  const code = element('Code');
  return code === undefined ? undefined : { code, message: element('Message') ?? '' };
}

/**
 * Reason why a request failed, in one line that may be shown: the message of the error, and that of the API or object storage, with the
 * size limit where the server names it.
 */
export function describeFailure(error: unknown): string {
  const message = messageOf(error);
  const said = isHttpError(error) ? (saidByStorage(error) ?? saidByApi(error.body)) : undefined;
  const limit = sizeLimit(error);
  const most = limit === undefined ? '' : `; the server takes at most ${limit.toLocaleString('en')} bytes`;
  return printable(oneLine(`${message}${said === undefined ? '' : `: ${printable(oneLine(said), MAX_SAID)}`}${most}`));
}

function messageOf(error: unknown): string {
  if (isNetworkError(error)) return explainTls(error.message, error.code);
  return error instanceof Error ? error.message : String(error);
}

function saidByStorage(error: unknown): string | undefined {
  const said = storageError(error);
  return said && [said.code, said.message].filter(Boolean).join(': ');
}

/** `{ error, details?: [{ message }] }` */
function saidByApi(body: unknown): string | undefined {
  const { error, details } = (typeof body === 'object' && body !== null ? body : {}) as { error?: unknown; details?: unknown };
  if (typeof error !== 'string') return undefined;
  const messages = (Array.isArray(details) ? (details as unknown[]) : []).flatMap((detail) => {
    const { message } = (detail ?? {}) as { message?: unknown };
    return typeof message === 'string' ? [message] : [];
  });
  return [error, ...messages].join('; ');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** `text`, and the number of attempts where there was more than one. */
export function withAttempts(text: string, error: unknown): string {
  const { attempts = 1 } = retryReport(error) ?? {};
  return attempts > 1 ? `${text} (${attempts} attempts)` : text;
}
