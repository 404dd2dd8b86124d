/** The `code` of an error, as Node and its packages give it: `'ENOENT'`, say; undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
