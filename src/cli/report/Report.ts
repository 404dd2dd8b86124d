import type { UploadBuildEvent } from '../../node/UploadBuildEvent.js';

/** Shows an upload as it goes. */
export interface Report {
  /** Takes the next event. */
  readonly show: (event: UploadBuildEvent) => void;
  /** Leaves the output as it should be, however the upload ended; nothing is shown afterwards. */
  readonly close: () => void;
}
