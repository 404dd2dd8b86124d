import { inspect } from 'node:util';
import { UsageError } from '../../../request/errors/UsageError.js';
import type { HttpEvent } from '../../../request/HttpEvent.js';
import type { RetryPolicyInput } from '../../../retry/RetryPolicy.js';
import { uploadPolicy } from '../../uploadPolicy.js';
import type { ParallelOptions, UploadBuildOptions } from '../../UploadBuildOptions.js';
import { wrongOption } from '../resolveUploadOptions.js';

/** The options of a build, checked and complete. */
export interface ResolvedBuildOptions extends UploadBuildOptions {
  readonly mode: 'ci' | 'monitoring';
  readonly retry: RetryPolicyInput<HttpEvent>;
}

/** Checks `options` and fills in the defaults. @throws UsageError that names the option, its value and the remedy */
export function resolveBuildOptions(options: UploadBuildOptions): ResolvedBuildOptions {
  if (typeof (options as unknown) !== 'object' || (options as unknown) === null) {
    throw new UsageError(`uploadBuild: the options are ${inspect(options)}; give at least { commit, branch }`);
  }
  const { commit, branch, mode = 'ci', retry = uploadPolicy, parallel } = options;
  if (typeof commit !== 'string' || !/^[\da-f]{40}$/i.test(commit)) throw wrongOption('commit', commit, 'its 40 hexadecimal digits');
  if (typeof branch !== 'string' || branch === '') throw wrongOption('branch', branch, "the branch's name");
  if (!['ci', 'monitoring'].includes(mode)) throw wrongOption('mode', mode, "'ci' or 'monitoring'");
  if (parallel !== undefined) checkParallel(parallel);
  return { ...options, mode, retry };
}

function checkParallel(parallel: ParallelOptions): void {
  if (typeof (parallel as unknown) !== 'object' || (parallel as unknown) === null)
    throw wrongOption('parallel', parallel, '{ nonce, total, index }');
  const { nonce, total, index } = parallel;
  if (typeof nonce !== 'string' || nonce.trim() === '') throw wrongOption('parallel.nonce', nonce, 'a text that all shards share');
  if (!Number.isInteger(total) || (total !== -1 && total < 1))
    throw wrongOption('parallel.total', total, 'the number of shards, or -1 where finalizeBuilds ends the build');
  if (index !== undefined && (!Number.isInteger(index) || index < 1 || (total !== -1 && index > total)))
    throw wrongOption('parallel.index', index, total === -1 ? 'a whole number, 1 or more' : `a whole number from 1 to ${total}`);
}
