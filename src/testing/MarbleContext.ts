import type { Observable } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';
import type { ClientOptions } from '../client/ClientOptions.js';
import type { HttpClient } from '../client/HttpClient.js';
import type { MarbleExpectation, RequestExpectation } from './MarbleExpectation.js';
import type { RequestLog } from './scripted/RecordedRequest.js';
import type { ScriptedServer } from './scripted/scriptedServer.js';

/** Tools of a `marbles` block. */
export interface MarbleContext extends Pick<RunHelpers, 'cold' | 'hot' | 'flush' | 'animate'> {
  /**
   * Begins an expectation of an observable (its values, its failure, its waits; of a `cold` or `hot` one its subscriptions too), of the
   * requests of a server or a scripted fetch, or of the wait events in an array. It is compared when the block has been played.
   *
   * @param subscription moments of subscribing and unsubscribing: `'^ 10s !'`; by default from the start until the observable's end
   */
  readonly expect$: {
    (log: RequestLog): RequestExpectation;
    (source: Observable<unknown> | readonly unknown[], subscription?: string): MarbleExpectation;
  };
  /**
   * A server that is scripted by routes. A scripted response that no request asked for by the end of the block is an error, and so is a
   * request without a response.
   */
  readonly server: ScriptedServer;
  /** A client of that server: relative URLs go to it; its retries and its pacer draw from `random`. */
  readonly http: HttpClient;
  /** Another client of that server. */
  readonly client: (options?: ClientOptions) => HttpClient;
  /** Milliseconds of a duration: `'3s'`, `'1m 30s'`, or, as in RxJS, of the stretch before a `|`: `'--|'`. */
  readonly time: (duration: string) => number;
  /** A moment of virtual time, which begins with 1970, as an HTTP date: `date('3s')` is `Thu, 01 Jan 1970 00:00:03 GMT`. */
  readonly date: (moment: number | string) => string;
  /** Source of random numbers that always draws the same. */
  readonly random: () => number;
}
