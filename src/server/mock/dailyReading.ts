import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ApiError } from '../api/ApiError.js';
import { answerCacheable } from './answerCacheable.js';
import { numberIn } from './readQuery.js';

/**
 * `GET /mock/daily/DATE` (`2024-02-29`): one day's data, the same whenever it is asked for, with an ETag; fresh for `maxAge` seconds (86,400).
 * A date that is none is answered 400.
 */
export const dailyReading: RequestHandler = (request, response) => {
  const date = String(request.params.date);
  if (!isDate(date)) throw new ApiError(400, '`date` must be a date such as 2024-02-29');
  const hash = createHash('sha256').update(date).digest();
  const hours = Array.from({ length: 24 }, (_, hour) => (hash.at(hour) ?? 0) / 10);
  answerCacheable(request, response, {
    etag: `"${hash.toString('hex').slice(0, 16)}"`,
    lastModified: undefined,
    cacheControl: `public, max-age=${numberIn(request, 'maxAge', 86_400)}`,
    body: { date, mean: Math.round(hours.reduce((sum, value) => sum + value, 0) / 2.4) / 10, hours },
  });
};

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  // February 30 is read as March 1.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}
