import type { StoredAnswer } from './CacheStore.js';

/** Header fields of a stored answer. */
export function headersOf(answer: StoredAnswer): Headers {
  const headers = new Headers();
  for (const [name, value] of answer.headers) headers.append(name, value);
  return headers;
}

/** Header fields that an answer varies by, in lower case and order; `*`: by more than those. */
export function varyOf({ headers }: StoredAnswer): string[] {
  const values = headers.filter(([name]) => name === 'vary').map(([, value]) => value);
  const fields = values.join(',').toLowerCase().split(',');
  return [...new Set(fields.map((name) => name.trim()).filter((name) => name !== ''))].sort();
}
