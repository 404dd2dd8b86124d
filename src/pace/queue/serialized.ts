/** Work that never runs inside itself. */
export interface Serialized {
  /** Runs it now, or once more behind the run that is under way. */
  readonly run: () => void;
  readonly isRunning: () => boolean;
}

/** Makes `work` re-entrant: a call during a run makes it run again behind that, however often it is called meanwhile. */
export function serialized(work: () => void): Serialized {
  let running = false;
  let again = false;
  return {
    isRunning: () => running,
    run: () => {
      again = true;
      if (running) return;
      running = true;
      try {
        while (again) {
          again = false;
          work();
        }
      } finally {
        running = false;
      }
    },
  };
}
