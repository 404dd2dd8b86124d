import type { Router } from 'express';
import type { Peers } from '../express/loadPeers.js';
import { dailyReading, versionedDocument } from './cachedDocuments.js';
import { eventStream, jsonLineStream } from './streams.js';
import { pagedItems } from './pagedItems.js';

/**
 * Documents to read, well-behaved or not by the query; no token is needed. The response of a route depends on its URL alone, except for the
 * version of a document, which a `PUT` raises.
 *
 * | route | |
 * |---|---|
 * | `GET /mock/items` | pages: {@link pagedItems} |
 * | `GET`, `PUT /mock/etag/NAME` | a document with validators: {@link versionedDocument} |
 * | `GET /mock/daily/DATE` | a day's data: {@link dailyReading} |
 * | `GET /mock/events` | server-sent events: {@link eventStream} |
 * | `GET /mock/lines` | newline-delimited JSON: {@link jsonLineStream} |
 */
export function mockRoutes({ express }: Peers): Router {
  const router = express.Router();
  const document = versionedDocument();
  router.get('/items', pagedItems);
  router.get('/etag/:name', document.get);
  router.put('/etag/:name', document.put);
  router.get('/daily/:date', dailyReading);
  router.get('/events', eventStream);
  router.get('/lines', jsonLineStream);
  return router;
}
