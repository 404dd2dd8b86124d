/** Time without progress after which an attempt fails by default, in ms. */
export const TIMEOUT = 30_000;

/** Longest wait that a hint of a `'capped'` rule gets by default, in ms; the longest of the policies' own backoff, too. */
export const CAP = 60_000;

/** Most decoded bytes that a body read into memory may have by default: 64 MiB. */
export const MAX_BYTES = 67_108_864;

/** Longest delay that a server may ask for by default, in ms: 15 minutes. */
export const MAX_HINT = 900_000;

/** Most bytes of an error's body that are kept for its reader, and the time that they may take to arrive, in ms. */
export const ERROR_BODY = { bytes: 65_536, time: 250 } as const;

/** Bytes that are read from a file, or handed to the network, at once. */
export const CHUNK = 65_536;
