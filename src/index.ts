/**
 * coldfetch: HTTP requests as cold observables that wait when the server says later.
 *
 * @packageDocumentation
 */
export { asFetch } from './client/asFetch.js';
export type { AsFetchOptions } from './client/fetchOver.js';
export type { BeforeRetry } from './client/beforeRetry.js';
export type { ClientOptions } from './client/ClientOptions.js';
export { createClient } from './client/createClient.js';
export { eachEvent, type EachEventOptions } from './client/eachEvent.js';
export type { HeadersFunction, RequestHeaders } from './client/headerFields.js';
export type { BodyOf, ClientResponseType, HttpClient, ReadMethod, RequestOptions, SendMethod, WriteMethod } from './client/HttpClient.js';
export { unauthorized } from './client/unauthorized.js';
export type { DelaySource } from './headers/DelaySource.js';
export { delaySources } from './headers/sources/delaySources.js';
export type { HeadersLike } from './headers/HeadersLike.js';
export { parseRetryAfter } from './headers/parseRetryAfter.js';
export type { QuotaWindow } from './headers/QuotaWindow.js';
export { readRateLimit } from './headers/rateLimit/readRateLimit.js';
export { acquire } from './pace/acquire.js';
export type { AcquireOptions, WaitEstimate } from './pace/queue/Waiter.js';
export { adaptiveConcurrency, type AdaptiveConcurrencyOptions } from './pace/adaptiveConcurrency.js';
export { allOf } from './pace/allOf.js';
export type { BreakerState } from './pace/BreakerCircuit.js';
export { type CircuitBreaker, circuitBreaker, type CircuitBreakerOptions } from './pace/circuitBreaker.js';
export { concurrency } from './pace/concurrency.js';
export type { Ask, Estimate, Hold, Limiter, Outcome, Permit, Refusal, ResponseOutcome } from './pace/Limiter.js';
export { type LimitOptions, limitWith } from './pace/limitWith.js';
export type { PaceOptions } from './operation/retryAndPace.js';
export { pacer, type PacerOptions } from './pace/pacer.js';
export { perOrigin } from './pace/perOrigin.js';
export { retryBudget, type RetryBudgetOptions } from './pace/retryBudget.js';
export { spacing } from './pace/spacing.js';
export { tokenBucket, type TokenBucketOptions } from './pace/tokenBucket.js';
export type { ByteSource, StreamedResponse } from './read/streams/ByteSource.js';
export type { CacheOptions } from './read/cache/CacheOptions.js';
export { httpCache, type HttpCache } from './read/cache/httpCache.js';
export type { CacheEntry, CacheStore, StoredResponse, StoredVary } from './read/cache/CacheStore.js';
export type { ServerSentEvent } from './read/streams/eventParser.js';
export {
  type JsonLinesEachOptions,
  jsonLines,
  type JsonLinesOptions,
  type JsonLinesSchema,
  type LinesProgress,
} from './read/streams/jsonLines.js';
export {
  type FetchLinkedPage,
  type LinkClient,
  type LinkedResponse,
  linkPages,
  type LinkPagesOptions,
  type LinkRequest,
} from './read/pages/linkPages.js';
export { type MemoryCache, memoryCache, type MemoryCacheOptions } from './read/cache/memoryCache.js';
export { type NumberedPage, numberedPages, type NumberedPagesOptions } from './read/pages/numberedPages.js';
export { type OffsetPage, offsetPages, type OffsetPagesOptions } from './read/pages/offsetPages.js';
export { type FetchPage, type Page, paginate, type PaginateEachOptions, type PaginateOptions } from './read/pages/paginate.js';
export { isPaginationError, PaginationError } from './read/pages/PaginationError.js';
export { type PaginationReport, paginationReport } from './read/pages/paginationReport.js';
export {
  type EventStream,
  type EventStreamHeaders,
  serverSentEvents,
  type ServerSentEventsEachOptions,
  type ServerSentEventsOptions,
  type ServerSentEventsSchema,
} from './read/streams/serverSentEvents.js';
export { isStreamError, StreamError, type StreamProgress } from './read/streams/StreamError.js';
export { BodyError, isBodyError } from './request/errors/BodyError.js';
export { ColdfetchError, isColdfetchError } from './request/errors/ColdfetchError.js';
export { DeadlineError, isDeadlineError } from './request/errors/DeadlineError.js';
export { HttpError, isHttpError } from './request/errors/HttpError.js';
export { isLimiterError, LimiterError, type LimiterErrorReason } from './request/errors/LimiterError.js';
export { isNetworkError, NetworkError } from './request/errors/NetworkError.js';
export { isTimeoutError, TimeoutError } from './request/errors/TimeoutError.js';
export { isUsageError, UsageError } from './request/errors/UsageError.js';
export type { MaybeAsync } from './request/MaybeAsync.js';
export type { FetchLike } from './request/FetchLike.js';
export type { Handler, Interceptor } from './request/Handler.js';
export { HttpContext, HttpContextToken } from './request/HttpContext.js';
export type {
  DownloadEvent,
  GaveUpEvent,
  GiveUpReason,
  HeadersEvent,
  HttpEvent,
  ResponseEvent,
  RetryEvent,
  SentEvent,
  UploadEvent,
  WaitEvent,
} from './request/HttpEvent.js';
export { type FetchOptions, HttpRequest, type HttpRequestChanges, type HttpRequestInit, type ResponseType } from './request/HttpRequest.js';
export type { ClientBody } from './request/jsonBody.js';
export type { Body, BodyFunction, FetchBody, RequestBody, StreamBody } from './request/RequestBody.js';
export type { RequestSummary } from './request/RequestSummary.js';
export type { Params } from './request/urls.js';
export { COST, type Priority, PRIORITY } from './request/tokens.js';
export type { Backoff, BackoffDraw } from './retry/backoff/Backoff.js';
export { decorrelatedJitter } from './retry/backoff/decorrelatedJitter.js';
export { equalJitter } from './retry/backoff/equalJitter.js';
export { exponential, type ExponentialOptions } from './retry/backoff/exponential.js';
export { fullJitter } from './retry/backoff/fullJitter.js';
export type { GrowthOptions } from './retry/backoff/growth.js';
export { firstVerdict } from './retry/classify/firstVerdict.js';
export { quotaExhausted } from './retry/classify/quotaExhausted.js';
export { shouldRetryHeader } from './retry/classify/shouldRetryHeader.js';
export type { FailedRequest, Failure } from './retry/Failure.js';
export { failures } from './retry/failures.js';
export { jsonLog, type JsonLogOptions } from './operation/jsonLog.js';
export { type Metrics, metrics, type MetricsSnapshot } from './operation/metrics.js';
export { type Policies, policies, type PolicyName } from './retry/policies.js';
export { RETRY } from './operation/RETRY.js';
export { retryAfter } from './operation/retryAfter.js';
export type { RetryAfterInput } from './operation/retryWith.js';
export type { Classify, RetryOptions, RetryPolicy, RetryPolicyInput, RetryRule, Verdict } from './retry/RetryPolicy.js';
export { retryReport, type RetryReport } from './operation/retryReport.js';
export { coldFetch, type ColdFetchInit, type ColdFetchSelectorInit } from './transport/coldFetch.js';
