import type { Observable } from 'rxjs';
import type { AdmissionOptions } from '../pace/queue/AdmittedOperation.js';
import type { LimiterQueue } from '../pace/queue/queues.js';
import type { RetryEvent } from '../request/HttpEvent.js';
import { known } from '../request/known.js';
import { originOf } from '../request/urls.js';
import type { FailedRequest, Failure } from '../retry/Failure.js';

/** Longest wait of an operation at its limiter by default, in ms: 30 minutes. */
export const MAX_WAIT = 1_800_000;

/** The limiter that admits an operation's attempts. */
export interface Admitter<T = unknown> extends AdmissionOptions<T> {
  /** Queue of the limiter. */
  readonly queue: LimiterQueue;
}

/** Facts about the operation that its events carry. */
export interface EventContext {
  readonly requestId?: string | undefined;
  /** Destination of the request; by default that of its failures. */
  readonly url?: string | undefined;
}

/** Ways to read the failures of an operation: those of one client, or of many. */
export interface FailureReader {
  /** Reads an error. @param known the caller's facts about the request */
  readonly read: (error: unknown, known?: FailedRequest) => Failure;
  /** Emits the beginning of a failure's body as text; '' where there is none. The body stays readable. */
  readonly peek: (failure: Failure) => Observable<string>;
  /** Keeps the beginning of a response's body and frees its connection; emits when that is done. Missing where no failure has a response. */
  readonly keep?: (response: Response | undefined) => Observable<void>;
}

/** Surroundings of an operation. */
export interface OperationContext<T = unknown> extends EventContext {
  /** Receives waits and giving up, in order with the values. */
  readonly emit: (event: RetryEvent) => void;
  /** True if the caller of the operation ends it on the signal and `abort$` of its requests. */
  readonly stopped?: boolean;
  readonly admitter?: Admitter<T> | undefined;
  readonly failures: FailureReader;
}

/** Fields that all events of an operation have. */
export function eventContext(
  { requestId, url }: EventContext,
  failure?: Failure,
): Partial<Pick<RetryEvent, 'status' | 'requestId' | 'origin'>> {
  return known({ status: failure?.status, requestId, origin: originOf(url ?? failure?.request?.url ?? '') });
}
