import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { isMissing } from '../../../node/files/fileErrors.js';
import { jsonObject } from '../../../node/files/jsonObject.js';
import { codeOf } from '../../../request/errors/causes.js';
import { UsageError } from '../../../request/errors/UsageError.js';
import type { SettingText, Sourced } from './Setting.js';
import { SETTINGS } from './SETTINGS.js';

/** Config file of a folder. */
const CONFIG_FILE = 'coldfetch.config.json';

/** Texts of settings in a config file, by their names. */
export type ConfigTexts = Readonly<Record<string, Sourced<SettingText>>>;

/**
 * Reads the config file: a JSON object of settings by their names. `$schema` is ignored.
 *
 * @param path as given; without one it is `coldfetch.config.json` in the working directory, which need not exist
 * @throws UsageError that names the file for one that cannot be read, for an unknown setting, and for a token in it
 */
export async function readConfigFile(path: string | undefined, cwd: string): Promise<ConfigTexts> {
  const file = resolve(cwd, path ?? CONFIG_FILE);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    if (path === undefined && isMissing(cause)) return undefined;
    throw new UsageError(`The config file ${file} cannot be read (${codeOf(cause) ?? String(cause)})`, { cause });
  });
  if (text === undefined) return {};
  const name = basename(file);
  const entries = Object.entries(jsonObject(text, `The config file ${file}`)).filter(([key]) => key !== '$schema');
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'token') throw new UsageError(`${file} holds a token, where others see it; set COLDFETCH_TOKEN instead`);
      if (!Object.hasOwn(SETTINGS, key)) {
        throw new UsageError(`${file} has ${JSON.stringify(key)}, which is not a setting; there are ${Object.keys(SETTINGS).join(', ')}`);
      }
      return [key, { value: textOf(value, `${key} in ${name}`), from: `${key} in ${name}` }];
    }),
  );
}

function textOf(value: unknown, from: string): SettingText {
  if (Array.isArray(value)) return value.map((each: unknown) => scalarOf(each, from));
  return scalarOf(value, from);
}

function scalarOf(value: unknown, from: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new UsageError(`${from} is ${JSON.stringify(value)}; give a text, a number, true or false, or a list of them`);
}
