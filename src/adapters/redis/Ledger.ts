import type { Observable } from 'rxjs';

/** Request of a client to its ledger. Durations in ms, from now: the two have no clock in common. */
export interface LeaseRequest {
  /** Id of the client. */
  readonly client: string;
  /** Number of the client's call, from 1: the same call, sent again because its reply was lost, takes nothing twice. */
  readonly call: number;
  /** Permits that the client could use; 0: it only gives back. */
  readonly need: number;
  /** Permits of the window `windowId` that the client has not used, and gives back. */
  readonly unsent: number;
  /** Window id of the client's last lease. */
  readonly windowId: number;
  /** Safety margin before the end of a window, from which on its permits are void. */
  readonly margin: number;
  /** Time without a response after which an opening request gets company. */
  readonly probeTimeout: number;
  /** True if the client leaves for good. */
  readonly leaves?: boolean | undefined;
}

/** Permits that a client is given. Durations in ms, from now. */
export interface Lease {
  /** Number of permits. */
  readonly granted: number;
  /** Id of the window in which the permits are valid. */
  readonly windowId: number;
  /** True if the permit is the look whether the window has opened; other clients wait for its response. */
  readonly opening: boolean;
  /** Time until the next ask, where nothing was granted. */
  readonly retryIn: number;
  /** Time until the window ends, as far as known. */
  readonly endsIn: number;
  /** Requests that a window allows, and its length, once they are known. */
  readonly quota: number | undefined;
  readonly window: number | undefined;
  /** Requests that are left in this one. */
  readonly remaining: number | undefined;
  /** Number of clients that share the quota. */
  readonly clients: number;
}

/** Observation of a response. Durations in ms; unknown fields are `undefined`. */
export interface Observation {
  /** Time since the request was sent. */
  readonly sentAgo: number;
  readonly quota?: number | undefined;
  readonly window?: number | undefined;
  readonly remaining?: number | undefined;
  /** Time until the window ends. */
  readonly endsIn?: number | undefined;
  /** Time for which a 429 asks all clients to wait. */
  readonly hint?: number | undefined;
  /** Set where the opening request has died unanswered: another client may look. */
  readonly lost?: boolean | undefined;
}

/** Keeper of the account of a quota: Redis, for all clients, or this process, while Redis is away. */
export interface Ledger {
  /** Takes permits, and gives back unused ones. Nothing happens before subscription. */
  lease(ask: LeaseRequest): Observable<Lease>;
  /** Corrects the account by a response. */
  learn(observation: Observation): Observable<void>;
}

/** Most permits of one lease. */
export const LARGEST_LEASE = 10;
/** Assumed length of a window, in ms, as long as none is known. */
export const UNKNOWN_WINDOW = 60_000;
/** Bounds, in ms, of the pause before a client looks for an opening's response, which grows with the time that it takes. */
export const OPENING_PAUSE = { shortest: 25, longest: 250 };
/** Bounds, in ms, of the pause before a client looks for permits that others may give back. */
export const RETURNS_PAUSE = { shortest: 50, longest: 15_000 };

/** Time, in ms, for which unused permits and slots, and observations of no urgency, wait for the next call to take them along. */
export const FLUSH_DELAY = 100;
