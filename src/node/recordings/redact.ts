/** Replacement of a secret in a recording. */
const REDACTED = 'REDACTED';

/** Ends of names of secrets, as words joined by hyphens. */
const SECRET =
  /(^|-)(cookie2?|auth|authorization|authentication|token|secret|password|passwd|passphrase|pwd|signature|sig|credentials?|session(-?id)?|jwt|([a-z\d]*api|app|application|access|auth|client|functions|license|master|private|secret|service|signing|subscription)-?key)$/;
/** Names of other secrets: ends of some, the whole of a few. */
const SECRET_END = /(access|auth|bearer|csrf|id|refresh|security|session|user|xsrf)token$|^key$/;
/** Names of cursors, which are no secrets: without their values all pages would be one recording. */
const CURSOR = /(^|-)(continuation|cursor|from|list|next|page|pagination|prev|previous|resume|resumption|scroll|skip|start|sync)-?token$/;

/** True if a header field or query parameter of this name most likely holds a secret: `authorization`, `cookie`, `apiKey`, `X-Amz-Signature`, ... */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-')
    .toLowerCase();
  return (SECRET.test(words) || SECRET_END.test(words)) && !CURSOR.test(words);
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
    return [name, /^(location|content-location|link|referer|refresh)$/.test(name) ? redactUrlsIn(value, isSecret) : value];
  });
}

/** A text with URLs in it, absolute or not, without user info, secret values of queries and fragments replaced. */
function redactUrlsIn(text: string, isSecret: (name: string) => boolean): string {
  return text
    .replace(/\/\/[^/\s<>?#@]*@/g, '//')
    .replace(/([?&#;])([^=&#;?\s<>"]+)=([^&#;\s<>",]*)/g, (whole: string, before: string, name: string) =>
      isSecret(name) ? `${before}${name}=${REDACTED}` : whole,
    );
}
