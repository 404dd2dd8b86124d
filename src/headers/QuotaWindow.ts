/** Announcement of one of a server's limits. Fields that the server left out are `undefined`. */
export interface QuotaWindow {
  /** The policy's name, from IETF draft 8 on. */
  readonly name?: string | undefined;
  /** How many units a window has. */
  readonly quota?: number | undefined;
  /** Unit of the quota, if the server names it (`content-bytes`, ...); else requests. */
  readonly unit?: string | undefined;
  /** The window's length in ms. */
  readonly window?: number | undefined;
  /** How many units are left, a whole number, 0 or more. Positive is no promise. */
  readonly remaining?: number | undefined;
  /** The time from now until there is more, in ms: 0 to 24 h. */
  readonly reset?: number | undefined;
  /** Whose share this is, among several who use the same policy: the `pk` parameter, its bytes in base64. */
  readonly partition?: string | undefined;
}
