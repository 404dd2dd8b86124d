import { closeSync, fstatSync, openSync, realpathSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { temporaryName } from '../../node/files/writeAtomically.js';
import { makeFolder } from '../../files/makeFolder.js';
import { codeOf } from '../../request/errors/causes.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { type Io, writeLine } from '../Io.js';

/** File that an option names, for a report. */
export interface ReportFile {
  /** Writes at once, so that a killed upload leaves its events so far. After a failure, which is reported once, nothing more is written. */
  readonly write: (text: string) => void;
  readonly close: () => void;
}

/**
 * Way in which a report is written. `'anew'`: in place of the file's content, piece by piece. `'added'`: behind it. `'whole'`: in one
 * piece; the file is gone until it is there to its last byte, so that a command which is ended by force leaves no half of a report, and
 * none of an earlier one.
 */
export type ReportMode = 'anew' | 'added' | 'whole';

/**
 * Opens the file of a report before anything is sent. Its folder is made if it is missing.
 *
 * @throws UsageError that names the option and the file
 */
export function openReportFile(option: string, path: string, mode: ReportMode, { cwd, stderr }: Pick<Io, 'cwd' | 'stderr'>): ReportFile {
  const file = resolve(cwd, path);
  const problem = (error: unknown): string => `${option}: cannot write ${file} (${codeOf(error) ?? String(error)})`;
  let descriptor: number | undefined;
  let replaced: string | undefined;
  try {
    makeFolder(dirname(file));
    descriptor = openSync(file, mode === 'added' ? 'a' : 'w');
    if (mode === 'whole' && fstatSync(descriptor).isFile()) replaced = removeFile(realpathSync(file));
  } catch (cause) {
    throw new UsageError(`${problem(cause)}; name a file that can be written`, { cause });
  }
  const close = (): void => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  return {
    write: (text) => {
      if (descriptor === undefined) return;
      try {
        if (replaced === undefined) writeSync(descriptor, text);
        else writeWhole(replaced, text);
      } catch (error) {
        writeLine(stderr, `coldfetch: ${problem(error)}`);
        close();
      }
    },
    close,
  };
}

/** Removes a file, and returns its path; undefined for one that cannot be removed, such as a mounted file: it is written in its place. */
function removeFile(path: string): string | undefined {
  try {
    rmSync(path);
    return path;
  } catch {
    return undefined;
  }
}

/** Writes a file that is there with all of its bytes, or not at all. */
function writeWhole(path: string, text: string): void {
  const temporary = temporaryName(path);
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
