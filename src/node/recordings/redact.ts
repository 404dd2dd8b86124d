/** What stands in a recording for a secret. */
export const REDACTED = 'REDACTED';

const SECRET =
  /^(set-)?cookie2?$|(^|[-_.])(auth|authorization|authentication|(api|access|private|secret|subscription)[-_]?key|key|(access|refresh|id|csrf|xsrf)?[-_]?token|secret|password|passwd|pwd|signature|sig|credentials?|session([-_]?id)?|jwt)$/i;

/** Whether a header field or query parameter of this name most likely holds a secret: `authorization`, `cookie`, `api_key`, `X-Amz-Signature`, ... */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

/** A URL without user info and fragment, secret values of its query replaced. */
export function redactUrl(url: string, isSecret: (name: string) => boolean): string {
  if (!URL.canParse(url)) return url;
  const redacted = new URL(url);
  redacted.username = '';
  redacted.password = '';
  redacted.hash = '';
  for (const name of new Set(redacted.searchParams.keys())) {
    if (isSecret(name)) redacted.searchParams.set(name, REDACTED);
  }
  return redacted.href;
}

/** Header fields in their order, secret values replaced; those that hold URLs keep all of them but the secrets. */
export function redactHeaders(headers: Headers, isSecret: (name: string) => boolean): [string, string][] {
  return [...headers].map(([name, value]) => {
    if (isSecret(name)) return [name, REDACTED];
    return [name, /^(location|content-location|referer)$/.test(name) ? redactUrl(value, isSecret) : value];
  });
}
