import { inspect } from 'node:util';
import { isObservable } from 'rxjs';
import { checkValues, isPositive, type OptionRule } from '../../request/checkOptions.js';
import type { UploadOptions } from '../UploadOptions.js';
import type { JobOptions } from './UploadJob.js';

const FILES: OptionRule = [isCount, 'a whole number of files, 1 or more'];

const RULES: Readonly<Record<keyof UploadOptions, OptionRule>> = {
  concurrency: FILES,
  journal: [isFilled, 'the path of a file'],
  maxFailures: FILES,
  deadline: [isPositive, 'milliseconds, more than 0'],
  abort$: [isObservable, 'an observable'],
  allowMissing: [(value) => typeof value === 'boolean', 'true or false'],
};

/** Checks `options` and fills in the defaults. @throws UsageError that names the option, its value and the remedy */
export function resolveUploadOptions(options: UploadOptions): JobOptions {
  checkUploadValues(options, RULES);
  const { concurrency = 10, journal, maxFailures, deadline, abort$, allowMissing = false } = options;
  return { concurrency, journal, maxFailures, deadline, abort$, allowMissing };
}

/** Refuses values of an upload's options. @throws UsageError that names the option, its value and the remedy */
export function checkUploadValues<Name extends string>(
  options: Readonly<Partial<Record<Name, unknown>>>,
  rules: Readonly<Record<Name, OptionRule>>,
  required?: readonly NoInfer<Name>[],
): void {
  checkValues('uploadBuild', options, rules, required, (value) => inspect(value));
}

/** True if `value` is a whole number, 1 or more. */
export function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1;
}

/** True if `value` is a text with at least one character. */
export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
