import type { StandardSchemaV1 } from '@standard-schema/spec';
import { catchError, concat, concatMap, defer, EMPTY, from, map, type Observable, type ObservableInput, of, type Subscriber } from 'rxjs';
import { SCHEMA } from '../../request/checkSchema.js';
import { counted } from '../../request/printable.js';
import { BodyError } from '../../request/errors/BodyError.js';
import { htmlPage } from '../../request/jsonProblem.js';
import { withoutSecrets } from '../../request/withoutSecrets.js';
import { checkOptions, FUNCTION, isPositive, type OptionTable } from '../../request/checkOptions.js';
import { brokeOff } from './streamFailures.js';
import { byteChunks } from './byteChunks.js';
import { checkedEach } from './checkedEach.js';
import { answerBehind, type ByteSource, takeIdleTimeout } from './ByteSource.js';
import { backpressure, type Batch } from './backpressure.js';
import { lineSplitter } from './lineSplitter.js';
import { loop } from '../loop.js';
import { StreamError } from './StreamError.js';

/** The longest line by default: 16 MiB. */
const MAX_LINE_BYTES = 16_777_216;
/** Most breaks in a row without a line between them; one more is final. */
const MAX_FRUITLESS = 10;
const PEEK = 60;
const CARRIAGE_RETURN = 13;
/** Value of a line that holds none. */
const BLANK = Symbol('blank');

/** Place in a line-based stream at which it broke off. */
export interface LinesProgress {
  /** Number of lines that were passed on. */
  readonly received: number;
  /** Decoded bytes up to the end of the last complete line: the start of the rest. */
  readonly bytes: number;
}

/** Options of {@link jsonLines}. */
export interface JsonLinesOptions<T = unknown> {
  /** Makes a value of a line, `JSON.parse` by default: for numbers beyond 2^53, for example. A line that it throws for is a bad line. */
  readonly parse?: (line: string) => T;
  /** Most decoded bytes of the whole stream, so that a small compressed body cannot become an endless one; no limit by default. */
  readonly maxBytes?: number;
  /** Longest line in bytes; 16 MiB by default. Up to that much is held in memory. */
  readonly maxLineBytes?: number;
  /**
   * Milliseconds without a byte after which the stream has broken off; by default those of the request that it came from, else no limit.
   */
  readonly timeout?: number;
  /**
   * Continuation of a stream that breaks off after output: gives the bytes that follow `progress.bytes`, or the lines after
   * `progress.received`. A line that was begun comes again. A Range request has to ask for the `identity` coding, and only a 206 will do.
   * The function is called for each break, up to ten times in a row without a further line; throw to give up.
   */
  resume?(progress: LinesProgress): ObservableInput<ByteSource>;
}

/** {@link JsonLinesOptions} with work to be done for each value. */
export interface JsonLinesEachOptions<T, R> extends JsonLinesOptions<T> {
  /** Work on one value, in order, one at a time. The stream is read on when that of the last value that has come has completed. */
  readonly each: (value: T) => ObservableInput<R>;
}

/** Options of {@link jsonLines} where lines have a known form. */
export interface JsonLinesSchema<S extends StandardSchemaV1> {
  /**
   * Schema that checks each value and gives its type, of any library that knows the Standard Schema; a value that does not match is a
   * BodyError.
   */
  readonly schema: S;
}

const OPTIONS: OptionTable<JsonLinesOptions<never> & Partial<JsonLinesEachOptions<never, unknown> & JsonLinesSchema<StandardSchemaV1>>> = {
  rules: {
    parse: FUNCTION,
    maxBytes: [isPositive, 'a number of bytes above 0, or Infinity'],
    maxLineBytes: [isPositive, 'a number of bytes above 0, or Infinity'],
    timeout: [isPositive, 'a number of milliseconds above 0, or Infinity'],
    resume: FUNCTION,
    each: FUNCTION,
    schema: SCHEMA,
  },
};

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
 * goes on after that: give such work as `each`, and the socket waits for it. Unsubscribing cancels the stream.
 *
 * A connection that is lost after output is a {@link StreamError} with the number of lines so far, unless `resume` says how to go on; lost
 * before any output it is the plain error, which may be retried.
 *
 * @example
 * coldFetch('https://api.example/export', { selector: jsonLines<Row>() }).subscribe((row) => show(row));
 * coldFetch('https://api.example/export', { selector: jsonLines({ each: (row: Row) => save(row) }) }).subscribe();
 * http.get('/export', { responseType: 'stream' }).pipe(mergeMap(jsonLines<Row>()));
 * http.get('/export', { responseType: 'stream' }).pipe(mergeMap(jsonLines({ schema: z.object({ id: z.number() }) })));
 *
 * @throws UsageError for limits that are no positive numbers
 */
