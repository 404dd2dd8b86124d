import { type Command, Option } from 'commander';
import type { Io } from '../../Io.js';
import { readConfigFile } from './readConfigFile.js';
import type { SettingText, Sourced } from './Setting.js';
import { type SettingName, SETTINGS, type SettingValues } from './SETTINGS.js';

/** Settings that were given somewhere, each with its place. */
export type Settings = { readonly [Name in SettingName]?: Sourced<SettingValues[Name]> | undefined };

/** Flags as commander reads them. */
export type SettingFlags = Readonly<Partial<Record<SettingName, SettingText | boolean | undefined>>> & {
  readonly config?: string | undefined;
};

/**
 * The settings that flags, the environment or the config file give, in this order of precedence. An empty variable counts as unset.
 *
 * @throws UsageError that names the flag, the variable or the field of the config file with an invalid value
 */
export async function readSettings(flags: SettingFlags, { env, cwd }: Pick<Io, 'env' | 'cwd'>): Promise<Settings> {
  const file = await readConfigFile(flags.config, cwd);
  const found = (name: SettingName): Sourced<unknown> | undefined => {
    const { parse } = SETTINGS[name];
    const text = flagText(name, flags[name]) ?? variableText(name, env) ?? file[name];
    return text && { value: parse(text.value, text.from), from: text.from };
  };
  const names = Object.keys(SETTINGS) as SettingName[];
  return Object.fromEntries(names.flatMap((name) => [found(name)].flatMap((value) => (value ? [[name, value]] : []))));
}

function flagText(name: SettingName, value: SettingText | boolean | undefined): Sourced<SettingText> | undefined {
  if (value === undefined) return undefined;
  const [flag = ''] = SETTINGS[name].flag.split(' ');
  return typeof value === 'boolean' ? { value: String(value), from: value ? flag : flag.replace('--', '--no-') } : { value, from: flag };
}

function variableText(name: SettingName, env: Io['env']): Sourced<SettingText> | undefined {
  const variable = SETTINGS[name].env.find((each) => env[each]);
  return variable === undefined ? undefined : { value: env[variable] ?? '', from: variable };
}

/** Adds the flags of some settings to a command. Their values stay texts, so that a message about one can name its place. */
export function addSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const { flag, help, isList = false } = SETTINGS[name];
    const option = new Option(flag, help);
    command.addOption(isList ? option.argParser(collect) : option);
    if (name === 'parallel') command.option('--no-parallel', 'upload a build of its own, whatever CI variables say');
  }
  return command.option('--config <file>', 'file of settings (default: coldfetch.config.json, if there is one)');
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
