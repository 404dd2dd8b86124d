import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../files/makeFolder.js';
import { codeOf } from '../../request/errors/causes.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { isMissing } from '../files/fileErrors.js';
import { jsonObject } from '../files/jsonObject.js';

/** One line of a journal. */
export type JournalEntry = Readonly<Record<string, unknown>>;

/**
 * A file of JSON lines that grows while a process works, and that the next one reads. A line is written at once and in one piece, so that a
 * killed process leaves at most its last line torn; that line is dropped.
 */
export class JournalFile {
  readonly #path: string;
  /** Bytes of whole lines at the time of reading. */
  #length: number;
  #descriptor: number | undefined;

  private constructor(path: string, length: number) {
    this.#path = path;
    this.#length = length;
  }

  /**
   * Reads a journal; a missing one has no entries.
   *
   * @throws UsageError that names the file where it cannot be read, and the line that is not a JSON object
   */
  static read(path: string): { readonly file: JournalFile; readonly entries: readonly JournalEntry[] } {
    const text = readText(path);
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const lines = whole.split('\n').slice(0, -1);
    const entries = lines.map((line, index) => {
      try {
        return jsonObject(line, 'It');
      } catch (cause) {
        throw new UsageError(`The journal ${path} is damaged in line ${index + 1}; remove it to start anew`, { cause });
      }
    });
    return { file: new JournalFile(path, Buffer.byteLength(whole)), entries };
  }

  /** Removes all entries. */
  clear(): void {
    this.#length = 0;
    this.close();
  }

  /** Adds an entry; the first one makes the file and its folder, for this user only. @throws UsageError that names a file that cannot be written */
  add(entry: JournalEntry): void {
    try {
      this.#descriptor ??= this.#open();
      writeSync(this.#descriptor, `${JSON.stringify(entry)}\n`);
    } catch (cause) {
      throw new UsageError(`The journal ${this.#path} cannot be written (${codeOf(cause) ?? String(cause)})`, { cause });
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** Closes and removes the file. */
  remove(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }

  #open(): number {
    makeFolder(dirname(this.#path), 0o700);
    const descriptor = openSync(this.#path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
    ftruncateSync(descriptor, this.#length);
    return descriptor;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return '';
    throw new UsageError(`The journal ${path} cannot be read (${codeOf(cause) ?? String(cause)})`, { cause });
  }
}
