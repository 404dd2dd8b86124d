/** Header fields that usually carry credentials. */
export const CREDENTIAL_FIELDS = [
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
  'private-token',
] as const;
