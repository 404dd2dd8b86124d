import type { Request, RequestHandler } from 'express';
import { ApiError } from '../api/ApiError.js';
import { choiceIn, numberIn, textIn } from './readQuery.js';

type By = 'cursor' | 'offset' | 'page';

/**
 * `GET /mock/items`: numbered items in pages, the next one named in the body (`next`: a cursor, an offset or a page number; `null` at the
 * end) and in a `Link` field (RFC 8288: `first`, `prev`, `next`, `last`).
 *
 * - `by`: `cursor` (default), `offset` or `page`; or just send `cursor=`, `offset=` or `page=`.
 * - `total` (1,001) items in pages of `size` (100).
 * - `mode`: `good`; `repeating`: the cursors go round, `period` (1) of them: A, A or A, B, A; `endless`: there is always a next page; `empty`:
 *   page `emptyAt` (2) has no items and yet a next page.
 * - `links`: `absolute` (default) or `relative`; `to`: another origin that the next link leads to.
 */
export const pagedItems: RequestHandler = (request, response) => {
  const by = shapeOf(request);
  const size = numberIn(request, 'size', 100, 1);
  const mode = choiceIn(request, 'mode', ['good', 'repeating', 'endless', 'empty']);
  const total = mode === 'endless' ? Infinity : numberIn(request, 'total', 1_001);
  const page = pageOf(request, by, size);
  const last = Math.max(1, Math.ceil(total / size));
  const next = nextOf(request, page, mode === 'repeating' ? Infinity : last, mode);
  const blank = mode === 'empty' && page === numberIn(request, 'emptyAt', 2, 1);
  const first = (page - 1) * size;
  const ids = blank ? [] : Array.from({ length: Math.max(0, Math.min(size, total - first)) }, (_, index) => first + index + 1);
  const link = (target: number): string => urlOf(request, by, target, size);
  const links: readonly (readonly [string, number | undefined])[] = [
    ['first', 1],
    ['prev', page > 1 ? page - 1 : undefined],
    ['next', next],
    ['last', last === Infinity ? undefined : last],
  ];
  response.set('Link', links.flatMap(([rel, target]) => (target === undefined ? [] : [`<${link(target)}>; rel="${rel}"`])).join(', '));
  response.json({
    items: ids.map((id) => ({ id, name: `item ${id}` })),
    total: total === Infinity ? null : total,
    next: next === undefined ? null : positionOf(by, next, size),
  });
};

function shapeOf(request: Request): By {
  if ('offset' in request.query) return 'offset';
  if ('page' in request.query) return 'page';
  return choiceIn(request, 'by', ['cursor', 'offset', 'page']);
}

/** Number of the requested page, from 1. */
function pageOf(request: Request, by: By, size: number): number {
  if (by === 'page') return numberIn(request, 'page', 1, 1);
  if (by === 'offset') {
    const offset = numberIn(request, 'offset', 0);
    if (offset % size !== 0) throw new ApiError(400, '`offset` must be a multiple of `size`');
    return offset / size + 1;
  }
  const cursor = textIn(request, 'cursor', '');
  const page = cursor === '' ? '1' : /^page:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (page === undefined) throw new ApiError(400, '`cursor` is none that this server gave');
  return Number(page);
}

function nextOf(request: Request, page: number, last: number, mode: string): number | undefined {
  if (page >= last) return undefined;
  const repeats = mode === 'repeating' && page > numberIn(request, 'period', 1, 1);
  return repeats ? 2 : page + 1;
}

function positionOf(by: By, page: number, size: number): string | number {
  if (by === 'cursor') return Buffer.from(`page:${page}`).toString('base64url');
  return by === 'page' ? page : (page - 1) * size;
}

function urlOf(request: Request, by: By, page: number, size: number): string {
  const url = new URL(request.originalUrl, `${request.protocol}://${request.get('host') ?? 'localhost'}`);
  url.searchParams.set(by, String(positionOf(by, page, size)));
  if (choiceIn(request, 'links', ['absolute', 'relative']) === 'relative') return `${url.pathname}${url.search}`;
  const to = textIn(request, 'to', url.origin);
  if (!URL.canParse(to)) throw new ApiError(400, '`to` must be an origin such as http://localhost:8080');
  return `${new URL(to).origin}${url.pathname}${url.search}`;
}
