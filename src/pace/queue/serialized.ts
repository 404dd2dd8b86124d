/** Work that never runs inside itself. */
export interface Serialized {
  /** Runs the work now, or once more after the run that is under way. */
  readonly run: () => void;
  readonly isRunning: () => boolean;
}

/** Makes `work` re-entrant: calls during a run make it run once more afterwards. */
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
