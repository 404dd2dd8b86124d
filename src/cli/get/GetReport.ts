import type { ServerSentEvent } from '../../read/streams/eventParser.js';
import type { HttpEvent, ResponseEvent } from '../../request/HttpEvent.js';

/** Shows what a `get` brings. */
export interface GetReport {
  /** Takes an event of the road, but for answers whose body is shown whole. */
  readonly show: (event: HttpEvent) => void;
  /** An answer, read whole. */
  readonly answer: (response: ResponseEvent<Uint8Array | null>) => void;
  /** An item of a page or a line of a stream, as JSON. */
  readonly item: (json: string) => void;
  /** An event of an event stream. */
  readonly message: (event: ServerSentEvent) => void;
}
