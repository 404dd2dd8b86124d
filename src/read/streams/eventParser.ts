import { createParser } from 'eventsource-parser';
import { BodyError } from '../../request/errors/BodyError.js';
import { HttpError } from '../../request/errors/HttpError.js';
import { RequestSummary } from '../../request/RequestSummary.js';
import { withoutSecrets } from '../../request/withoutSecrets.js';
import { discardBody } from '../../transport/discardBody.js';
import { answerBehind, type ByteSource } from './ByteSource.js';

/** One message of an event stream; its data is text unless a schema has transformed it. */
export interface ServerSentEvent<T = string> {
  /** Type of the event; `'message'` where the server names none. */
  readonly event: string;
  /** Data of the event; the lines of several `data` fields are joined by line feeds. */
  readonly data: T;
  /** The latest id from the server, with this event or before; `''` if none. */
  readonly id: string;
}

/** Parser of one connection's bytes. */
export interface EventParser {
  /**
   * The events that `chunk` completes; iterate them to the end.
   *
   * @throws BodyError in place of an event that is too long, after those before it
   */
  push(chunk: Uint8Array): Generator<ServerSentEvent, void>;
  /** Id to go on from: that of the last complete block, with data or without. */
  readonly lastEventId: string;
}

/** Text before the data in a line. */
const FIELD = 'data: ';

/**
 * Parses an event stream as the HTML standard defines it, wherever its chunks are cut. An event that the end of the stream cuts off is
 * dropped, as the standard demands.
 *
 * @param lastEventId id that the stream starts with
 * @param maxEventLength most characters of one event; a longer one is a {@link BodyError}
 * @param onRetry receives the server's `retry` fields, in ms
 */
export function eventParser(lastEventId: string, maxEventLength: number, onRetry: (ms: number) => void): EventParser {
  const decoder = new TextDecoder();
  const toLineFeeds = lineFeeds();
  let begun = '';
  let id = lastEventId;
  let blockId = lastEventId;
  let event: ServerSentEvent | undefined;
  const tooLong = (): BodyError =>
    new BodyError(`An event is longer than ${maxEventLength} characters; raise maxEventLength if the stream is meant to hold such`);

  const parser = createParser({
    maxBufferSize: maxEventLength,
    onRetry,
    onEvent: ({ event: type = 'message', data }) => {
      event = { event: type, data, id };
    },
    // Unknown fields and invalid `retry` values are ignored, as the standard demands.
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw tooLong();
    },
  });

  /** The event that `line` completes. */
  function take(line: string): ServerSentEvent | undefined {
    event = undefined;
    // The parser gives an id only with an event. In the standard a block without data sets it, too.
    if (line === '') id = blockId;
    else blockId = idIn(line) ?? blockId;
    parser.feed(`${line}\n`);
    return event;
  }

  return {
    get lastEventId() {
      return id;
    },
    *push(chunk) {
      const text = toLineFeeds(decoder.decode(chunk, { stream: true }));
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        const complete = take(begun + text.slice(start, end));
        begun = '';
        start = end + 1;
        if (complete) yield complete;
      }
      begun += text.slice(start);
      if (begun.length > FIELD.length + maxEventLength) throw tooLong();
    },
  };
}

/** The value of an `id` field; undefined for any other line, and for an id with a NULL, which is to be ignored. */
function idIn(line: string): string | undefined {
  if (!/^id(?::|$)/.test(line)) return undefined;
  const value = line.slice(3).replace(/^ /, '');
  return value.includes('\0') ? undefined : value;
}

// A CR ends a line at once: an event that ends in one would be late otherwise, and lost at the end of the stream.
function lineFeeds(): (text: string) => string {
  let afterReturn = false;
  return (text) => {
    if (text === '') return text;
    const rest = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    afterReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  };
}

/**
 * Makes sure that a response, where it is known, is a stream of events: of status 200 to 299, and of that content type or none.
 *
 * @throws HttpError, BodyError
 */
export function requireEventStream(source: ByteSource): void {
  const answer = answerBehind(source);
  if (!answer) return;
  if ('ok' in answer && !answer.ok) throw new HttpError(answer, new RequestSummary('GET', answer.url, new Headers()));
  const type = answer.headers.get('content-type');
  if (type === null || /^text\/event-stream\s*(;|$)/i.test(type)) return;
  discardBody(answer);
  throw new BodyError(
    `The answer of ${withoutSecrets(answer.url) || 'the server'} is not an event stream but ${type}; read it as what it is`,
  );
}
