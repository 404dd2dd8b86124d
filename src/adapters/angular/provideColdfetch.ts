import { type EnvironmentProviders, inject, makeEnvironmentProviders } from '@angular/core';
import { defaultPacer } from '../../client/createClient.js';
import type { Limiter } from '../../pace/Limiter.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { COLDFETCH } from './COLDFETCH.js';
import type { ColdfetchFeature } from './features.js';
import { injectedClient, LIMITER } from './injectedClient.js';

/**
 * Providers of coldfetch for an application, a route or a test: the client that `inject(COLDFETCH)` gives, and the policy and limiter that
 * `retryAfterInterceptor()` takes for Angular's `HttpClient`. A feature that is left out is that of the parent injector.
 *
 * Destroying the injector ends requests and waits, as `takeUntilDestroyed` would: they complete.
 *
 * @example
 * bootstrapApplication(App, {
 *   providers: [
 *     provideHttpClient(withFetch(), withInterceptors([retryAfterInterceptor()])),
 *     provideColdfetch(withPolicy(policies.interactive), withClient({ baseUrl: '/api' })),
 *   ],
 * });
 *
 * @param features `withPolicy`, `withLimiter`, `withClient`; each once
 * @throws UsageError for a feature that is given twice
 */
export function provideColdfetch(...features: readonly ColdfetchFeature[]): EnvironmentProviders {
  const names = features.map(({ name }) => name);
  const twice = names.find((name, index) => names.includes(name, index + 1));
  if (twice !== undefined) throw new UsageError(`provideColdfetch: ${twice} is given twice; give it once`);
  return makeEnvironmentProviders([
    { provide: COLDFETCH, useFactory: injectedClient },
    { provide: LIMITER, useFactory: inheritedLimiter },
    features.map(({ provider }) => provider),
  ]);
}

function inheritedLimiter(): Limiter | false {
  return inject(LIMITER, { optional: true, skipSelf: true }) ?? defaultPacer();
}
