import { Option } from 'commander';
import type { Sourced } from './settings/Setting.js';
import { SETTINGS } from './settings/SETTINGS.js';

/** The option `--ca` of a command without settings; its value is a file with its place. */
export function caOption(): Option {
  const { flag, help, parse } = SETTINGS.ca;
  return new Option(flag, help).argParser((text): Sourced<string> => ({ value: parse(text, '--ca'), from: '--ca' }));
}
