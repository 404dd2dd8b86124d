import { createParser } from 'eventsource-parser';
import { BodyError } from '../request/errors/BodyError.js';

/** One message of an event stream. */
export interface ServerSentEvent {
  /** Its type; `'message'` where the server names none. */
  readonly event: string;
  /** Its data; the lines of several `data` fields joined by line feeds. */
  readonly data: string;
  /** The last id that the server gave, with this event or before; `''` if none. */
  readonly id: string;
}

/** What one connection's bytes are made into. */
export interface EventParser {
  /** The events that `chunk` completes. */
  push(chunk: Uint8Array): readonly ServerSentEvent[];
}

/**
 * Parses an event stream as the HTML standard defines it, wherever its chunks are cut. An event that the end of the stream cuts off is
 * dropped, as the standard says.
 *
 * @param lastEventId the id that the stream starts with
 * @param maxEventLength most characters of one event; more is a {@link BodyError}
 * @param onRetry hears the server's `retry` fields, in ms
 */
export function eventParser(lastEventId: string, maxEventLength: number, onRetry: (ms: number) => void): EventParser {
  const decoder = new TextDecoder();
  const toLineFeeds = lineFeeds();
  let id = lastEventId;
  let events: ServerSentEvent[] = [];
  let longest = 0;
  const tooLong = (): BodyError =>
    new BodyError(`An event is longer than ${maxEventLength} characters; raise maxEventLength if the stream is meant to hold such`);

  const parser = createParser({
    maxBufferSize: maxEventLength,
    onRetry,
    onEvent: (message) => {
      longest = Math.max(longest, message.data.length);
      id = message.id ?? id;
      events.push({ event: message.event ?? 'message', data: message.data, id });
    },
    // Unknown fields and senseless `retry` values are to be ignored.
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') longest = Infinity;
    },
  });

  return {
    push(chunk) {
      parser.feed(toLineFeeds(decoder.decode(chunk, { stream: true })));
      if (longest > maxEventLength) throw tooLong();
      const complete = events;
      events = [];
      return complete;
    },
  };
}

// The parser waits at a CR for what follows it; an event that ends in one would be late, and lost at the end of the stream.
function lineFeeds(): (text: string) => string {
  let afterReturn = false;
  return (text) => {
    if (text === '') return text;
    const rest = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    afterReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  };
}
