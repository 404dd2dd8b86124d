import { isObject } from '../../request/guards.js';
import { type HttpError, isHttpError } from '../../request/errors/HttpError.js';

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1000,
  m: 1000 ** 2,
  g: 1000 ** 3,
  ki: 1024,
  mi: 1024 ** 2,
  gi: 1024 ** 3,
};

/** Fields of JSON by which servers name the limit, in bytes: that of body-parser first. */
const FIELDS = ['limit', 'maxBytes', 'maxSize', 'max_size', 'maxFileSize', 'max_file_size'] as const;

/** True if a server refused a body as too large, by a 413, or by a 400 as object storage does. */
export function isTooLarge(error: unknown): error is HttpError {
  return (
    isHttpError(error) && (error.status === 413 || (typeof error.body === 'string' && error.body.includes('<Code>EntityTooLarge</Code>')))
  );
}

/**
 * Most bytes that a server takes, where it names them when it refuses a body as too large: in the XML of object storage (`MaxSizeAllowed`),
 * in a field of JSON (`limit`), or in words (`the limit is 10 MB`).
 */
export function sizeLimit(error: unknown): number | undefined {
  if (!isTooLarge(error)) return undefined;
  const { body } = error;
  if (isObject(body)) return limitField(body) ?? Object.values(body).map(limitInWords).find(Boolean);
  if (typeof body !== 'string') return undefined;
  return limitElement(body) ?? limitField(parsed(body)) ?? limitInWords(body);
}

function limitElement(xml: string): number | undefined {
  const [, digits] = /<MaxSizeAllowed>(\d{1,15})<\/MaxSizeAllowed>/.exec(xml) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function limitField(body: unknown): number | undefined {
  if (!isObject(body)) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...body };
  return FIELDS.map((name) => fields[name]).find((value): value is number => Number.isSafeInteger(value) && Number(value) > 0);
}

function limitInWords(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const [, number = '', unit] =
    /(?:limit|maximum|max|at most|larger than|exceeds|up to)\b\D{0,40}?(\d[\d,]*(?:\.\d+)?) ?((?:[kmg]i?)?(?=b)|)b(?:ytes)?\b/i.exec(
      text,
    ) ?? [];
  return unit === undefined ? undefined : Math.round(Number(number.replaceAll(',', '')) * (UNITS[unit.toLowerCase()] ?? 1));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
