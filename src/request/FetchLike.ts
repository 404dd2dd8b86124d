import type { ObservableInput } from 'rxjs';

/**
 * A `fetch`: the platform's, an SDK's, or one that answers with an observable, which lets marbles play the server. It is called with a URL
 * (or what the caller of `coldFetch` gave) and an init that always has a `signal`.
 */
export type FetchLike = (input: string | URL | Request, init: RequestInit) => ObservableInput<Response>;
