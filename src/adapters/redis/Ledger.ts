import type { Observable } from 'rxjs';

/** Request of a client to its ledger. Durations in ms, from now: the two have no clock in common. */
export interface LeaseRequest {
  /** Id of the client. */
  readonly client: string;
  /** Counts the client's calls from 1: the same call, sent again because its answer was lost, takes nothing twice. */
  readonly call: number;
  /** How many permits it could use; 0: it only gives back. */
  readonly need: number;
  /** Permits of the window `windowId` that it has not used, and gives back. */
  readonly unsent: number;
  /** The window of its last lease. */
  readonly windowId: number;
  /** Permits are void so long before their window ends. */
  readonly margin: number;
  /** An opening request that is not answered for so long gets company. */
  readonly probeTimeout: number;
  /** True if the client leaves for good. */
  readonly leaves?: boolean | undefined;
}

/** Permits that a client is given. Durations in ms, from now. */
export interface Lease {
  /** How many permits. */
  readonly granted: number;
  /** The window they are good for: a number that names it. */
  readonly windowId: number;
  /** True if the permit is the look if the window has opened; the others wait for its answer. */
  readonly opening: boolean;
  /** Time until the next ask, where nothing was granted. */
  readonly retryIn: number;
  /** When the window ends, by what is known. */
  readonly endsIn: number;
  /** Requests that a window allows, and its length, once they are known. */
  readonly quota: number | undefined;
  readonly window: number | undefined;
  /** Requests that are left in this one. */
  readonly remaining: number | undefined;
  /** How many clients share the quota. */
  readonly clients: number;
}

/** Observation of an answer. Durations in ms; unknown fields are `undefined`. */
export interface Observation {
  /** How long ago its request was sent. */
  readonly sentAgo: number;
  readonly quota?: number | undefined;
  readonly window?: number | undefined;
  readonly remaining?: number | undefined;
  /** When its window ends. */
  readonly endsIn?: number | undefined;
  /** How long a 429 asks everybody to wait. */
  readonly hint?: number | undefined;
  /** The opening request has died unanswered: somebody else may look. */
  readonly lost?: boolean | undefined;
}

/** Keeper of the account of a quota: Redis, for all clients, or this process, while Redis is away. */
export interface Ledger {
  /** Takes permits, and gives back what was not used. Nothing happens before subscription. */
  lease(ask: LeaseRequest): Observable<Lease>;
  /** Corrects the account by what an answer said. */
  learn(observation: Observation): Observable<void>;
}

/** Most permits of one lease. */
export const LARGEST_LEASE = 10;
/** How long a window is taken to be, in ms, as long as nobody has told. */
export const UNKNOWN_WINDOW = 60_000;
/** Bounds, in ms, of the pause before a client looks for an opening's answer, which grows with the time that it takes. */
export const OPENING_PAUSE = { shortest: 25, longest: 250 };
/** The same for permits that others may give back. */
export const RETURNS_PAUSE = { shortest: 50, longest: 15_000 };
