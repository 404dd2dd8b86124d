import { UsageError } from '../../request/errors/UsageError.js';
import type { CiFacts } from './readCiVariables.js';
import type { Settings } from './settings/readSettings.js';
import type { Sourced } from './settings/Setting.js';

/** Place of an upload among the shards of a parallel build. */
export interface ParallelFacts {
  readonly parallelNonce?: Sourced<string>;
  readonly parallelTotal?: Sourced<number>;
  readonly parallelIndex?: Sourced<number> | undefined;
}

/**
 * Place of this upload among the shards of a parallel build: as settings say, else as the CI service has split the job; undefined where it
 * is no shard. One setting about shards is enough; the others then come from CI.
 *
 * @throws UsageError for a shard whose nonce or total is unknown, or whose number is above the total
 */
export function findParallel({ parallel, parallelNonce, parallelTotal, parallelIndex }: Settings, ci: CiFacts): ParallelFacts {
  const isAsked = parallel?.value ?? [parallelNonce, parallelTotal, parallelIndex, ci.parallelTotal].some(Boolean);
  if (!isAsked) return {};
  const nonce = findNonce({ parallelNonce }, ci);
  const total = parallelTotal ?? ci.parallelTotal;
  if (!total) {
    throw new UsageError('The number of shards is not known: give --parallel-total, -1 where `coldfetch finalize` ends the build');
  }
  const index = parallelIndex ?? ci.parallelIndex;
  if (index && total.value !== -1 && index.value > total.value) {
    throw new UsageError(`${index.from} says shard ${index.value}, but ${total.from} says that there are ${total.value}; mend one of them`);
  }
  return { parallelNonce: nonce, parallelTotal: total, parallelIndex: index };
}

/** The nonce that shards share. @throws UsageError where neither a setting nor the CI service gives one */
export function findNonce({ parallelNonce }: Pick<Settings, 'parallelNonce'>, ci: CiFacts): Sourced<string> {
  const nonce = parallelNonce ?? ci.parallelNonce;
  if (!nonce) {
    throw new UsageError('The nonce of the shards is not known: give --parallel-nonce, a text that they share and no other run has');
  }
  return nonce;
}
