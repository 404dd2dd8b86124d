import { isObservable, noop, type Subscriber } from 'rxjs';
import { BodyError, isBodyError } from '../request/errors/BodyError.js';
import { ofCaller } from '../request/errors/causes.js';
import { HttpError, isExpected } from '../request/errors/HttpError.js';
import type { Body } from '../request/RequestBody.js';
import type { RequestSummary } from '../request/RequestSummary.js';
import { isVirtual, type Watchdog, watchdog } from '../time.js';
import { bodyControl, offerControl } from './bodyControl.js';
import type { Call, ExchangeListener, ReadAnswer } from './Call.js';
import { discardBody } from './discardBody.js';
import { fetchFailure } from './fetchFailure.js';
import { guardBody } from './guardBody.js';
import { LazyController } from './LazyController.js';
import { makeBody } from './makeBody.js';
import { type IdleTimeout, idleTimeout } from './idleTimeout.js';
import { isUndecodable } from '../request/engineErrors.js';
import { looksLikeNetworkFailure, messageOf, networkError } from '../request/networkError.js';
import { outgoingBody, type OutgoingBody } from './outgoingBody.js';
import { fetchArguments } from './fetchArguments.js';
import type { Hop } from './Hop.js';
import { followsRedirects, markRedirected, nextHop } from './followRedirects.js';
import { redirectOf, refuseRedirect, refusesRedirects } from './redirect.js';
import { listen } from './listen.js';
import { requireLength } from './platformBody.js';
import { requireResponse, send } from './send.js';

/**
 * One attempt for one subscriber: makes the body, sends it, follows redirects, hands the response over.
 *
 * Its idle timeout runs while the network owes progress: from the send to the headers, except while the body's own source makes its bytes,
 * and then while the response is read.
 */
export class Attempt<T> {
  readonly #call: Call;
  readonly #request: RequestSummary;
  readonly #subscriber: Subscriber<T | Response>;
  readonly #readAnswer: ReadAnswer<T> | undefined;
  readonly #listener: ExchangeListener | undefined;
  readonly #controller = new LazyController();
  readonly #idleTimeout: IdleTimeout;
  readonly #idle: Watchdog;
  /** True if unsubscribing aborts the response's body. */
  #ownsBody = true;
  /** The error that the response's body failed with. */
  #brokenBy: unknown;

