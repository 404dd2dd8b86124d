import { inspect } from 'node:util';
import type { OptionRule } from '../../../request/checkOptions.js';
import { UsageError } from '../../../request/errors/UsageError.js';
import { isObject } from '../../../request/guards.js';
import type { HttpEvent } from '../../../request/HttpEvent.js';
import type { RetryPolicyInput } from '../../../retry/RetryPolicy.js';
import type { ParallelOptions, UploadBuildOptions } from '../../UploadBuildOptions.js';
import { uploadPolicy } from '../../uploadPolicy.js';
import { checkUploadValues, isCount, isFilled } from '../resolveUploadOptions.js';

/** The options of a build, checked and complete. */
export interface ResolvedBuildOptions extends UploadBuildOptions {
  readonly mode: 'ci' | 'monitoring';
  readonly retry: RetryPolicyInput<HttpEvent>;
}

const RULES: Readonly<Record<'commit' | 'branch' | 'mode' | 'parallel', OptionRule>> = {
  commit: [(value) => typeof value === 'string' && /^[\da-f]{40}$/i.test(value), 'its 40 hexadecimal digits'],
  branch: [isFilled, "the branch's name"],
  mode: [(value) => value === 'ci' || value === 'monitoring', "'ci' or 'monitoring'"],
  parallel: [isObject, '{ nonce, total, index }'],
};

/** Checks `options` and fills in the defaults. @throws UsageError that names the option, its value and the remedy */
export function resolveBuildOptions(options: UploadBuildOptions): ResolvedBuildOptions {
  if (!isObject(options)) throw new UsageError(`uploadBuild: the options are ${inspect(options)}; give at least { commit, branch }`);
  checkUploadValues(options, RULES, ['commit', 'branch']);
  const { mode = 'ci', retry = uploadPolicy, parallel } = options;
  if (parallel !== undefined) checkParallel(parallel);
  return { ...options, mode, retry };
}

function checkParallel({ nonce, total, index }: ParallelOptions): void {
  const largest = total === -1 ? Infinity : total;
  checkUploadValues(
    { 'parallel.nonce': nonce, 'parallel.total': total, 'parallel.index': index },
    {
      'parallel.nonce': [(value) => isFilled(value) && value.trim() !== '', 'a text that all shards share'],
      'parallel.total': [(value) => value === -1 || isCount(value), 'the number of shards, or -1 where finalizeBuilds ends the build'],
      'parallel.index': [
        (value) => isCount(value) && (value as number) <= largest,
        total === -1 ? 'a whole number, 1 or more' : `a whole number from 1 to ${total}`,
      ],
    },
    ['parallel.nonce', 'parallel.total'],
  );
}
