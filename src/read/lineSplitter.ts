import { BodyError } from '../request/errors/BodyError.js';

const LINE_FEED = 10;
const BYTE_ORDER_MARK = '\uFEFF';

/** What one chunk completes. */
export interface CompletedLines {
  /** Without their line feeds. */
  readonly lines: readonly string[];
  /** The line after them is longer than allowed. */
  readonly error?: BodyError;
}

/** Cuts bytes into lines; see {@link lineSplitter}. */
export interface LineSplitter {
  /** The lines that `chunk` completes. */
  push(chunk: Uint8Array): CompletedLines;
  /** The last line, if it lacks its line feed. */
  end(): string | undefined;
  /** Forgets a line that was begun: what follows starts at {@link bytes}. */
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
    const text = decoder.decode(begun.length === 0 ? end : join([...begun, end]));
    const first = bytes === 0;
    bytes += begunBytes + end.byteLength;
    begun = [];
    begunBytes = 0;
    return first && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  };

  // Where a line begins that is too long; most chunks are so short that none can.
  const tooLongAt = (chunk: Uint8Array): number | undefined => {
    if (begunBytes + chunk.byteLength <= maxLineBytes) return undefined;
    for (let start = 0; start < chunk.byteLength;) {
      const feed = chunk.indexOf(LINE_FEED, start);
      const end = feed < 0 ? chunk.byteLength : feed;
      if (end - start + (start === 0 ? begunBytes : 0) > maxLineBytes) return start;
      start = end + 1;
    }
    return undefined;
  };

  return {
    get bytes() {
      return bytes;
    },
    push(chunk) {
      const bad = tooLongAt(chunk);
      const end = chunk.subarray(0, bad).lastIndexOf(LINE_FEED) + 1;
      const lines = end > 0 ? decode(chunk.subarray(0, end)).split('\n').slice(0, -1) : [];
      count += lines.length;
      if (bad !== undefined) {
        const problem = `Line ${count + 1} is longer than ${maxLineBytes} bytes`;
        return { lines, error: new BodyError(`${problem}; raise maxLineBytes if the body really is line-delimited`) };
      }
      if (end < chunk.byteLength) {
        begun.push(chunk.subarray(end));
        begunBytes += chunk.byteLength - end;
      }
      return { lines };
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

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
