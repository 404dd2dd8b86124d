import { type Command, Option } from 'commander';
import { SETTINGS, type SettingName } from './SETTINGS.js';

/** Adds the flags of some settings to a command. Their values stay texts: a message about one names its place, whichever it is. */
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
