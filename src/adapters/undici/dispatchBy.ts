import { noop } from 'rxjs';
import { bytesOf, isBytes, isUrlSearchParams } from '../../request/bodyShapes.js';
import type { FetchBody } from '../../request/RequestBody.js';
import type { Dispatch } from '../../transport/Dispatch.js';
import { toResponse } from './toResponse.js';
import type { DispatchBody, Dispatcher, DispatchOptions } from './Dispatcher.js';
import { OriginTraffic } from './OriginTraffic.js';
import { requestFields } from './headerFields.js';
import { ResponseHandler } from './ResponseHandler.js';

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Sends by a dispatcher of undici.
 *
 * @param dispatcherOf the dispatcher for a request with such options of `fetch`
 * @param platform true if responses are handed on to code that expects a Response of the platform
 */
export function dispatchBy(dispatcherOf: (init: RequestInit) => Dispatcher, platform: boolean): Dispatch {
  const origins = new Map<string, OriginTraffic>();
  return ({ url, method, headers, body, init, idle, refusesRedirects }, { answered, failed }) => {
    const { origin, protocol, pathname, search, href } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:') {
      failed(new TypeError('fetch failed', { cause: new Error('unknown scheme') }));
      return noop;
    }
    const traffic = origins.get(origin) ?? new OriginTraffic();
    origins.set(origin, traffic);
    traffic.dispatch(idle);
    let isOpen = true;
    const begun = (): void => {
      traffic.begin(idle);
    };
    const ended = (): void => {
      traffic.end(idle);
      if (traffic.isEmpty) origins.delete(origin);
    };
    const handler = new ResponseHandler({ begun, ended });
    handler.head.then(
      (head) => {
        if (!isOpen) return;
        isOpen = false;
        if (refusesRedirects && REDIRECTS.includes(head.status)) {
          handler.abort();
          failed(new TypeError('fetch failed', { cause: new Error('unexpected redirect') }));
        } else {
          answered(toResponse(head, method, withoutFragment(href), platform));
        }
      },
      (error: unknown) => {
        if (isOpen) failed(error);
      },
    );
    const options: DispatchOptions = {
      origin,
      path: pathname + search,
      method,
      headers: requestFields(headers, body, protocol === 'https:', (init as { readonly cache?: string }).cache),
      body: body ? dispatchBody(body.body) : null,
      // The dispatcher's own timeouts are off: the attempt has an idle timeout over both phases.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    try {
      if (!dispatcherOf(init).dispatch(options, handler)) traffic.hold(idle);
    } catch (error) {
      isOpen = false;
      ended();
      failed(error);
    }
    return () => {
      if (!isOpen) return;
      isOpen = false;
      handler.abort();
      ended();
    };
  };
}

function withoutFragment(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? url : url.slice(0, at);
}

/** A body of `fetch` as undici takes it. Bytes are copied, as by `fetch`: the caller may write to them before they are sent. */
function dispatchBody(body: FetchBody): DispatchBody {
  if (isUrlSearchParams(body)) return body.toString();
  return isBytes(body) ? bytesOf(body).slice() : (body as string | Blob | ReadableStream<Uint8Array>);
}