export function jsonLines<S extends StandardSchemaV1, R>(
  options: JsonLinesSchema<S> & JsonLinesOptions & Pick<JsonLinesEachOptions<StandardSchemaV1.InferOutput<S>, R>, 'each'>,
): (source: ByteSource) => Observable<R>;
export function jsonLines<S extends StandardSchemaV1>(
  options: JsonLinesSchema<S> & JsonLinesOptions & { readonly each?: undefined },
): (source: ByteSource) => Observable<StandardSchemaV1.InferOutput<S>>;
export function jsonLines<T, R>(options: JsonLinesEachOptions<T, R>): (source: ByteSource) => Observable<R>;
export function jsonLines<T = unknown>(options?: JsonLinesOptions<T>): (source: ByteSource) => Observable<T>;
export function jsonLines<T, R>(
  options: JsonLinesOptions<T> & {
    readonly each?: ((value: T) => ObservableInput<R>) | undefined;
    readonly schema?: StandardSchemaV1;
  } = {},
): (source: ByteSource) => Observable<T | R> {
  checkOptions('jsonLines', options, OPTIONS);
  const { maxBytes = Infinity, maxLineBytes = MAX_LINE_BYTES, timeout, parse } = options;
  return (source) =>
    defer(() => {
      const splitter = lineSplitter(maxLineBytes);
      const { schema, each } = options;
      const work = schema
        ? (value: T) => checkedEach({ value, schema, name: `Line ${lineNumber}`, toItem: (valid) => valid as T }, each)
        : each;
      const steps = backpressure<T, T | R>(work);
      // The idle timeout of the request would end with its stream, when another stream has taken its place.
      const idle = takeIdleTimeout(source);
      const reading = { timeout: timeout ?? idle?.timeout, silent: idle?.timeoutError, idle$: steps.idle$ };
      let received = 0;
      let loaded = 0;
      let lineNumber = 0;
      let receivedAtBreak = 0;
      let fruitless = 0;
      let ended = false;
      let next: ObservableInput<ByteSource> | undefined = of(source);

      /** Value of a line, or `BLANK`. For JSON.parse a carriage return is white space, and a blank line an error: only then it is looked for. */
      function valueOf(line: string): T | typeof BLANK {
        try {
          // The caller's type argument says which values the lines hold.
          if (!parse) return JSON.parse(line) as T;
          if (isBlank(line)) return BLANK;
          return parse(line.charCodeAt(line.length - 1) === CARRIAGE_RETURN ? line.slice(0, -1) : line);
        } catch (cause) {
          if (isBlank(line)) return BLANK;
          const cut = ended ? '; no line feed ends it, so the stream may have been cut off' : '';
          const page = htmlPage(line);
          throw new BodyError(`Line ${lineNumber} is not JSON${page ? ` but ${page}` : `: ${peek(line)}${cut}`}`, { cause });
        }
      }

      /**
       * Values of the lines, each parsed when it is taken. The iterator is written by hand, since a generator takes 60 ns more for each
       * value (Node 20).
       */
      function valuesOf(batches: Iterable<readonly string[]>): Batch<T> {
        let rest: Iterator<readonly string[]> | undefined;
        let lines: readonly string[] = [];
        let at = 0;
        const next = (): IteratorResult<T, undefined> => {
          for (;;) {
            const line = lines[at++];
            if (line === undefined) {
              const batch = (rest ??= batches[Symbol.iterator]()).next();
              if (batch.done === true) return { done: true, value: undefined };
              lines = batch.value;
              at = 0;
            } else {
              lineNumber++;
              const value = valueOf(line);
              if (value === BLANK) continue;
              received++;
              return { done: false, value };
            }
          }
        };
        const passTo = (subscriber: Subscriber<T>): void => {
          for (const batch of batches) {
            for (const line of batch) {
              lineNumber++;
              const value = valueOf(line);
              if (value === BLANK) continue;
              received++;
              subscriber.next(value);
              if (subscriber.closed) return;
            }
          }
        };
        return { passTo, [Symbol.iterator]: () => ({ next }) };
      }

      function valuesIn(chunk: Uint8Array): Batch<T> {
        loaded += chunk.byteLength;
        if (loaded > maxBytes) throw new BodyError(`The stream is longer than ${maxBytes} bytes; raise maxBytes if it is meant to be`);
        return valuesOf(splitter.push(chunk));
      }

      const progress = (): LinesProgress => ({ received, bytes: splitter.bytes });

      function broken(cause: unknown, what: string): StreamError {
        const { bytes } = splitter;
        const stood = `The stream${nameOf(source)} broke off after ${counted(received, 'line')} (${bytes} bytes)`;
        return new StreamError(stood + what, progress(), { cause });
      }

      /** Finds the continuation after a failure, or ends with the failure. */
      function goOn(cause: unknown): Observable<never> {
        if (received === 0 || !brokeOff(cause)) throw cause;
        if (!options.resume) throw broken(cause, '; pass resume to go on from there');
        fruitless = received === receivedAtBreak ? fruitless + 1 : 0;
        receivedAtBreak = received;
        if (fruitless >= MAX_FRUITLESS) throw broken(cause, `; it was resumed ${fruitless} times and came no further`);
        splitter.restart();
        loaded = splitter.bytes;
        next = options.resume(progress());
        return EMPTY;
      }

      const chunks$ = loop(() => {
        const part$ = next;
        next = undefined;
        return part$ && from(part$).pipe(concatMap((part) => byteChunks(part, reading).pipe(catchError(goOn))));
      }).pipe(
        catchError((cause: unknown) => {
          throw received > 0 && brokeOff(cause) ? broken(cause, '; it could not be resumed') : cause;
        }),
      );
      const last$ = defer(() => {
        const line = splitter.end();
        ended = true;
        return line === undefined ? EMPTY : of(valuesOf([[line]]));
      });
      return steps.pass(concat(chunks$.pipe(map(valuesIn)), last$));
    });
}

function nameOf(source: ByteSource): string {
  const url = withoutSecrets(answerBehind(source)?.url ?? '');
  return url === '' ? '' : ` of ${url}`;
}

// Lines hardly ever begin with white space, so hardly any is trimmed.
function isBlank(line: string): boolean {
  return !(line.charCodeAt(0) > 0x20) && line.trim() === '';
}

function peek(line: string): string {
  const text = JSON.stringify(line.slice(0, PEEK));
  return line.length > PEEK ? `${text.slice(0, -1)}..."` : text;
}
