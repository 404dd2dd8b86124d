import { UsageError } from '../../request/errors/UsageError.js';
import type { Io } from '../Io.js';
import type { Sourced } from './settings/Setting.js';

/** Variables of the token; the first one that is set counts. */
const VARIABLES = ['COLDFETCH_TOKEN', 'ARGOS_TOKEN'] as const;

/** Place of the token, the option or a variable; undefined where none is given. */
export function tokenSource(option: string | undefined, env: Io['env']): string | undefined {
  return option === undefined ? VARIABLES.find((name) => env[name] !== undefined) : '--token';
}

/** The project's token as it can be sent. @throws UsageError that names the option or variable, never its value */
export function findToken(option: string | undefined, env: Io['env']): Sourced<string> {
  const from = tokenSource(option, env);
  if (from === undefined) throw new UsageError('No token: set COLDFETCH_TOKEN, or give --token; --embedded needs none');
  const value = option ?? env[from] ?? '';
  if (value === '') throw new UsageError(`${from} is empty; set it to the token in the project's settings`);
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new UsageError(`${from} is malformed: it holds blanks or characters beyond ASCII; copy the token from the project's settings`);
  }
  return { value, from };
}
