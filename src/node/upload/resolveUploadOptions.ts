import { inspect } from 'node:util';
import { isObservable } from 'rxjs';
import { UsageError } from '../../request/errors/UsageError.js';
import type { UploadOptions } from '../UploadOptions.js';
import type { JobOptions } from './UploadJob.js';

/** Checks `options` and fills in the defaults. @throws UsageError that names the option, its value and the remedy */
export function resolveUploadOptions({
  concurrency = 10,
  journal,
  maxFailures,
  deadline,
  abort$,
  allowMissing = false,
}: UploadOptions): JobOptions {
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw wrongOption('concurrency', concurrency, 'a whole number of files, 1 or more');
  if (journal !== undefined && (typeof (journal as unknown) !== 'string' || journal === ''))
    throw wrongOption('journal', journal, 'the path of a file');
  if (maxFailures !== undefined && (!Number.isInteger(maxFailures) || maxFailures < 1))
    throw wrongOption('maxFailures', maxFailures, 'a whole number of files, 1 or more');
  if (deadline !== undefined && !(deadline > 0)) throw wrongOption('deadline', deadline, 'milliseconds, more than 0');
  if (abort$ !== undefined && !isObservable(abort$)) throw wrongOption('abort$', abort$, 'an observable');
  if (typeof allowMissing !== 'boolean') throw wrongOption('allowMissing', allowMissing, 'true or false');
  return { concurrency, journal, maxFailures, deadline, abort$, allowMissing };
}

/** Error of an invalid option of an upload. */
export function wrongOption(name: string, value: unknown, remedy: string): UsageError {
  return new UsageError(`uploadBuild: ${name} is ${inspect(value)}; give ${remedy}`);
}
