import { isColdfetchError } from '../request/errors/ColdfetchError.js';
import type { Stop } from '../transport/stopOn.js';
import type { RunningOperation } from './RunningOperation.js';

/** Signal and `abort$` of the request that an error carries, where nobody listens to them for the whole operation. */
export function unheard<T>({ context, policy }: RunningOperation<T>, error: unknown): Stop {
  if (context.stopped || !isColdfetchError(error)) return {};
  const { signal, abort$ } = error.request ?? {};
  return { signal: signal === policy.signal ? undefined : signal, abort$: abort$ === policy.abort$ ? undefined : abort$ };
}
