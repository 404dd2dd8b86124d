/** How a command ended, for the shell. */
export const EXIT = {
  /** Everything arrived. */
  fine: 0,
  /** Something did not; it was named. */
  failed: 1,
  /** What was asked for cannot be done as it was asked. */
  usage: 2,
  /** Ctrl-C, as a shell counts it: 128 and the signal's number. */
  SIGINT: 130,
  /** Asked to stop. */
  SIGTERM: 143,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
