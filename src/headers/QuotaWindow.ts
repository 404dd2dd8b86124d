/** Announcement of one of a server's limits. Fields that the server left out are `undefined`. */
export interface QuotaWindow {
  /** The policy's name, from IETF draft 8 on. */
  readonly name?: string | undefined;
  /** Units that the window allows. */
  readonly quota?: number | undefined;
  /** Unit of the quota, if the server names it (`content-bytes`, ...); else requests. */
  readonly unit?: string | undefined;
  /** The window's length in ms. */
  readonly window?: number | undefined;
  /** Units that are left: a whole number, 0 or more. A positive number is no promise. */
  readonly remaining?: number | undefined;
  /** Time until the window resets, in ms from now: 0 to 24 h. */
  readonly reset?: number | undefined;
  /** Partition key of the share, where several clients use the same policy: the `pk` parameter, its bytes in base64. */
  readonly partition?: string | undefined;
}
