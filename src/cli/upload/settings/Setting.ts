/** A value, and its place as a message names it: `--branch`, `ARGOS_BRANCH`, `branch in coldfetch.config.json`. */
export interface Sourced<T> {
  readonly value: T;
  readonly from: string;
}

/** Text of a setting as a flag or a variable gives it; several texts for a flag that may be repeated. */
export type SettingText = string | readonly string[];

/** One setting of an upload, in whichever place it is given. */
export interface Setting<T> {
  /** Flag of the command, with its argument: `--branch <name>`. */
  readonly flag: string;
  /** Help of the flag. */
  readonly help: string;
  /** Variables of the environment; the first that is set counts. */
  readonly env: readonly string[];
  /** Reads the text. @throws UsageError that begins with `from` */
  readonly parse: (text: SettingText, from: string) => T;
  /** True if the flag may be repeated. */
  readonly isList?: boolean;
}
