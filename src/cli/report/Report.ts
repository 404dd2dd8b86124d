import type { UploadBuildEvent } from '../../node/UploadBuildEvent.js';

/** A report of an upload: on the screen, or in a file. */
export interface Report {
  /** Begins, before the first event. */
  readonly start: () => void;
  /** Takes the next event. */
  readonly show: (event: UploadBuildEvent) => void;
  /**
   * Ends, however the upload ended; nothing is shown afterwards.
   *
   * @param failure reason why it ended without a summary
   */
  readonly close: (failure?: string) => void;
}

/** A report that does nothing, as a base of others. */
export const SILENT: Report = { start: () => undefined, show: () => undefined, close: () => undefined };

/** Several reports as one. */
export function allReports(reports: readonly Report[]): Report {
  return {
    start: () => reports.forEach(({ start }) => start()),
    show: (event) => reports.forEach(({ show }) => show(event)),
    close: (failure) => reports.forEach(({ close }) => close(failure)),
  };
}
