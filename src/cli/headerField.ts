import { UsageError } from '../request/errors/UsageError.js';

/** A header field, as an option gives it. */
export type HeaderField = [name: string, value: string];

/**
 * Reads `name: value`, for an option that may be given several times.
 *
 * @throws UsageError that does not show what is wrong: it may be a token (commander's own error would)
 */
export function headerField(text: string, before: readonly HeaderField[] = []): readonly HeaderField[] {
  const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError("--header: write it as 'name: value'");
  return [...before, [name, value]];
}
