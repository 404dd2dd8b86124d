import { InjectionToken } from '@angular/core';
import type { ClientOptions } from '../../client/ClientOptions.js';
import type { Limiter } from '../../pace/Limiter.js';
import type { RetryOptions } from '../../retry/RetryPolicy.js';

/** Policy of an injector, by `withPolicy`. */
export const POLICY = new InjectionToken<RetryOptions | number | false>('coldfetch policy');

/** Limiter of an injector, by `withLimiter` or the default of `provideColdfetch`; `false`: none. */
export const LIMITER = new InjectionToken<Limiter | false>('coldfetch limiter');

/** Options of an injector's client, by `withClient`. */
export const CLIENT_OPTIONS = new InjectionToken<ClientOptions>('coldfetch client options');
