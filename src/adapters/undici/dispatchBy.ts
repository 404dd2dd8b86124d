import { Observable } from 'rxjs';
import { bytesOf, isBytes, isUrlSearchParams } from '../../request/bodyShapes.js';
import type { FetchBody } from '../../request/RequestBody.js';
import type { Dispatch } from '../../transport/Dispatch.js';
import { answerOf } from './answerOf.js';
import type { DispatchBody, Dispatcher, DispatchOptions } from './Dispatcher.js';
import { OriginTraffic } from './OriginTraffic.js';
import { requestFields } from './requestFields.js';
import { ResponseHandler } from './ResponseHandler.js';

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Sends by a dispatcher of undici.
 *
 * @param dispatcherOf the dispatcher for a request with such options of `fetch`
 * @param platform whether answers are handed on to whom expects a Response of the platform
 */
export function dispatchBy(dispatcherOf: (init: RequestInit) => Dispatcher, platform: boolean): Dispatch {
  const origins = new Map<string, OriginTraffic>();
  return ({ url, method, headers, body, init, idle, refusesRedirects }) =>
    new Observable((subscriber) => {
      const { origin, protocol, pathname, search, href } = new URL(url);
      if (!/^https?:$/.test(protocol)) {
        subscriber.error(new TypeError('fetch failed', { cause: new Error('unknown scheme') }));
        return;
      }
      const traffic = origins.get(origin) ?? new OriginTraffic();
      origins.set(origin, traffic);
      traffic.dispatch(idle);
      const begun = (): void => {
        traffic.begin(idle);
      };
      const ended = (): void => {
        traffic.end(idle);
        if (traffic.isEmpty) origins.delete(origin);
      };
      const handler = new ResponseHandler({ begun, ended });
      let answered = false;
      handler.head.then(
        (head) => {
          answered = true;
          if (subscriber.closed) return;
          if (refusesRedirects && REDIRECTS.includes(head.status)) {
            handler.abort();
            subscriber.error(new TypeError('fetch failed', { cause: new Error('unexpected redirect') }));
            return;
          }
          subscriber.next(answerOf(head, method, href.replace(/#.*$/s, ''), platform));
          subscriber.complete();
        },
        (error: unknown) => {
          subscriber.error(error);
        },
      );
      subscriber.add(() => {
        if (answered) return;
        handler.abort();
        ended();
      });
      const options: DispatchOptions = {
        origin,
        path: pathname + search,
        method,
        headers: requestFields(headers, body, protocol === 'https:', (init as { readonly cache?: string }).cache),
        body: body ? dispatchBody(body.body) : null,
        // The attempt has an idle timeout of its own, over both.
        headersTimeout: 0,
        bodyTimeout: 0,
      };
      if (!dispatcherOf(init).dispatch(options, handler)) traffic.hold(idle);
    });
}

/** A body of `fetch` as undici takes it. Bytes are copied, as by `fetch`: the caller may write to them before they are sent. */
function dispatchBody(body: FetchBody): DispatchBody {
  if (isUrlSearchParams(body)) return body.toString();
  return isBytes(body) ? bytesOf(body).slice() : (body as string | Blob | ReadableStream<Uint8Array>);
}
