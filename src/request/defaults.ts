/** Time without progress after which an attempt fails unless told otherwise, in ms. */
export const TIMEOUT = 30_000;

/** Longest wait that a hint of a `'capped'` rule gets unless told otherwise, in ms; the longest of the policies' own backoff, too. */
export const CAP = 60_000;

/** Most decoded bytes that a body read into memory may have unless told otherwise: 64 MiB. */
export const MAX_BYTES = 67_108_864;
