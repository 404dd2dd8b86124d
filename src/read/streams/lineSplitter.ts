import { BodyError } from '../../request/errors/BodyError.js';
import { joinBytes } from '../../transport/readAll.js';

const LINE_FEED = 10;
const BYTE_ORDER_MARK = '\uFEFF';
/**
 * Bytes that are decoded at a time, except for longer lines. Strings beyond the engine's limit for its young generation (V8: 128 KiB, two
 * bytes a character) cost three times as much for lines of 1 KB (measured on Node 20).
 */
const BLOCK = 16_384;

/** Cuts bytes into lines; see {@link lineSplitter}. */
export interface LineSplitter {
  /**
   * The lines that `chunk` completes, some at a time, without their line feeds; iterate them to the end.
   *
   * @throws BodyError in place of a line that is too long, after those before it
   */
  push(chunk: Uint8Array): Generator<readonly string[], void>;
  /** The last line, if it lacks its line feed. */
  end(): string | undefined;
  /** Drops a line that was begun: the next bytes start at {@link bytes}. */
  restart(): void;
  /** Bytes up to the end of the last complete line. */
  readonly bytes: number;
}

/**
 * Cuts UTF-8 into lines at line feeds, wherever the chunks are cut: the byte of a line feed is never part of a longer character, so only
 * whole lines are decoded. Malformed UTF-8 becomes U+FFFD, as in `Response.text()`. A byte order mark at the very beginning is dropped.
 *
 * @param maxLineBytes longest line, in bytes; a longer one is an error, even before it ends
 */
export function lineSplitter(maxLineBytes: number): LineSplitter {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  let bytes = 0;
  let count = 0;

  const decode = (end: Uint8Array): string => {
    const text = decoder.decode(begun.length === 0 ? end : joinBytes([...begun, end], begunBytes + end.byteLength));
    const first = bytes === 0;
    bytes += begunBytes + end.byteLength;
    begun = [];
    begunBytes = 0;
    return first && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  };

  /** End of the lines that are decoded next, behind their line feed; 0: no line ends here. */
  const endOfLines = (chunk: Uint8Array, at: number): number => {
    const next = (): number => chunk.indexOf(LINE_FEED, at) + 1;
    // Lines that may be too long are cut one by one.
    if (begunBytes + chunk.byteLength - at > maxLineBytes) return next();
    const last = chunk.lastIndexOf(LINE_FEED, at + BLOCK - 1) + 1;
    return last > at ? last : next();
  };

  return {
    get bytes() {
      return bytes;
    },
    *push(chunk) {
      for (let at = 0; at < chunk.byteLength;) {
        const end = endOfLines(chunk, at);
        const lineBytes = begunBytes + (end === 0 ? chunk.byteLength : end - 1) - at;
        if (lineBytes > maxLineBytes) {
          const problem = `Line ${count + 1} is longer than ${maxLineBytes} bytes`;
          throw new BodyError(`${problem}; raise maxLineBytes if the body really is line-delimited`);
        }
        if (end === 0) {
          begun.push(chunk.subarray(at));
          begunBytes += chunk.byteLength - at;
          return;
        }
        const lines = decode(chunk.subarray(at, end)).split('\n');
        // Nothing follows the last line feed.
        lines.pop();
        count += lines.length;
        at = end;
        yield lines;
      }
    },
    end() {
      return begunBytes === 0 ? undefined : decode(new Uint8Array());
    },
    restart() {
      begun = [];
      begunBytes = 0;
    },
  };
}
