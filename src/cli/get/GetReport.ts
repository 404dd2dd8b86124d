import type { ServerSentEvent } from '../../read/streams/eventParser.js';
import type { HttpEvent, ResponseEvent } from '../../request/HttpEvent.js';

/** Output of a `get`. */
export interface GetReport {
  /** Takes an event of the pipeline, but for responses whose body is shown whole. */
  readonly show: (event: HttpEvent) => void;
  /** Takes a response with its whole body. */
  readonly answer: (response: ResponseEvent<Uint8Array | null>) => void;
  /** Takes an item of a page or a line of a stream, as JSON. */
  readonly item: (json: string) => void;
  /** Takes an event of an event stream. */
  readonly message: (event: ServerSentEvent) => void;
}