  constructor(
    call: Call,
    request: RequestSummary,
    subscriber: Subscriber<T | Response>,
    readAnswer: ReadAnswer<T> | undefined,
    listener: ExchangeListener | undefined,
  ) {
    this.#call = call;
    this.#request = request;
    this.#subscriber = subscriber;
    this.#readAnswer = readAnswer;
    this.#listener = listener;
    this.#idleTimeout = idleTimeout(call.timeout, request);
    this.#idle = watchdog(call.timeout, () => {
      this.#fail(this.#idleTimeout.timeoutError());
    });
    subscriber.add(() => {
      this.#idle.unsubscribe();
      if (this.#ownsBody) this.#controller.abort();
    });
  }

  begin(): void {
    this.#try(() => {
      const made = makeBody(this.#call, this.#controller);
      if (!isObservable(made)) {
        this.#sendFirst(made);
        return;
      }
      this.#subscriber.add(
        made.subscribe({
          next: (body) => {
            this.#try(() => {
              this.#sendFirst(body);
            });
          },
          error: (error: unknown) => {
            this.#fail(error);
          },
        }),
      );
    });
  }

  #sendFirst(body: Body | undefined): void {
    const { input } = this.#call;
    const { url, method, headers } = this.#request;
    const hasBody = body !== undefined || (input instanceof Request && input.body !== null);
    this.#send(body, { url, method, headers, body: hasBody, count: 0 });
  }

  #send(body: Body | undefined, hop: Hop): void {
    const outgoing = body === undefined ? undefined : this.#meter(body);
    requireLength(outgoing?.total, hop, this.#request);
    // A body that stays in its Request is not counted; in virtual time nothing is sent.
    if (outgoing ? outgoing.counted : !hop.body || isVirtual()) this.#idle.touch();
    if (hop.count === 0) this.#listener?.sent();
    if (outgoing?.counted === true && !outgoing.streamed) this.#listener?.upload(outgoing.total ?? 0, outgoing.total);
    if (this.#subscriber.closed) return;
    this.#fetch(body, outgoing, hop);
  }

  #fetch(body: Body | undefined, outgoing: OutgoingBody | undefined, hop: Hop): void {
    const { fetch, dispatch } = this.#call;
    const redirect = redirectOf(this.#call);
    const refused = refusesRedirects(redirect, outgoing);
    const followed = followsRedirects(redirect, hop, dispatch === undefined);
    const { url, method, headers } = hop;
    const [input, init] = dispatch ? [url, this.#call.init] : fetchArguments(this.#call, hop, outgoing, followed, this.#controller.signal);
    const call = { request: this.#request, input, init, custom: fetch !== undefined, redirected: hop.count > 0 };
    const answered = (response: Response): void => {
      this.#try(() => {
        requireResponse(response, this.#request);
        refuseRedirect(response, redirect, refused, this.#request);
        const target = followed ? nextHop(response, hop, this.#request) : undefined;
        if (target) {
          discardBody(response);
          this.#send(target.body ? body : undefined, target);
        } else {
          this.#receive(hop.count > 0 ? markRedirected(response) : response);
        }
      });
    };
    const failed = (error: unknown): void => {
      this.#fail(fetchFailure(error, call));
    };
    if (dispatch) {
      const sent = { url, method, headers, body: outgoing, init, idle: this.#idle, refusesRedirects: refused };
      this.#subscriber.add(dispatch(sent, { answered, failed }));
      return;
    }
    try {
      listen(send(fetch, this.#request, input, init), { next: answered, error: failed, complete: noop }, this.#subscriber);
    } catch (error) {
      // An error that `fetch` throws is treated like a rejection.
      failed(error);
    }
  }

  #meter(body: Body): OutgoingBody {
    return outgoingBody(body, this.#controller, {
      idle: this.#idle,
      progress: (loaded, total) => {
        this.#listener?.upload(loaded, total);
      },
      failed: (error) => {
        this.#fail(ofCaller(error));
      },
    });
  }

  #receive(response: Response): void {
    this.#idle.touch();
    this.#listener?.headers(response);
    if (!isExpected(response, this.#request)) {
      this.#releaseBody();
      offerControl(response, { takeIdleTimeout: () => this.#idleTimeout });
      this.#fail(new HttpError(response, this.#request));
    } else if (this.#readAnswer) {
      this.#read(response, this.#readAnswer);
    } else {
      this.#releaseBody();
      this.#subscriber.next(response);
      this.#subscriber.complete();
    }
  }

  #read(response: Response, readAnswer: ReadAnswer<T>): void {
    const read = readAnswer(response, {
      touch: this.#idle.touch,
      releaseBody: this.#releaseBody,
      broken: this.#broken,
      guard: () => this.#guard(response),
    });
    listen(
      read,
      {
        next: (value) => {
          this.#subscriber.next(value);
        },
        error: (error: unknown) => {
          this.#fail(this.#readError(error, response));
        },
        complete: () => {
          this.#releaseBody();
          this.#subscriber.complete();
        },
      },
      this.#subscriber,
    );
  }

  /**
   * The response with a body that watches for silence itself. The body of a stand-in cannot be watched: the attempt watches until its end.
   */
  #guard(response: Response): Response {
    const isEmpty = response.body === null;
    const guarded = guardBody(response, {
      idle: this.#idleTimeout,
      broken: this.#broken,
      ended: this.#releaseBody,
      abort: (error) => {
        this.#controller.abort(error);
        this.#fail(error);
      },
    });
    if (isEmpty || bodyControl(guarded)) this.#idle.unsubscribe();
    return guarded;
  }

  /** The error of reading a response: failures of the network become NetworkErrors, and a body's error names its request. */
  #readError(error: unknown, { headers }: Response): unknown {
    const platform = this.#call.fetch === undefined;
    const name = this.#request.toString();
    if (isUndecodable(error)) {
      const problem = `the body is not ${headers.get('content-encoding') ?? 'encoded'}, as its content-encoding says: ${messageOf(error)}`;
      return new BodyError(`${name}: ${problem}`, { cause: error, request: this.#request });
    }
    if (looksLikeNetworkFailure(error) || (platform && error !== undefined && error === this.#brokenBy)) {
      return networkError(error, this.#request);
    }
    if (isBodyError(error))
      return error.request ? error : new BodyError(`${name}: ${error.message}`, { cause: error.cause, request: this.#request });
    return isJsonError(error)
      ? new BodyError(`${name}: the body is not JSON; read it by text() to see it`, { cause: error, request: this.#request })
      : error;
  }

  readonly #broken = (error: unknown): void => {
    this.#brokenBy = error;
  };

  readonly #releaseBody = (): void => {
    this.#ownsBody = false;
    this.#idle.unsubscribe();
  };

  readonly #fail = (error: unknown): void => {
    this.#subscriber.error(error);
  };

  /** Runs a step whose errors, those of hooks and refused redirects, become the attempt's. */
  #try(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#fail(error);
    }
  }
}

/** True if an error is that of `JSON.parse`, in the words of V8, JavaScriptCore and SpiderMonkey. */
function isJsonError(error: unknown): boolean {
  const { name, message } = Object(error) as Partial<Record<'name' | 'message', unknown>>;
  return name === 'SyntaxError' && String(message).includes('JSON');
}
