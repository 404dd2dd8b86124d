import { inspect } from 'node:util';
import { UsageError } from '../../request/errors/UsageError.js';
import type { HttpEvent } from '../../request/HttpEvent.js';
import { policies } from '../../retry/policies.js';
import type { RetryPolicyInput } from '../../retry/RetryPolicy.js';
import type { UploadBuildOptions } from '../UploadBuildOptions.js';

/** The options of an upload, checked and complete. */
export interface ResolvedOptions extends UploadBuildOptions {
  readonly concurrency: number;
  readonly mode: 'ci' | 'monitoring';
  readonly retry: RetryPolicyInput<HttpEvent>;
}

/** Checks `options` and fills in the defaults. @throws UsageError naming the option, its value and what it may be */
export function resolveOptions(options: UploadBuildOptions): ResolvedOptions {
  if (typeof (options as unknown) !== 'object' || (options as unknown) === null) {
    throw new UsageError(`uploadBuild: the options are ${inspect(options)}; give at least { commit, branch }`);
  }
  const { commit, branch, concurrency = 10, mode = 'ci', retry = policies.upload } = options;
  const wrong = (name: string, value: unknown, remedy: string): UsageError =>
    new UsageError(`uploadBuild: ${name} is ${inspect(value)}; give ${remedy}`);
  if (typeof commit !== 'string' || !/^[\da-f]{40}$/i.test(commit)) throw wrong('commit', commit, 'its 40 hexadecimal digits');
  if (typeof branch !== 'string' || branch === '') throw wrong('branch', branch, "the branch's name");
  if (!Number.isInteger(concurrency) || concurrency < 1) throw wrong('concurrency', concurrency, 'a whole number of files, 1 or more');
  return { ...options, concurrency, mode, retry };
}
