import { closeSync, openSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../files/makeFolder.js';
import { codeOf } from '../../request/errors/causes.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { type Io, writeLine } from '../Io.js';

/** File that an option names, for a report. */
export interface ReportFile {
  /** Writes at once, so that an upload that is killed leaves what has happened. After a failure, which is told once, nothing more is written. */
  readonly write: (text: string) => void;
  readonly close: () => void;
}

/**
 * Opens the file of a report before anything is sent. Its folder is made if it is missing.
 *
 * @param flags `'w'`: the file is written anew; `'a'`: text is added to it
 * @throws UsageError that names the option and the file
 */
export function openReportFile(option: string, path: string, flags: 'w' | 'a', { cwd, stderr }: Pick<Io, 'cwd' | 'stderr'>): ReportFile {
  const file = resolve(cwd, path);
  const problem = (error: unknown): string => `${option}: cannot write ${file} (${codeOf(error) ?? String(error)})`;
  let descriptor: number | undefined;
  try {
    makeFolder(dirname(file));
    descriptor = openSync(file, flags);
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
        writeSync(descriptor, text);
      } catch (error) {
        writeLine(stderr, `coldfetch: ${problem(error)}`);
        close();
      }
    },
    close,
  };
}
