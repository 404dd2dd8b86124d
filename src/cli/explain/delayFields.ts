/** Header fields in which servers say how long to wait, or how much is left; a sentence names the first that a response has. */
const DELAY_FIELDS = [
  'retry-after',
  'retry-after-ms',
  'x-ms-retry-after-ms',
  'x-ratelimit-reset',
  'x-ratelimit-reset-after',
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
  'ratelimit',
  'ratelimit-reset',
];

/** Other fields of these families, which may be misspelt as well. */
const COMPANIONS = ['ratelimit-limit', 'ratelimit-policy', 'ratelimit-remaining', 'x-ratelimit-limit', 'x-ratelimit-remaining'];

/** Beginnings of names that are right as well, however near they are to another. */
const COUSIN = 'x-rate-limit-';

/** The field by which a response asks to wait, if it has one, whether a policy reads it or not. */
export function delayFieldOf(headers: { get(name: string): string | null }): { name: string; value: string } | undefined {
  for (const name of DELAY_FIELDS) {
    const value = headers.get(name);
    if (value !== null) return { name: name === 'retry-after' ? 'Retry-After' : name, value };
  }
  return undefined;
}

/** The field that was probably meant, where a name is one slip away from it: `retryafter`, `retry_after`, `retry-atfer`. */
export function meantField(name: string): string | undefined {
  const fields = [...DELAY_FIELDS, ...COMPANIONS];
  if (fields.includes(name) || name.startsWith(COUSIN)) return undefined;
  const letters = (text: string): string => text.replace(/[^a-z0-9]/g, '');
  return fields.find((field) => letters(field) === letters(name) || isOneSlip(field, name));
}

/** True if one letter too many, too few or wrong, or two swapped letters, distinguish `b` from `a`. */
function isOneSlip(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return (x.length <= 1 && y.length <= 1) || (x.length === 2 && y === `${x[1] ?? ''}${x[0] ?? ''}`);
}
