import { catchError, concat, concatMap, defer, from, mergeMap, type Observable, type ObservableInput } from 'rxjs';
import { BodyError } from '../request/errors/BodyError.js';
import { UsageError } from '../request/errors/UsageError.js';
import { brokeOff } from './brokeOff.js';
import { type ByteSource, byteChunks } from './byteChunks.js';
import { lineSplitter } from './lineSplitter.js';
import { StreamError } from './StreamError.js';

/** The longest line unless told otherwise: 16 MiB. */
const MAX_LINE_BYTES = 16_777_216;
const PEEK = 60;

/** Where a line-based stream stood when it broke off. */
export interface LinesProgress {
  /** Lines that were passed on. */
  readonly received: number;
  /** Decoded bytes up to the end of the last complete line: where the rest begins. */
  readonly bytes: number;
}

/** What {@link jsonLines} can be told. */
export interface JsonLinesOptions<T = unknown> {
  /** Makes a value of a line, `JSON.parse` by default: for numbers beyond 2^53, say. A line that it throws for is a bad line. */
  readonly parse?: (line: string) => T;
  /** Most decoded bytes of the whole stream, so that a small compressed body cannot become an endless one; no limit by default. */
  readonly maxBytes?: number;
  /** Longest line in bytes; 16 MiB by default. It is what may be held in memory. */
  readonly maxLineBytes?: number;
  /**
   * How to go on when the stream breaks off after output: gives the bytes that follow `progress.bytes`, by a Range request say. A line that
   * was begun comes again. Called for each break; throw to give up.
   */
  resume?(progress: LinesProgress): ObservableInput<ByteSource>;
}

/**
 * Reads newline-delimited JSON (NDJSON, JSON Lines): one value for each line, as soon as the line is complete.
 *
 *     bytes    '{"n":1}\n{"n"'   ':2}\n'   |
 *     output   {n: 1}            {n: 2}    |
 *
 * It takes a response, a stream or an observable of chunks, so it serves as a `selector` and after `responseType: 'stream'`. Empty lines
 * are skipped, the last line needs no line feed. A line that does not parse is a {@link BodyError} that gives its number and its
 * beginning; all lines before it have been passed on.
 *
 * A stream is read only as fast as the subscriber returns from each value, in constant memory. RxJS cannot hold a source back for work that
 * goes on after that: read by `eachEvent`, whose buffer is bounded, or do the work in step. Unsubscribing cancels the stream.
 *
 * A connection that is lost after output is a {@link StreamError} with the number of lines so far, unless `resume` says how to go on; lost
 * before any output it is the plain error, which may be retried.
 *
 * @example
 * coldFetch('https://api.example/export', { selector: jsonLines<Row>() }).subscribe((row) => save(row));
 * http.get('/export', { responseType: 'stream' }).pipe(mergeMap(jsonLines<Row>()));
 *
 * @throws UsageError for limits that are no positive numbers
 */
export function jsonLines<T = unknown>(options: JsonLinesOptions<T> = {}): (source: ByteSource) => Observable<T> {
  // The caller says what the lines hold.
  const { maxBytes = Infinity, maxLineBytes = MAX_LINE_BYTES, parse = (line: string) => JSON.parse(line) as T } = options;
  requirePositive('maxBytes', maxBytes);
  requirePositive('maxLineBytes', maxLineBytes);
  return (source) =>
    defer(() => {
      const splitter = lineSplitter(maxLineBytes);
      let received = 0;
      let loaded = 0;
      let lineNumber = 0;

      function* valuesOf(lines: readonly string[], error?: BodyError): Generator<T, void> {
        for (const line of lines) {
          lineNumber++;
          if (isBlank(line)) continue;
          let value: T;
          try {
            value = parse(line);
          } catch (cause) {
            throw new BodyError(`Line ${lineNumber} is not JSON: ${peek(line)}`, { cause });
          }
          received++;
          yield value;
        }
        if (error) throw error;
      }

      function read(part: ByteSource): Observable<T> {
        return byteChunks(part).pipe(
          mergeMap((chunk) => {
            loaded += chunk.byteLength;
            if (loaded > maxBytes) throw new BodyError(`The stream is longer than ${maxBytes} bytes; raise maxBytes if it is meant to be`);
            const { lines, error } = splitter.push(chunk);
            return valuesOf(lines, error);
          }),
          catchError((cause: unknown) => {
            if (received === 0 || !brokeOff(cause)) throw cause;
            const progress = { received, bytes: splitter.bytes };
            if (!options.resume) {
              const stood = `The stream broke off after ${received} lines (${progress.bytes} bytes)`;
              throw new StreamError(`${stood}; pass resume to go on from there`, progress, { cause });
            }
            splitter.restart();
            loaded = progress.bytes;
            return from(options.resume(progress)).pipe(concatMap(read));
          }),
        );
      }

      const last$ = defer(() => {
        const line = splitter.end();
        return line === undefined ? [] : valuesOf([line]);
      });
      return concat(read(source), last$);
    });
}

function requirePositive(name: string, value: number): void {
  if (!(value > 0)) throw new UsageError(`jsonLines: ${name} is ${value}; give a number of bytes above 0, or Infinity`);
}

// Hardly a line begins with white space, so hardly one is trimmed.
function isBlank(line: string): boolean {
  return !(line.charCodeAt(0) > 0x20) && line.trim() === '';
}

function peek(line: string): string {
  const text = JSON.stringify(line.slice(0, PEEK));
  return line.length > PEEK ? `${text.slice(0, -1)}..."` : text;
}
